/** Where an exchange stops for good. `headers` and `body` come after the handler: the server has acted. */
export type StallPoint =
  | 'upload' // the request body is never read
  | 'trickle' // the request body is read slowly, and never answered
  | 'headers' // nothing of the answer is sent
  | 'body'; // status and headers are sent, and half of the body

export interface FailReply {
  /** `reset`: the connection is cut instead of answered. */
  readonly status: number | 'reset';
  /** A string is sent as it is; anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** How many requests fail; default 1. */
  readonly times?: number;
  /**
   * Who fails. `gateway` (default): in front of the server, which never sees the request. `handler`: the server itself,
   * so that its idempotency cache remembers the failure. `after`: the server acts, then its answer is lost.
   */
  readonly by?: 'gateway' | 'handler' | 'after';
}

interface Rule<T> {
  readonly matches: (route: string) => boolean;
  readonly value: T;
  remaining: number;
}

/** What tests have ordered to go wrong. Routes are `METHOD /path`; `*` is one segment of a path, `**` anything. */
export interface Faults {
  /** Returns a function that ends the fault; what hangs already goes on hanging. */
  stall(route: string, point: StallPoint, times?: number): () => void;
  fail(route: string, reply: FailReply): () => void;
  /** Delays answers by so many milliseconds, or a random number between two. */
  delay(route: string, ms: number | readonly [number, number]): () => void;
  /** Ends all of them. */
  clear(): void;
}

export interface Ordered extends Faults {
  takeStall(route: string): StallPoint | undefined;
  takeFailure(route: string): FailReply | undefined;
  delayOf(route: string): number;
}

export function createFaults(): Ordered {
  const stalls: Rule<StallPoint>[] = [];
  const failures: Rule<FailReply>[] = [];
  const delays: Rule<number | readonly [number, number]>[] = [];
  return {
    stall: (route, point, times = Number.POSITIVE_INFINITY) => add(stalls, route, point, times),
    fail: (route, reply) => add(failures, route, reply, reply.times ?? 1),
    delay: (route, ms) => add(delays, route, ms, Number.POSITIVE_INFINITY),
    clear() {
      for (const rules of [stalls, failures, delays]) rules.length = 0;
    },
    takeStall: (route) => take(stalls, route),
    takeFailure: (route) => take(failures, route),
    delayOf(route) {
      const ms = take(delays, route) ?? 0;
      return typeof ms === 'number' ? ms : ms[0] + Math.random() * (ms[1] - ms[0]);
    },
  };
}

function add<T>(rules: Rule<T>[], route: string, value: T, times: number): () => void {
  const rule: Rule<T> = { matches: matcher(route), value, remaining: times };
  rules.push(rule);
  return () => {
    const at = rules.indexOf(rule);
    if (at !== -1) rules.splice(at, 1);
  };
}

function take<T>(rules: Rule<T>[], route: string): T | undefined {
  const rule = rules.find(({ matches, remaining }) => remaining > 0 && matches(route));
  if (rule === undefined) return undefined;
  rule.remaining -= 1;
  return rule.value;
}

/** `POST /v1/query`, `GET /v1/documents/*`, `**`. Queries after `?` are not looked at. */
export function matcher(route: string): (actual: string) => boolean {
  const source = route
    .split('**')
    .map((part) => part.split('*').map(escapeRegExp).join('[^/ ]+'))
    .join('.*');
  const expression = new RegExp(`^${source}$`);
  return (actual) => expression.test(actual);
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
