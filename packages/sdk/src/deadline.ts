import { VectorlessError } from './errors.ts';

/** What every error of a call says about it. */
export interface CallContext {
  readonly requestId: string;
  readonly documentId?: string | undefined;
}

/** The one clock of a call: its signal aborts with the error to throw. */
export interface Deadline {
  readonly signal: AbortSignal;
  readonly remainingMs: () => number;
  /** Stops the clock and lets go of the caller's signal. */
  readonly end: () => void;
  /** Aborts the signal once the call is over, for what still listens to it. */
  readonly abandon: () => void;
}

const longestTimerMs = 2 ** 31 - 1;

export function startDeadline(
  caller: AbortSignal | undefined,
  timeoutMs: number,
  context: CallContext,
): Deadline {
  const controller = new AbortController();
  const ms = Math.min(Math.max(timeoutMs, 1), longestTimerMs);
  const endsAt = performance.now() + ms;
  const onAbort = () =>
    controller.abort(
      new VectorlessError({
        ...{ ...context, code: 'aborted', message: 'The call was cancelled.' },
        cause: caller?.reason,
      }),
    );
  const timer = setTimeout(() => {
    const message = `No complete answer within ${ms} ms.`;
    controller.abort(new VectorlessError({ ...context, code: 'timeout', message }));
  }, ms);
  if (caller?.aborted) onAbort();
  else caller?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    remainingMs: () => endsAt - performance.now(),
    end: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onAbort);
    },
    abandon: () =>
      controller.abort(new VectorlessError({ ...context, code: 'aborted', message: 'The call is over.' })),
  };
}
