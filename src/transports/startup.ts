import { createPublicKey } from 'node:crypto';
import { isIP } from 'node:net';
import { type Config, isPlaceholder } from '../config.ts';
import { settings } from '../settings.ts';

/** Why the server does not start: a sentence for the person who runs it, which says what to set. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '::1', '[::1]']);

/** Whether only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return loopbackNames.has(name) || (isIP(name) === 4 && name.startsWith('127.'));
}

/**
 * What keeps callers from something. Elsewhere a value that cannot be used counts as unset; here that would open what
 * somebody meant to close.
 */
const restricting = [
  ...[settings.httpAuth, settings.readOnly, settings.defaultDocs],
  ...[settings.jwtReadScope, settings.jwtScopeClaim, settings.jwtRequiredClaims],
].map(({ env }) => env);

/** @throws {StartupError} when the settings would serve documents to people who should not have them. */
export function checkHttpSettings(config: Config): void {
  const unusable = config.ignored.find((name) => restricting.includes(name));
  if (unusable !== undefined) {
    throw new StartupError(
      `${unusable} has a value that cannot be used. Without it callers could do more than was meant: correct it, or unset it.`,
    );
  }
  checkPublicUrl(config.publicUrl);
  const checks = { key: checkKey, token: checkToken, jwt: checkJwt, none: checkNone };
  checks[config.httpAuth](config);
}

/** What is safe enough to start with, and still probably not what was meant: one sentence each. */
export function httpWarnings(config: Config): string[] {
  const warnings: string[] = [];
  if (config.publicUrl !== undefined && config.secrets.length === 0) {
    warnings.push(
      'VECTORLESS_SECRET is not set: upload links end with a restart and do not work on other replicas.',
    );
  }
  if (config.httpTokens.length > 0 && config.httpAuth !== 'token') {
    warnings.push(
      `VECTORLESS_HTTP_TOKEN is not used: VECTORLESS_HTTP_AUTH is ${config.httpAuth}. Set it to token to use it.`,
    );
  }
  if (config.httpAuth === 'token' && config.httpTokens.some((token) => token.length < 12)) {
    warnings.push(
      'VECTORLESS_HTTP_TOKEN has a short secret that can be guessed. Make one with: openssl rand -base64 32',
    );
  }
  if (config.publicUrl === undefined && !isLoopback(config.httpHost)) {
    warnings.push(
      'VECTORLESS_PUBLIC_URL is not set: callers reach this server only under the names in VECTORLESS_ALLOWED_HOSTS, and there are no upload links.',
    );
  }
  return warnings;
}

function checkPublicUrl(publicUrl: string | undefined): void {
  if (publicUrl === undefined) return;
  if (!URL.canParse(publicUrl) || !/^https?:$/.test(new URL(publicUrl).protocol)) {
    throw new StartupError(
      'VECTORLESS_PUBLIC_URL must be the http or https address that callers use, such as https://docs.example.com.',
    );
  }
  const { search, hash, username, password } = new URL(publicUrl);
  if (`${search}${hash}${username}${password}` !== '') {
    throw new StartupError(
      'VECTORLESS_PUBLIC_URL must be a plain address: paths are added to it, so it cannot end in ? or #, nor hold a password.',
    );
  }
}

function checkKey(config: Config): void {
  if (!config.local) return;
  throw new StartupError(
    'VECTORLESS_HTTP_AUTH=key cannot be used with --local: the embedded engine has no keys to check, so any key would ' +
      'read everything. Set VECTORLESS_HTTP_AUTH=token and VECTORLESS_HTTP_TOKEN (or jwt, or none on 127.0.0.1).',
  );
}

function checkToken(config: Config): void {
  for (const token of config.httpTokens) {
    if (isPlaceholder(token)) {
      throw new StartupError(
        'VECTORLESS_HTTP_TOKEN holds a placeholder, not a secret: a variable was not expanded. Everyone could guess it.',
      );
    }
    if (!/^[\x21-\x7e]+$/.test(token)) {
      throw new StartupError(
        'VECTORLESS_HTTP_TOKEN has a secret that no Authorization header can carry: use letters, digits and signs without spaces.',
      );
    }
  }
  if (config.httpTokens.length > 0) return;
  throw new StartupError(
    'VECTORLESS_HTTP_AUTH=token needs VECTORLESS_HTTP_TOKEN: one or more shared secrets, separated by commas. ' +
      'Make one with: openssl rand -base64 32',
  );
}

function checkNone(config: Config): void {
  if (config.allowUnauthenticated) return;
  // A public address in front of a loopback port is a proxy that lets everyone in.
  const open = isLoopback(config.httpHost)
    ? new URL(config.publicUrl ?? 'http://localhost').hostname
    : config.httpHost;
  if (isLoopback(open)) return;
  throw new StartupError(
    `VECTORLESS_HTTP_AUTH=none on ${open} would let everyone who reaches the port read every document. ` +
      'Listen on 127.0.0.1, choose key, token or jwt, or pass --allow-unauthenticated if something in front checks callers.',
  );
}

function checkJwt(config: Config): void {
  const missing: string[] = [];
  if (config.jwtIssuer === undefined) missing.push('VECTORLESS_JWT_ISSUER (the `iss` of its tokens)');
  if (config.jwtAudience === undefined || /^\/+$/.test(config.jwtAudience))
    missing.push('VECTORLESS_JWT_AUDIENCE (the `aud` that names this server)');
  if (config.jwtJwksUrl === undefined && config.jwtPublicKey === undefined) {
    missing.push('VECTORLESS_JWT_JWKS_URL or VECTORLESS_JWT_PUBLIC_KEY');
  }
  if (config.publicUrl === undefined && !isLoopback(config.httpHost)) {
    missing.push('VECTORLESS_PUBLIC_URL (this server as callers see it, so that they can find the login)');
  }
  if (missing.length > 0) throw new StartupError(`VECTORLESS_HTTP_AUTH=jwt needs ${missing.join(', ')}.`);
  if (config.jwtJwksUrl !== undefined) checkJwksUrl(config.jwtJwksUrl);
  else if (config.jwtPublicKey !== undefined) parsePublicKey(config.jwtPublicKey);
}

/** Keys that arrive over plain http could be anyone's, and with them every token. */
function checkJwksUrl(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))) return;
  throw new StartupError('VECTORLESS_JWT_JWKS_URL must be an https address.');
}

/** Takes PEM as it comes out of an environment variable, where line breaks are often written `\n`. */
export function parsePublicKey(given: string): ReturnType<typeof createPublicKey> {
  const pem = given.replaceAll('\\n', '\n');
  if (/PRIVATE KEY/.test(pem)) {
    throw new StartupError(
      'VECTORLESS_JWT_PUBLIC_KEY holds a private key; this server must only have the public one.',
    );
  }
  try {
    return createPublicKey(pem);
  } catch {
    throw new StartupError('VECTORLESS_JWT_PUBLIC_KEY must be a public key or certificate in PEM.');
  }
}
