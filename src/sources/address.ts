import { BlockList, isIP, isIPv4 } from 'node:net';

/** Address blocks that are not the public internet (IANA special-purpose registries), and cloud metadata within it. */
const notPublicV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24'],
  ...['192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '168.63.129.16/32'],
];
/** Parts of 2000::/3 that are special: Teredo and its neighbours, documentation, 6to4, AS112. */
const notPublicV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const blocked = new BlockList();
for (const block of notPublicV4) addTo(blocked, block, 'ipv4');
for (const block of notPublicV6) addTo(blocked, block, 'ipv6');

/** Global unicast. Loopback, mapped, NAT64, unique-local, link-local and multicast addresses lie outside of it. */
const globalV6 = new BlockList();
addTo(globalV6, '2000::/3', 'ipv6');

/** Whether an address, as a socket or a resolver gives it, is one that anybody on the internet could reach. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !blocked.check(address, 'ipv4');
  if (isIP(address) !== 6 || address.includes('%')) return false;
  return globalV6.check(address, 'ipv6') && !blocked.check(address, 'ipv6');
}

function addTo(list: BlockList, block: string, family: 'ipv4' | 'ipv6'): void {
  const [network = '', bits] = block.split('/');
  list.addSubnet(network, Number(bits), family);
}
