/** One HTTP exchange, without retries or meaning: what the rest of the SDK needs from a transport, and no more. */

export interface Outgoing {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly origin: string;
  /** Path and query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | AsyncIterable<Uint8Array> | undefined;
  /** Aborting it ends the exchange at whatever point it is, and frees the connection. */
  readonly signal: AbortSignal;
}

export interface Incoming {
  readonly status: number;
  /** `name` in lower case. */
  header(name: string): string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
  /** Gives up on the rest of the body. */
  discard(): void;
}

export type Exchange = (outgoing: Outgoing) => Promise<Incoming>;

/** Settles as `work` does, or rejects with the signal's reason as soon as that aborts. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
    work.then(
      (value) => {
        signal.removeEventListener('abort', onAbort);
        resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener('abort', onAbort);
        reject(error);
      },
    );
  });
}

/** An exchange over a web-standard `fetch`, such as the embedded engine's. */
export function fetchExchange(fetch: (request: Request) => Promise<Response>): Exchange {
  return async ({ method, origin, path, headers, body, signal }) => {
    const init: RequestInit = { method, headers: { ...headers }, redirect: 'manual', signal };
    if (typeof body === 'string' || body instanceof Uint8Array) init.body = body;
    else if (body !== undefined) Object.assign(init, { body: toWebStream(body), duplex: 'half' });
    const response = await untilAborted(fetch(new Request(origin + path, init)), signal);
    const reader = response.body?.getReader();
    return {
      status: response.status,
      header: (name) => response.headers.get(name) ?? undefined,
      body: readAll(reader, signal),
      discard: () => void reader?.cancel().catch(() => {}),
    };
  };
}

/** Reads until the end or the signal; a source that ignores the request's signal cannot hold the caller. */
async function* readAll(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (reader === undefined) return;
  try {
    for (;;) {
      const { done, value } = await untilAborted(reader.read(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}

/** A web stream that pulls from `source` only as fast as it is read. */
export function toWebStream(source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
