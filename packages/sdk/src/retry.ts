import type { VectorlessError } from './errors.ts';

/**
 * What may be sent again. `safe`: after any lost connection. `costly`: a POST without side effects that costs money to
 * answer, so only when it was never sent or was turned away. `never`: it might happen twice.
 */
export type RetryKind = 'safe' | 'costly' | 'never';

const firstDelayMs = 250;
const longestDelayMs = 8_000;
/** A server that asks for more than this is reported, not obeyed: monthly quotas point weeks ahead. */
const longestObeyedSeconds = 30;

/**
 * Milliseconds to wait before another try, or `undefined` when there should be none. Exponential with full jitter
 * (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/) on top of `Retry-After`: servers send a
 * constant of 1 s there, which is too short for a slow bucket.
 * @param attempt tries that have failed before this one
 */
export function retryDelay(
  failure: VectorlessError,
  kind: RetryKind,
  attempt: number,
  random: () => number = Math.random,
): number | undefined {
  if (kind === 'never' || failure.replayed || !mayRetry(failure, kind)) return undefined;
  const floorSeconds = failure.retryAfterSeconds ?? 0;
  if (floorSeconds > longestObeyedSeconds) return undefined;
  const ceiling = Math.min(longestDelayMs, Math.max(firstDelayMs, floorSeconds * 1000) * 2 ** attempt);
  return floorSeconds * 1000 + random() * ceiling;
}

function mayRetry(failure: VectorlessError, kind: RetryKind): boolean {
  switch (failure.code) {
    case 'rate_limited':
    case 'unavailable':
      return true;
    case 'connection':
      return kind === 'safe' || neverSent(failure.cause);
    default:
      return false;
  }
}

const connectCodes = new Set(
  'ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH EHOSTDOWN UND_ERR_CONNECT_TIMEOUT'.split(' '),
);

/** The connection was never made, so the server has seen nothing. */
function neverSent(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  const { code, syscall } = cause as NodeJS.ErrnoException;
  return syscall === 'connect' || (code !== undefined && connectCodes.has(code));
}

/** `Retry-After` as seconds from now, whether it was a number or a date; `undefined` when it is neither. */
export function parseRetryAfter(value: string | undefined, now = Date.now()): number | undefined {
  const text = value?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text));
  // Date.parse alone finds a date in almost anything.
  const date = /^[a-z]{3,9},? /i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
