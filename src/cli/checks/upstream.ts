import { Vectorless, VectorlessError, type VectorlessErrorCode } from '@vectorless/sdk';
import type { Config } from '../../config.ts';
import { redact } from '../../log.ts';
import { type Check, type Finding, fail, ok, warn } from './check.ts';

const name = 'API';
const timeoutMs = 10_000;
/** Signatures and certificates go wrong beyond a few minutes. */
const mostSkewMs = 5 * 60_000;

const fixes: Partial<Record<VectorlessErrorCode, string>> = {
  unauthorized:
    'Set VECTORLESS_API_KEY to a valid key from https://vectorless.dev, or use --local, which needs none.',
  forbidden: 'Use a key that may read documents.',
  payment_required: 'Check the plan of the account.',
  tls: 'Set NODE_EXTRA_CA_CERTS to the PEM file of the proxy or CA (or run Node ≥ 22.15 with --use-system-ca).',
  connection: 'Check VECTORLESS_BASE_URL, the network, and HTTPS_PROXY where there is a proxy.',
  timeout: 'Check the network, and HTTPS_PROXY where there is a proxy.',
  bad_response: 'Set VECTORLESS_BASE_URL to the API itself.',
  not_found: 'Set VECTORLESS_BASE_URL to the API itself.',
};

/** Calls the API once with what is configured: address, key, certificates and clock in one go. */
export const checkUpstream: Check = async (config) => {
  if (config.local) return [ok(name, 'the embedded engine: no key and no network needed')];
  // Over HTTP every caller may bring a key of their own.
  const callersBringKeys = config.http && config.httpAuth === 'key' && config.apiKey === undefined;
  if (config.apiKey === undefined && config.baseUrl === undefined && !callersBringKeys) {
    return [
      fail(name, 'VECTORLESS_API_KEY is not set, and the hosted service needs it.', fixes.unauthorized),
    ];
  }
  let date: string | undefined;
  const client = new Vectorless({
    ...{ apiKey: config.apiKey, baseUrl: config.apiUrl, org: config.org, store: config.store },
    ...{ allowHttp: config.allowHttp, timeoutMs, maxRetries: 0 },
    onAnswer: ({ header }) => {
      date = header('date');
    },
  });
  try {
    if (callersBringKeys) await client.health();
    else await client.documents.list({ limit: 1 });
    const who = callersBringKeys ? '; callers bring their keys' : ` ${identity(config)}`;
    return [ok(name, `${config.apiUrl} answers${who}`), ...clock(date)];
  } catch (error) {
    return [problem(error, config), ...clock(date)];
  }
};

function problem(error: unknown, config: Config): Finding {
  if (!(error instanceof VectorlessError)) return fail(name, redact(String(error)));
  const known = config.apiKey === undefined ? [] : [config.apiKey];
  const detail = `${config.apiUrl}: ${redact(error.message, known)}`;
  const fix = /X-Vectorless-Org/i.test(error.message) ? 'Set VECTORLESS_ORG.' : fixes[error.code];
  const isPassing = ['rate_limited', 'unavailable', 'server_error'].includes(error.code);
  return isPassing ? warn(name, detail, 'Try again later.') : fail(name, detail, fix);
}

/** Whose documents these are, without giving the key away. */
function identity({ apiKey, org, store }: Config): string {
  const key = apiKey === undefined ? 'without a key' : `to the key ${masked(apiKey)}`;
  const tenant = [org && `organisation ${org}`, store && `store ${store}`].filter(Boolean).join(', ');
  return tenant === '' ? key : `${key}, ${tenant}`;
}

/** Enough to tell two keys apart. */
export function masked(key: string): string {
  return key.length < 16 ? '…' : `…${key.slice(-4)}`;
}

function clock(date: string | undefined): Finding[] {
  const skew = Date.now() - Date.parse(date ?? '');
  if (Number.isNaN(skew)) return [];
  const minutes = Math.round(Math.abs(skew) / 60_000);
  if (Math.abs(skew) <= mostSkewMs) return [ok('Clock', 'agrees with the server’s')];
  const detail = `This computer's clock is ${minutes} minutes ${skew > 0 ? 'ahead of' : 'behind'} the server's.`;
  return [fail('Clock', detail, 'Set the clock, or switch on automatic time.')];
}
