/** What a handler of the fake answers; the server adds the headers that every answer of the dialect carries. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Sent one by one instead of `body`, for event streams. */
  readonly chunks?: readonly string[];
}

/** A value as Go's encoder writes it: `<`, `>` and `&` escaped, one value and a newline. */
export function json(status: number, value: unknown): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body: encode(value) };
}

/** The error body of every handler. */
export const failure = (status: number, error: string): Reply => json(status, { error });

/** What Go's `http.Error` sends: JSON text that calls itself plain text, as the middleware's 401 and 429 do. */
export function plainFailure(status: number, error: string, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff', ...headers },
    body: encode({ error }),
  };
}

/** An unrouted path. */
export const noSuchPage: Reply = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: '404 page not found\n',
};

export function eventStream(events: readonly (readonly [type: string, data: unknown])[]): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' },
    chunks: events.map(([type, data]) => `event: ${type}\ndata: ${encode(data)}\n`),
  };
}

function encode(value: unknown): string {
  const text = JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${text}\n`;
}
