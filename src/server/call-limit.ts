import { setMaxListeners } from 'node:events';
import { VectorlessError } from '@vectorless/sdk';

/** Clients and gateways cut a call at 60 s; every call answers before that, whatever the upstream does. */
const answerWithinMs = 49_000;
/** What a call plans with: the rest is for putting the answer together. */
const planWithinMs = 45_000;

export interface CallLimit {
  /** Aborts when the client goes away and when the time is up, with the error to report as its reason. */
  readonly signal: AbortSignal;
  /** `Date.now()` by which the upstream must have answered. */
  readonly deadline: number;
  /** Waits for `running`, and no longer than the limit: what does not listen to its signal must not hold up the answer. */
  within<T>(running: Promise<T>): Promise<T>;
  /** Must be called when the call is over. */
  end(): void;
}

export interface CallLimitOptions {
  /** Aborts when the client no longer wants the answer. */
  readonly cancelled?: AbortSignal | undefined;
  /** `Date.now()` when the call came in; now when absent. */
  readonly arrivedAt?: number | undefined;
  readonly requestId?: string;
  /** For what answers sooner than a call may. */
  readonly withinMs?: number;
}

/** Starts the clock of one call. One controller for both ends: `AbortSignal.any` costs a tenth of a call. */
export function limitCall({ cancelled, arrivedAt, requestId, withinMs }: CallLimitOptions): CallLimit {
  const started = arrivedAt ?? Date.now();
  const controller = new AbortController();
  const { signal } = controller;
  // One call makes dozens of requests that all listen to it; Node takes that for a leak, and says so on stderr.
  setMaxListeners(0, signal);
  const stop = (code: 'timeout' | 'aborted', message: string) =>
    controller.abort(new VectorlessError({ code, message, requestId }));
  const timer = setTimeout(
    () => stop('timeout', 'the call’s deadline passed'),
    Math.max(0, started + (withinMs ?? answerWithinMs) - Date.now()),
  );
  const onCancel = () => stop('aborted', 'the client cancelled the call');
  if (cancelled?.aborted) onCancel();
  else cancelled?.addEventListener('abort', onCancel, { once: true });
  return {
    signal,
    deadline: started + (withinMs ?? planWithinMs),
    within: (running) =>
      new Promise((resolve, reject) => {
        const onAbort = () => reject(signal.reason);
        if (signal.aborted) onAbort();
        else signal.addEventListener('abort', onAbort, { once: true });
        running.then(resolve, reject);
      }),
    end() {
      clearTimeout(timer);
      cancelled?.removeEventListener('abort', onCancel);
    },
  };
}
