import { setTimeout as sleep } from 'node:timers/promises';
import type { VectorlessOptions } from './client.ts';
import { type CallContext, startDeadline } from './deadline.ts';
import type { VectorlessError } from './errors.ts';
import { type Exchange, fetchExchange, type Incoming } from './exchange.ts';
import { callError, responseError, withoutKey } from './failure.ts';
import { headerValue, resolveTarget, type Target } from './headers.ts';
import { parseJson } from './mapping.ts';
import { readText } from './read-body.ts';
import { type RetryKind, retryDelay } from './retry.ts';
import type { CallOptions } from './types.ts';
import { type Upload, uploadTimeoutMs } from './upload.ts';

/** What is asked of the API. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** From `/v1` on, encoded. */
  readonly path: string;
  readonly json?: unknown;
  readonly upload?: Upload | undefined;
  readonly accept?: string;
  readonly idempotencyKey?: string | undefined;
  readonly retry: RetryKind;
  /** The deadline when neither the call nor the client sets one. */
  readonly defaultTimeoutMs?: number;
  readonly documentId?: string | undefined;
}

/** A success, as its reader sees it. */
export interface Answer extends Pick<Incoming, 'status' | 'header' | 'body' | 'discard'> {
  readonly context: CallContext;
  readonly replayed: boolean;
  /** The body as JSON, whatever its content type says: replayed answers carry a wrong one. */
  readonly json: () => Promise<unknown>;
  /** The error to throw for whatever went wrong while the body was read. */
  readonly failure: (error: unknown) => VectorlessError;
  /** Keeps the body open past the reader, and the deadline with it, until the returned function is called. */
  readonly detach: () => () => void;
}

/**
 * Sends a call and gives its answer to `read`, within one deadline that holds every retry and the reading.
 * @throws {VectorlessError} and nothing else
 */
export type RequestFunction = <T>(
  call: Call,
  read: (answer: Answer) => T | Promise<T>,
  options?: CallOptions,
) => Promise<T>;

const usualTimeoutMs = 30_000;
const usualRetries = 2;
const longestJson = 64 * 1024 * 1024;

let network: Exchange | undefined;

/** undici is loaded by the first call, so that starting up never pays for it. */
const networkExchange: Exchange = (outgoing) =>
  network?.(outgoing) ?? loadNetwork().then((send) => send(outgoing));

async function loadNetwork(): Promise<Exchange> {
  network = (await import('./http.ts')).networkExchange;
  return network;
}

export function createRequest(options: VectorlessOptions): RequestFunction {
  const exchange = options.fetch === undefined ? networkExchange : fetchExchange(options.fetch);
  const maxRetries = options.maxRetries ?? usualRetries;
  let target: Target | undefined;

  return async (call, read, callOptions = {}) => {
    const context: CallContext = { requestId: crypto.randomUUID(), documentId: call.documentId };
    const deadline = startDeadline(callOptions.signal, timeoutOf(call, options, callOptions), context);
    const { signal } = deadline;
    let told = context;
    const asError = (error: unknown): VectorlessError => {
      if (signal.aborted) return signal.reason as VectorlessError;
      const uploadBytes = call.upload && (call.upload.size ?? Infinity);
      return withoutKey(callError(error, told, target?.origin ?? 'the server', uploadBytes), options.apiKey);
    };
    let detached = false;
    const detach = () => {
      detached = true;
      return deadline.end;
    };

    const attempt = async (failed: number) => {
      signal.throwIfAborted();
      target ??= resolveTarget(options);
      const { origin } = target;
      const headers = headersOf(call, target, context);
      const body = call.json === undefined ? call.upload?.open(signal) : JSON.stringify(call.json);
      const path = target.prefix + call.path;
      const incoming = await exchange({ method: call.method, origin, path, headers, body, signal });
      const { status, header } = incoming;
      options.onAnswer?.({ status, header });
      told = { ...context, requestId: header('x-request-id') ?? context.requestId };
      // A deletion whose answer was lost is found done by the next try.
      const gone = status === 404 && failed > 0 && call.method === 'DELETE';
      const webPage = call.accept === undefined && header('content-type')?.startsWith('text/html') === true;
      if (!gone && (status < 200 || status > 299 || webPage)) throw await responseError(incoming, told);
      return read({
        ...incoming,
        context: told,
        replayed: header('x-idempotency-replayed') === 'true',
        json: async () => parseJson(await readText(incoming, longestJson, 'throw')),
        failure: asError,
        detach,
      });
    };

    try {
      for (let [failed, waited] = [0, 0]; ; failed++) {
        try {
          return await attempt(failed);
        } catch (error) {
          const failure = asError(error);
          if (failed >= maxRetries || call.upload?.canOpen() === false) throw failure;
          const wait = retryDelay(failure, call.retry, failed, waited);
          if (wait === undefined || wait >= deadline.remainingMs()) throw failure;
          waited += wait;
          await sleep(wait, undefined, { signal }).catch((reason: unknown) => {
            throw asError(reason);
          });
        }
      }
    } finally {
      if (!detached) deadline.end();
      // An answer may come before the upload is through: what is left of its source is let go.
      if (call.upload !== undefined) deadline.abandon();
    }
  };
}

function headersOf(call: Call, target: Target, context: CallContext): Record<string, string> {
  const headers: Record<string, string> = { ...target.headers, 'x-request-id': context.requestId };
  if (call.accept !== undefined) headers.accept = call.accept;
  if (call.json !== undefined) headers['content-type'] = 'application/json';
  if (call.upload !== undefined) {
    headers['content-type'] = call.upload.contentType;
    if (call.upload.size !== undefined) headers['content-length'] = String(call.upload.size);
  }
  if (call.idempotencyKey !== undefined) {
    headers['idempotency-key'] = headerValue('idempotency key', call.idempotencyKey);
  }
  return headers;
}

function timeoutOf(call: Call, options: VectorlessOptions, callOptions: CallOptions): number {
  if (callOptions.timeoutMs !== undefined) return callOptions.timeoutMs;
  const usual = options.timeoutMs ?? call.defaultTimeoutMs ?? usualTimeoutMs;
  return call.upload === undefined ? usual : uploadTimeoutMs(call.upload.size, usual);
}
