import type { VectorlessError } from './errors.ts';

/**
 * What may be sent again. `safe`: after any lost connection. `costly`: a POST without side effects that costs money to
 * answer, so only when it was never sent or was turned away. `never`: it might happen twice.
 */
export type RetryKind = 'safe' | 'costly' | 'never';

const firstDelayMs = 250;
const longestDelayMs = 8_000;
/**
 * What a call spends waiting at most before it reports what it was told: somebody waits for the answer, and "in 7 seconds"
 * after half a minute is worse than at once. Monthly quotas point weeks ahead.
 */
const patienceMs = 10_000;
/** Servers send a constant of 1 s, which is too short for a slow bucket; who names another number means it. */
const constantMs = 1_000;

/**
 * Milliseconds to wait before another try, or `undefined` when there should be none. Exponential with full jitter
 * (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/) on top of `Retry-After`.
 * @param attempt tries that have failed before this one
 * @param waitedMs what the call has waited before them
 */
export function retryDelay(
  failure: VectorlessError,
  kind: RetryKind,
  attempt: number,
  waitedMs: number,
  random: () => number = Math.random,
): number | undefined {
  if (kind === 'never' || failure.replayed || !mayRetry(failure, kind)) return undefined;
  const floorMs = (failure.retryAfterSeconds ?? 0) * 1000;
  if (waitedMs + floorMs > patienceMs) return undefined;
  const stepMs = Math.max(firstDelayMs, Math.min(floorMs, constantMs));
  return floorMs + random() * Math.min(longestDelayMs, stepMs * 2 ** attempt);
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
