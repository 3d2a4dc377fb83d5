import { isIP } from 'node:net';
import { Refusal } from '../refusal.ts';

/** Names of this machine and its network. Through a proxy they would be looked up where nothing checks them. */
const localName = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)$/i;

/**
 * The address to fetch: https on port 443, without a user, not an address that `allowAddress` refuses.
 * `base` is where a redirect came from.
 */
export function webAddress(given: string, allowAddress: (address: string) => boolean, base?: URL): URL {
  const from = base === undefined ? '' : ` (redirected from ${shown(base)})`;
  const text = given.trim().replace(/^[<"'`](.*)[>"'`]$/s, '$1');
  if (text.length > 8192 || !URL.canParse(text, base?.href)) {
    throw new Refusal(`url is not an address that can be fetched${from}; give a whole https:// address.`);
  }
  const url = new URL(text, base);
  url.hash = '';
  const name = shown(url);
  if (url.protocol === 'file:')
    throw new Refusal(`url takes a web address${from}; for a file give the file itself.`);
  if (url.protocol !== 'https:') {
    throw new Refusal(
      `Only https addresses are fetched, and ${name} is ${url.protocol.slice(0, -1)}${from}. Try it with https, or download it and ingest the file.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new Refusal(`url must not hold a user name or password${from}; download it and ingest the file.`);
  }
  if (url.port !== '')
    throw new Refusal(
      `Only port 443 is fetched, and ${name} names port ${url.port}${from}. Download it and ingest the file.`,
    );
  // The parser has turned decimal, octal and hexadecimal hosts into plain addresses.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isLocal = isIP(host) ? !allowAddress(host) : localName.test(host.replace(/\.$/, ''));
  if (isLocal) throw notPublic(url.hostname, from);
  return url;
}

export function notPublic(host: string, from = ''): Refusal {
  return new Refusal(
    `${host} is not on the public internet${from}: such addresses are never fetched. Download it and ingest the file.`,
  );
}

/** Without the query, which may hold a token. */
export function shown(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`.slice(0, 200);
}
