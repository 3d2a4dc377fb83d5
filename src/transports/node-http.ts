import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Exchange } from './exchange.ts';

/** How long a refused client may go on sending a body nobody reads, so that it can still receive the answer. */
const lingerMs = 3_000;

/** How long the head of a stream waits for a first event to travel with. */
const headDelayMs = 5;

/** Of two of these a proxy in front may have checked the one and this server would take the other. */
const onlyOnce = ['host', 'authorization'];

/**
 * The head of a Node request as a web `Request`. Undefined for a target that is no path (`*`, `//`, a proxy's
 * absolute form with junk), for a method that a web `Request` cannot have, and for a head that says two things at once.
 * The authority of the URL is a constant: nothing may be derived from `Host`.
 */
export function toExchange(incoming: IncomingMessage, outgoing: ServerResponse): Exchange | undefined {
  const { method = 'GET', url: target = '', headersDistinct } = incoming;
  if (method === 'TRACE' || onlyOnce.some((name) => (headersDistinct[name]?.length ?? 0) > 1))
    return undefined;
  if (!target.startsWith('/') || target.startsWith('//')) return undefined;
  const address = `http://server.invalid${target}`;
  if (!URL.canParse(address)) return undefined;
  const gone = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort(new Error('the client closed the connection'));
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, typeof value === 'string' ? value : value.join(', '));
  }
  let continued = headers.get('expect')?.toLowerCase() !== '100-continue';
  return {
    request: new Request(address, { method, headers, signal: gone.signal }),
    signal: gone.signal,
    url: new URL(address),
    openBody(): Readable {
      if (!continued) outgoing.writeContinue();
      continued = true;
      return incoming;
    },
    onClose(run) {
      if (outgoing.closed) run();
      else outgoing.once('close', run);
    },
  };
}

/** Writes a web `Response`; resolves when it has been handed over or the client is gone. */
export async function writeResponse(
  response: Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  if (outgoing.destroyed) {
    await response.body?.cancel().catch(() => {});
    return;
  }
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) {
    // Whether the connection is kept is between Node and the client, who may have asked for its end.
    if (name !== 'connection' || value === 'close') outgoing.setHeader(name, value);
  }
  // nginx holds a stream back until its buffer is full unless told not to.
  if (isStream) outgoing.setHeader('x-accel-buffering', 'no');
  if (response.body === null || incoming.method === 'HEAD') {
    await response.body?.cancel();
    outgoing.end();
  } else if (isStream) {
    await pump(response.body, outgoing);
  } else {
    const bytes = Buffer.from(await response.arrayBuffer());
    outgoing.setHeader('content-length', bytes.length);
    outgoing.end(bytes);
  }
  if (!incoming.complete) linger(incoming);
}

async function pump(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  // The head of a stream must not wait for its first event; with one that is there already it goes in one piece.
  const head = setTimeout(() => outgoing.flushHeaders(), headDelayMs);
  const onClose = () => void reader.cancel().catch(() => {});
  outgoing.once('close', onClose);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || outgoing.destroyed) break;
      if (!outgoing.write(value)) await drained(outgoing);
    }
  } finally {
    clearTimeout(head);
    outgoing.off('close', onClose);
    outgoing.end();
  }
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      outgoing.off('drain', settle).off('close', settle);
      resolve();
    };
    outgoing.once('drain', settle).once('close', settle);
  });
}

/** Closing at once would reset the connection and lose the answer; discarding for ever would be a free ride. */
function linger(incoming: IncomingMessage): void {
  incoming.resume();
  const timer = setTimeout(() => incoming.destroy(), lingerMs).unref();
  incoming.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
}
