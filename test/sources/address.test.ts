import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPublicAddress } from '../../src/sources/address.ts';

test.each([
  ...[
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
  ],
  ...[
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.0.8',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
  ],
  ...['168.63.129.16', '::', '::1', '::ffff:8.8.8.8', '::ffff:127.0.0.1', '::8.8.8.8', '64:ff9b::8.8.8.8'],
  ...[
    '64:ff9b:1::1',
    '2002:7f00:1::1',
    '2001::1',
    '2001:db8::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
  ],
  ...['fec0::1', 'ff02::1', '100::1', '3fff::1', '5f00::1', '', 'localhost', '8.8.8.8.8', '0x8.8.8.8'],
])('%j is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.32.0.1',
  '100.128.0.1',
  '192.167.255.255',
  '2606:4700::1111',
  '2a00:1450::1',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test('every spelling of an IPv4 address in IPv6 is refused', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      for (const prefix of ['::ffff:', '::', '64:ff9b::', '::ffff:0:', '64:ff9b:1::', 'fe80::5efe:']) {
        expect(isPublicAddress(prefix + address)).toBe(false);
      }
    }),
  );
});
