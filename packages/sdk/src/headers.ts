import type { VectorlessOptions } from './client.ts';
import { VectorlessError, type VectorlessErrorCode } from './errors.ts';

/** Where calls go and what each of them carries, checked once per client. */
export interface Target {
  readonly origin: string;
  /** What comes before `/v1`; usually empty. */
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
}

const defaultBaseUrl = 'https://api.vectorless.dev';

/** @throws {VectorlessError} `invalid_request` or, for the key, `unauthorized`: in words a person can act on. */
export function resolveTarget(options: VectorlessOptions): Target {
  const { apiKey, org, store } = options;
  const given = options.baseUrl || defaultBaseUrl;
  const base = URL.canParse(given) ? new URL(given) : undefined;
  if (base === undefined || !/^https?:$/.test(base.protocol)) {
    throw refusal('The base URL must be an http or https address.');
  }
  const exposed = base.protocol === 'http:' && options.fetch === undefined && !isLoopback(base.hostname);
  if (apiKey && exposed && options.allowHttp !== true) {
    throw refusal(
      `The API key is not sent to ${base.host} over plain http. Use https, or allow it with \`allowHttp\`.`,
    );
  }
  const headers: Record<string, string> = { accept: 'application/json' };
  if (apiKey) headers.authorization = `Bearer ${headerValue('API key', apiKey, 'unauthorized')}`;
  if (org) headers['x-vectorless-org'] = headerValue('organisation', org);
  if (store) headers['x-vectorless-store'] = headerValue('store', store);
  const prefix = base.pathname.replace(/\/+$/, '').replace(/\/v1$/, '');
  return { origin: base.origin, prefix, headers };
}

/** `value` if it can travel in a header; a copied key with a line break cannot. The value itself is never quoted. */
export function headerValue(
  name: string,
  value: string,
  code: VectorlessErrorCode = 'invalid_request',
): string {
  if (/^[\x21-\x7e]+(?: +[\x21-\x7e]+)*$/.test(value)) return value;
  throw refusal(
    `The ${name} has spaces, line breaks or characters that a header cannot carry. Copy it again.`,
    code,
  );
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function refusal(message: string, code: VectorlessErrorCode = 'invalid_request'): VectorlessError {
  return new VectorlessError({ code, message });
}
