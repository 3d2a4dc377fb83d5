import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions, JWTVerifyResult } from 'jose';
import type { Config } from '../config.ts';
import type { Caller } from '../tools/caller.ts';
import type { Access } from '../tools/tool.ts';
import { callerId, type Denial, ownerId, type Verify } from './auth.ts';
import { parsePublicKey } from './startup.ts';

/** Asymmetric only: with a shared-secret algorithm, whoever knows the public key could sign. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

interface Keys {
  readonly get: JWTVerifyGetKey;
  /** Asks the provider again; false when that may not be done now. */
  refresh(): Promise<boolean>;
}

/** Clocks differ a little between machines. */
const toleranceSeconds = 30;

/** `jwt`: tokens of an identity provider. The settings have been checked by `checkHttpSettings`. */
export async function jwtVerifier(config: Config, idKey: Uint8Array): Promise<Verify> {
  const jose = await import('jose');
  const key = config.jwtJwksUrl === undefined ? parsePublicKey(config.jwtPublicKey ?? '') : undefined;
  const keys: Keys =
    key === undefined
      ? remoteKeys(jose, new URL(config.jwtJwksUrl ?? ''))
      : { get: async () => key, refresh: async () => false };
  const audience = config.jwtAudience?.replace(/\/+$/, '') ?? '';
  const options = {
    algorithms,
    issuer: config.jwtIssuer ?? '',
    audience: [audience, `${audience}/`],
    clockTolerance: toleranceSeconds,
    requiredClaims: ['exp'],
  };

  const verify = (token: string) =>
    jose.jwtVerify(token, keys.get, options).catch((error: unknown) => {
      if (!(error instanceof jose.errors.JWKSMultipleMatchingKeys)) throw error;
      return verifyWithAny(jose, token, error, options);
    });

  return async (token) => {
    try {
      const { payload } = await verify(token).catch(async (error: unknown) => {
        if (!(error instanceof jose.errors.JWSSignatureVerificationFailed)) throw error;
        // A token that does not name its key may be signed with one that was published a moment ago.
        if (jose.decodeProtectedHeader(token).kid !== undefined || !(await keys.refresh())) throw error;
        return verify(token);
      });
      return missingClaim(payload, config.jwtRequiredClaims) ?? toCaller(payload, config, idKey);
    } catch (error) {
      return denial(error instanceof jose.errors.JOSEError ? error.code : undefined, error);
    }
  };
}

/** A token need not say which key signed it (RFC 7515 §4.1.4); while keys are rotated several may have. */
async function verifyWithAny(
  jose: typeof import('jose'),
  token: string,
  keys: InstanceType<typeof import('jose').errors.JWKSMultipleMatchingKeys>,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  for await (const key of keys) {
    try {
      return await jose.jwtVerify(token, key, options);
    } catch (error) {
      if (!(error instanceof jose.errors.JWSSignatureVerificationFailed)) throw error;
    }
  }
  throw new jose.errors.JWSSignatureVerificationFailed();
}

/**
 * Keys from the provider, cached. A token signed with a key that was published a moment ago is looked up again at
 * once; since anyone can make up key ids, only a few such look-ups a minute are allowed.
 */
function remoteKeys(jose: typeof import('jose'), url: URL): Keys {
  const remote = jose.createRemoteJWKSet(url, { timeoutDuration: 5_000, cooldownDuration: 30_000 });
  let extra = { minute: 0, left: 0 };
  const refresh = async () => {
    const minute = Math.floor(Date.now() / 60_000);
    if (extra.minute !== minute) extra = { minute, left: 5 };
    if (extra.left <= 0) return false;
    extra.left -= 1;
    await remote.reload();
    return true;
  };
  return {
    refresh,
    async get(header, input) {
      try {
        return await remote(header, input);
      } catch (error) {
        if (!(error instanceof jose.errors.JWKSNoMatchingKey) || !(await refresh())) throw error;
        return remote(header, input);
      }
    },
  };
}

function toCaller(payload: JWTPayload, config: Config, idKey: Uint8Array): Caller | Denial {
  const subject = [payload.sub, payload.client_id, payload.azp].find(
    (claim) => typeof claim === 'string' && claim !== '',
  );
  if (typeof subject !== 'string') return { status: 401, message: 'The token names no subject (`sub`).' };
  const scopes = scopesOf(payload, config.jwtScopeClaim);
  const grants = new Set<Access>();
  if (config.jwtReadScope === undefined || scopes.has(config.jwtReadScope)) grants.add('read');
  if (config.jwtWriteScope !== undefined && scopes.has(config.jwtWriteScope))
    grants.add('write').add('delete');
  if (grants.size === 0) {
    return {
      status: 403,
      message: `The token does not have the scope "${config.jwtReadScope}", which this server needs.`,
    };
  }
  const identity = `${payload.iss}\0${subject}`;
  return {
    id: callerId(idKey, 'jwt', identity),
    owner: ownerId('jwt', identity),
    ...{ credential: { kind: 'server' }, grants },
  };
}

/** Scopes or roles: a list, or words in one string. `a.b` reaches into objects unless a claim has that very name. */
function scopesOf(payload: JWTPayload, claim: string | undefined): ReadonlySet<string> {
  const value = claim === undefined ? (payload.scope ?? payload.scp) : claimAt(payload, claim);
  if (typeof value === 'string') return new Set(value.split(/\s+/));
  return new Set(Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []);
}

function claimAt(payload: JWTPayload, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  let value: unknown = payload;
  for (const step of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Object.entries(value).find(([key]) => key === step)?.[1];
  }
  return value;
}

/** `name` must be there; `name=value` must be, or contain, the value. */
function missingClaim(payload: JWTPayload, required: string | undefined): Denial | undefined {
  for (const item of (required ?? '').split(',').map((part) => part.trim())) {
    if (item === '') continue;
    const [name = '', ...rest] = item.split('=');
    const value = claimAt(payload, name.trim());
    const wanted = rest.join('=').trim();
    const holds = Array.isArray(value) ? value.map(String).includes(wanted) : String(value) === wanted;
    if (value === undefined || value === null || (rest.length > 0 && !holds)) {
      return {
        status: 401,
        message: `The token does not carry the claim "${name.trim()}" that this server requires.`,
      };
    }
  }
  return undefined;
}

const claimSentences: Readonly<Record<string, string>> = {
  exp: 'The token never expires; this server takes only tokens that do.',
  nbf: 'The token is not valid yet; the clocks of this server and the identity provider may differ.',
};

function denial(code: string | undefined, error: unknown): Denial {
  if (code === 'ERR_JWT_EXPIRED') return { status: 401, message: 'The token has expired; sign in again.' };
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED') {
    const claim = error instanceof Error && 'claim' in error ? String(error.claim) : 'a claim';
    return {
      status: 401,
      message:
        claimSentences[claim] ?? `The token is not for this server: its "${claim}" is not the expected one.`,
    };
  }
  if (
    code === undefined ||
    code === 'ERR_JWKS_TIMEOUT' ||
    code === 'ERR_JOSE_GENERIC' ||
    code === 'ERR_JWKS_INVALID'
  ) {
    return {
      status: 503,
      message: 'The identity provider’s keys cannot be fetched right now; try again shortly.',
    };
  }
  return {
    status: 401,
    message: 'The token is not valid: it is malformed, or not signed by the identity provider.',
  };
}
