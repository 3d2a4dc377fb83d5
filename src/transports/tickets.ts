import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { StartupError } from './startup.ts';

const secretBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** Seals small values into URL-safe text that only holders of the same secret can open. */
export interface Sealer {
  seal(value: unknown): string;
  /** Undefined for anything that was not sealed with one of the secrets, for this purpose, or was changed since. */
  open(sealed: string): unknown;
}

/**
 * AES-256-GCM under keys derived from the secrets by HKDF. The first secret seals, all of them open, so that one can
 * be replaced while links are out. `purpose` is bound in twice: what is sealed for one can never be opened for another.
 */
export function createSealer(secrets: readonly Buffer[], purpose: string): Sealer {
  const keys = secrets.map((secret) => deriveKey(secret, purpose));
  const associated = Buffer.from(purpose);
  const [current] = keys;
  if (current === undefined) throw new RangeError('a sealer needs a secret');

  const openWith = (key: Buffer, sealed: Buffer): unknown => {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(associated).setAuthTag(sealed.subarray(-tagBytes));
    const plain = Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
    return JSON.parse(plain.toString('utf8'));
  };

  return {
    seal(value) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', current, nonce, { authTagLength: tagBytes });
      cipher.setAAD(associated);
      const sealed = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
    },
    open(text) {
      const sealed = Buffer.from(text, 'base64url');
      // Decoding is lenient about stray characters; a link is good only in the one spelling that was given out.
      if (sealed.length <= nonceBytes + tagBytes || sealed.toString('base64url') !== text) return undefined;
      for (const key of keys) {
        try {
          return openWith(key, sealed);
        } catch {
          // Not this key: the next one may be the one being rotated out.
        }
      }
      return undefined;
    },
  };
}

/** A key for one purpose, so that no two uses of the secret share one. */
export const deriveKey = (secret: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `vectorless-mcp ${purpose}`, 32));

/**
 * `VECTORLESS_SECRET` as bytes, or a random one for this process.
 * @throws {StartupError} for a value that is not 32 bytes in base64: a weak secret would seal callers' keys.
 */
export function readSecrets(given: readonly string[]): Buffer[] {
  if (given.length === 0) return [randomBytes(secretBytes)];
  return given.map((value) => {
    const secret = /^[A-Za-z0-9+/_-]+={0,2}$/.test(value) ? Buffer.from(value, 'base64') : Buffer.alloc(0);
    if (secret.length === secretBytes) return secret;
    throw new StartupError(
      'VECTORLESS_SECRET must be 32 bytes in base64 (two, separated by a comma, while rotating). ' +
        'Make one with: openssl rand -base64 32',
    );
  });
}
