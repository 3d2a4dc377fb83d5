/** Caps calls at once, in total and per caller, with a short queue in front. */
export interface Gate {
  /** Waits for room; what comes back instead when there is none. */
  enter(callerId: string, request: EntryRequest): Promise<Slot | Busy>;
  readonly inFlight: number;
  readonly queued: number;
}

export interface EntryRequest {
  readonly signal: AbortSignal;
  /** Longest wait in the queue. */
  readonly waitMs: number;
  /** How many calls at once; 1 when absent. Never more than fit. */
  readonly calls?: number;
}

export interface Slot {
  readonly busy?: never;
  /** Must be called when the call is over; more than once does no harm. */
  leave(): void;
}

export interface Busy {
  /**
   * `caller`: this caller has too much under way. `server`: everyone together has. `never`: it is more at once than may
   * ever run. `gone`: nobody waits for it any more.
   */
  readonly busy: 'caller' | 'server' | 'never' | 'gone';
  readonly leave?: never;
}

export interface GateLimits {
  readonly total: number;
  readonly perCaller: number;
}

interface Waiting {
  readonly callerId: string;
  readonly calls: number;
  admit(): void;
}

/** Remembers only callers that have something under way. The queue holds twice as many as may run. */
export function createGate(limits: GateLimits): Gate {
  const load = new Map<string, { running: number; waiting: number }>();
  const queue = new Set<Waiting>();
  let running = 0;
  let waitingCalls = 0;

  const count = (callerId: string, field: 'running' | 'waiting', by: number) => {
    const entry = load.get(callerId) ?? { running: 0, waiting: 0 };
    entry[field] += by;
    if (entry.running === 0 && entry.waiting === 0) load.delete(callerId);
    else load.set(callerId, entry);
  };
  const of = (callerId: string, field: 'running' | 'waiting') => load.get(callerId)?.[field] ?? 0;
  const fits = (callerId: string, calls: number) =>
    running + calls <= limits.total && of(callerId, 'running') + calls <= limits.perCaller;

  function start(callerId: string, calls: number): Slot {
    running += calls;
    count(callerId, 'running', calls);
    let left = false;
    return {
      leave() {
        if (left) return;
        left = true;
        running -= calls;
        count(callerId, 'running', -calls);
        admitNext();
      },
    };
  }

  function admitNext(): void {
    for (const waiting of queue) {
      if (running >= limits.total) return;
      if (fits(waiting.callerId, waiting.calls)) waiting.admit();
    }
  }

  function wait(callerId: string, calls: number, { signal, waitMs }: EntryRequest): Promise<Slot | Busy> {
    return new Promise((resolve) => {
      const settle = (outcome: () => Slot | Busy) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        queue.delete(waiting);
        waitingCalls -= calls;
        count(callerId, 'waiting', -calls);
        resolve(outcome());
      };
      const waiting: Waiting = { callerId, calls, admit: () => settle(() => start(callerId, calls)) };
      const onAbort = () => settle(() => ({ busy: 'gone' }));
      const timer = setTimeout(() => {
        settle(() => ({ busy: running + calls > limits.total ? 'server' : 'caller' }));
      }, waitMs);
      signal.addEventListener('abort', onAbort, { once: true });
      queue.add(waiting);
      waitingCalls += calls;
      count(callerId, 'waiting', calls);
    });
  }

  return {
    async enter(callerId, request) {
      const calls = request.calls ?? 1;
      if (request.signal.aborted) return { busy: 'gone' };
      if (calls > limits.perCaller || calls > limits.total) return { busy: 'never' };
      if (fits(callerId, calls)) return start(callerId, calls);
      if (waitingCalls + calls > limits.total * 2) return { busy: 'server' };
      if (of(callerId, 'waiting') + calls > limits.perCaller * 2) return { busy: 'caller' };
      return wait(callerId, calls, request);
    },
    get inFlight() {
      return running;
    },
    get queued() {
      return waitingCalls;
    },
  };
}
