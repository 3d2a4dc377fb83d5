import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { isPlaceholder } from '../config.ts';
import type { Caller } from '../tools/caller.ts';
import type { Access } from '../tools/tool.ts';

/** Why a request is not served. */
export interface Denial {
  /** 401: no usable credential. 403: a good credential that may not do this. 503: it could not be checked now. */
  readonly status: 401 | 403 | 503;
  readonly message: string;
}

/** Turns the token of an `Authorization: Bearer` header into a caller. */
export type Verify = (token: string) => Caller | Denial | Promise<Caller | Denial>;

export const isDenial = (outcome: Caller | Denial): outcome is Denial => 'status' in outcome;

const everything: ReadonlySet<Access> = new Set(['read', 'write', 'delete']);

/** A caller's id: tells callers apart without being their secret or leading back to it. */
export const callerId = (idKey: Uint8Array, kind: string, secret: string): string =>
  createHmac('sha256', idKey).update(`${kind}\0${secret}`).digest('base64url').slice(0, 22);

/** A caller's owner. Not keyed by the server's secret, which may change: it leads back to nothing but a key's hash. */
export const ownerId = (kind: string, identity: string): string =>
  createHash('sha256').update(`${kind}\0${identity}`).digest('base64url');

/** `key`: the token is the caller's own API key. Only the upstream can tell whether it is good. */
export function keyVerifier(idKey: Uint8Array): Verify {
  return (token) => {
    if (isPlaceholder(token)) {
      return unauthorized(
        'The Authorization header holds a placeholder, not a key: your client did not expand a variable. ' +
          'Put your Vectorless API key there.',
      );
    }
    return {
      id: callerId(idKey, 'key', token),
      owner: ownerId('key', token),
      credential: { kind: 'own', apiKey: token },
      grants: everything,
    };
  };
}

/** `token`: shared secrets. All are compared, in constant time, whichever matches. */
export function tokenVerifier(tokens: readonly string[], idKey: Uint8Array): Verify {
  const known = tokens.map((token) => ({ hash: sha256(token), id: callerId(idKey, 'token', token) }));
  return (token) => {
    const given = sha256(token);
    let id: string | undefined;
    for (const candidate of known) if (timingSafeEqual(candidate.hash, given)) id = candidate.id;
    if (id === undefined) {
      return unauthorized('This token is not known here. Ask whoever runs this server for the current one.');
    }
    // Tokens come and go; who holds one shares what all of them keep here.
    return { id, owner: ownerId('token', ''), credential: { kind: 'server' }, grants: everything };
  };
}

/** `none`: everyone is the same caller. */
export const anonymous: Caller = { id: 'anonymous', credential: { kind: 'server' }, grants: everything };

/** Finds the credential of a request, and says where it should have been. */
export function createAuthenticator(
  verify: Verify | undefined,
  needed: string,
): (headers: Headers, query: URLSearchParams) => Promise<Caller | Denial> {
  return async (headers, query) => {
    if (verify === undefined) return anonymous;
    const header = headers.get('authorization');
    if (header === null) return unauthorized(misplaced(headers, query, needed));
    const token = /^Bearer +([\x21-\x7e]{1,16384}) *$/i.exec(header)?.[1];
    if (token !== undefined) return await verify(token);
    return unauthorized(
      /^Bearer\b/i.test(header)
        ? `The Authorization header has no usable token after "Bearer". Send: Authorization: Bearer <${needed}>`
        : `The Authorization header must begin with "Bearer ". Send: Authorization: Bearer <${needed}>`,
    );
  };
}

const wrongHeaders = [
  'x-api-key',
  'api-key',
  'x-auth-token',
  'x-vectorless-api-key',
  'x-access-token',
  'apikey',
];
const wrongParameters = ['api_key', 'apikey', 'key', 'token', 'access_token'];

function misplaced(headers: Headers, query: URLSearchParams, needed: string): string {
  const send = `Send: Authorization: Bearer <${needed}>`;
  const header = wrongHeaders.find((name) => headers.has(name));
  if (header !== undefined) return `The credential is in the ${header} header, which is not read. ${send}`;
  const parameter = wrongParameters.find((name) => query.has(name));
  if (parameter !== undefined) {
    return `The credential is in the address (?${parameter}=), where it would end up in logs; it is not read. ${send}`;
  }
  return `This server needs a credential. ${send}`;
}

const unauthorized = (message: string): Denial => ({ status: 401, message });

const sha256 = (value: string): Buffer => createHash('sha256').update(value).digest();
