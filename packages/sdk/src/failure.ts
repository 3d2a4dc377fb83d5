import type { CallContext } from './deadline.ts';
import { VectorlessError, type VectorlessErrorCode } from './errors.ts';
import type { Incoming } from './exchange.ts';
import { ShapeError } from './mapping.ts';
import { BodyTooLongError, readText } from './read-body.ts';
import { parseRetryAfter } from './retry.ts';

const longestErrorBody = 64 * 1024;
const longestMessage = 500;

const byStatus: Readonly<Record<number, VectorlessErrorCode>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  402: 'payment_required',
  403: 'forbidden',
  404: 'not_found',
  405: 'invalid_request',
  408: 'unavailable',
  409: 'conflict',
  413: 'too_large',
  415: 'invalid_request',
  422: 'invalid_request',
  429: 'rate_limited',
  501: 'not_supported',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

/** The server has no error codes: these sentences are what tells such cases apart. */
const bySentence: readonly (readonly [RegExp, VectorlessErrorCode])[] = [
  [/request body too large/i, 'too_large'],
  [/context deadline exceeded/i, 'timeout'],
  [/db: not found/i, 'not_found'],
  [/does not support streaming|streaming requires http\.Flusher/i, 'not_supported'],
  [/no retrieval strategy|not configured/i, 'not_supported'],
];

/** The error behind an answer that is not a success. Reads the body, whatever it turns out to be. */
export async function responseError(incoming: Incoming, context: CallContext): Promise<VectorlessError> {
  const { status } = incoming;
  const body = await readText(incoming, longestErrorBody, 'cut');
  const page = /text\/html/.test(incoming.header('content-type') ?? '') || /^\s*<(!doctype|html)/i.test(body);
  const said = page ? undefined : serverMessage(body);
  return new VectorlessError({
    ...context,
    code: codeOf(status, said, page),
    message: describe(incoming, said, page),
    status,
    retryAfterSeconds: parseRetryAfter(incoming.header('retry-after')),
    replayed: incoming.header('x-idempotency-replayed') === 'true',
  });
}

function codeOf(status: number, said: string | undefined, page: boolean): VectorlessErrorCode {
  if (status < 400) return 'bad_response';
  // Go's router answers a path that it does not know with this text; the handlers say what was not found.
  if (status === 404 && said === '404 page not found') return 'not_supported';
  const code = byStatus[status] ?? (status < 500 ? 'invalid_request' : 'server_error');
  if (page && (code === 'not_found' || code === 'invalid_request')) return 'bad_response';
  return status === 400 || status >= 500 ? (codeOfMessage(said) ?? code) : code;
}

/** What a sentence of the server means, where it is one of those that mean something. */
export function codeOfMessage(said: string | undefined): VectorlessErrorCode | undefined {
  if (said === undefined) return undefined;
  return bySentence.find(([pattern]) => pattern.test(said))?.[1];
}

function describe(incoming: Incoming, said: string | undefined, page: boolean): string {
  const { status } = incoming;
  if (status >= 300 && status < 400) {
    const target = incoming.header('location')?.replace(/[?#].*/, '');
    return `The server redirects (${status}) to ${target ?? 'nowhere'}; redirects are not followed. Set the base URL to the API itself.`;
  }
  if (page) {
    return `The answer (${status}) is a web page, not the API. Check the base URL: in the all-in-one image the API is on port 7654, a viewer on 8080.`;
  }
  return said === undefined ? `The server answered ${status}.` : `The server answered ${status}: ${said}`;
}

/** The sentence in an error body: of the API itself, of gateways, OAuth and Connect, or the plain text. */
export function serverMessage(body: string): string | undefined {
  const text = body.trim();
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return clip(text);
  }
  if (typeof parsed === 'string') return clip(parsed);
  if (!isRecord(parsed)) return clip(text);
  const { error, error_description, message, details } = parsed;
  const nested = isRecord(error) ? (error.message ?? error.code) : error;
  const parts = [nested, error_description ?? message, details];
  const said = parts.filter((part) => typeof part === 'string' && part !== '').join(': ');
  return clip(said === '' ? text : said);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function clip(text: string): string | undefined {
  if (text === '') return undefined;
  return text.length <= longestMessage ? text : `${text.slice(0, longestMessage)}…`;
}

const tlsCode =
  /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO$|HOSTNAME_MISMATCH$|UND_ERR_PRX_TLS$)/;

/** Whatever was thrown within a call, as the error of that call. */
export function callError(
  error: unknown,
  context: CallContext,
  server: string,
  uploadBytes: number | undefined,
): VectorlessError {
  if (error instanceof VectorlessError) {
    const { message, cause } = error;
    return error.requestId === undefined
      ? new VectorlessError({ ...error, ...context, message, cause })
      : error;
  }
  if (error instanceof ShapeError || error instanceof BodyTooLongError) {
    const message = `The answer is not what the API sends: ${error.message}`;
    return new VectorlessError({ ...context, code: 'bad_response', message });
  }
  return transportError(error, server, context, uploadBytes);
}

/** Servers and proxies quote what they were sent: an error never carries the key that the call was made with. */
export function withoutKey(error: VectorlessError, apiKey: string | undefined): VectorlessError {
  if (!apiKey || ![error.message, error.requestId].some((text) => text?.includes(apiKey))) return error;
  const clean = (text: string) => text.replaceAll(apiKey, '[redacted]');
  return new VectorlessError({
    ...error,
    message: clean(error.message),
    requestId: error.requestId && clean(error.requestId),
    ...(error.cause instanceof Error && error.cause.message.includes(apiKey) ? {} : { cause: error.cause }),
  });
}

/** The error behind an exchange that gave no answer, or only a part of one. */
function transportError(
  cause: unknown,
  origin: string,
  context: CallContext,
  uploadBytes: number | undefined,
): VectorlessError {
  const code = cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined;
  // The system's codes say more than its messages; undici's say less.
  const reason = cause instanceof Error ? (/^E[A-Z]/.test(code ?? '') ? code : cause.message) : String(cause);
  const fail = (kind: VectorlessErrorCode, message: string) =>
    new VectorlessError({ ...context, code: kind, message, cause });
  if (code !== undefined && tlsCode.test(code)) {
    return fail(
      'tls',
      `The certificate of ${origin} was not accepted (${code}). If a proxy or private CA signs it, set NODE_EXTRA_CA_CERTS to its PEM file.`,
    );
  }
  if (code?.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return fail('bad_response', `${origin} does not answer as an HTTP server (${code}).`);
  }
  if (
    uploadBytes !== undefined &&
    uploadBytes > 2 ** 20 &&
    /ECONNRESET|EPIPE|UND_ERR_SOCKET/.test(code ?? '')
  ) {
    return fail(
      'connection',
      `${origin} closed the connection during an upload of ${uploadBytes} bytes (${code}); it may be over the server's size limit.`,
    );
  }
  return fail('connection', `No connection to ${origin} (${reason}).`);
}
