import type { Call } from './tool.ts';

/**
 * What a request to the API may take: what is left of the call's time, at most `mostMs`. Never less than a millisecond,
 * since a client may take 0 for no limit.
 */
export function withinCall(
  { signal, deadline }: Pick<Call, 'signal' | 'deadline'>,
  mostMs = Number.POSITIVE_INFINITY,
): { readonly signal: AbortSignal; readonly timeoutMs: number } {
  return { signal, timeoutMs: Math.max(1, Math.min(mostMs, deadline - Date.now())) };
}
