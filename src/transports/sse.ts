import { randomBytes } from 'node:crypto';
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import type { Caller } from '../tools/caller.ts';
import type { ByteBudget } from './bodies.ts';
import type { Gate } from './concurrency.ts';
import { type Exchange, methodNotAllowed, rpcRefusal } from './exchange.ts';
import { busy, type ServerFor } from './mcp.ts';
import { readJson, requestId } from './rpc-body.ts';

export interface SseLimits {
  readonly maxStreams: number;
  readonly maxStreamsPerCaller: number;
  readonly idleMs: number;
  readonly pingMs: number;
}

export const sseLimits: SseLimits = {
  maxStreams: 2_048,
  maxStreamsPerCaller: 1_024,
  idleMs: 15 * 60_000,
  // Proxies cut streams on which nothing happens, some after 30 s.
  pingMs: 15_000,
};

export interface SseOptions {
  readonly serverFor: ServerFor;
  readonly gate: Gate;
  readonly budget: ByteBudget;
  readonly bodyTimeoutMs: number;
  /** Where clients post: the path as callers see it. */
  readonly messagesPath: string;
  readonly limits: SseLimits;
}

/** The deprecated HTTP+SSE transport (2024-11-05): answers to what is posted at one address arrive on a stream at another. */
export interface SseRoutes {
  openStream(exchange: Exchange, caller: Caller): Response;
  postMessage(exchange: Exchange, caller: Caller): Promise<Response>;
  readonly open: number;
  /** Closes streams as soon as nothing runs on them. */
  drain(): void;
  close(): void;
}

interface Stream {
  /** Caller and grants: a token with fewer rights must not act through a stream that was opened with more. */
  readonly owner: string;
  readonly caller: Caller;
  readonly gone: AbortController;
  readonly transport: Transport;
  readonly running: Map<string | number, () => void>;
  lastUsed: number;
  ready: Promise<void> | undefined;
  send(text: string): void;
  close(): void;
}

/** A client that does not read its stream loses it rather than filling the memory. */
const maxUnreadBytes = 4 * 1024 * 1024;
/** Deadlines count from when the call starts, so a wait must not add much to them. */
const queueWaitMs = 1_000;
const encoder = new TextEncoder();

export function createSseRoutes(options: SseOptions): SseRoutes {
  const { gate, limits } = options;
  const streams = new Map<string, Stream>();
  const perOwner = new Map<string, number>();
  let draining = false;

  const timer = setInterval(() => {
    const oldest = Date.now() - limits.idleMs;
    for (const stream of streams.values()) {
      if (stream.running.size === 0 && stream.lastUsed < oldest) stream.close();
      else stream.send(': ping\n\n');
    }
  }, limits.pingMs).unref();

  function createStream(id: string, caller: Caller): { stream: Stream; body: ReadableStream<Uint8Array> } {
    const owner = ownerOf(caller);
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const close = () => {
      if (streams.get(id) !== stream) return;
      streams.delete(id);
      addTo(perOwner, owner, -1);
      stream.gone.abort();
      for (const leave of stream.running.values()) leave();
      stream.running.clear();
      stream.transport.onclose?.();
      try {
        controller?.close();
      } catch {
        // The client closed it first.
      }
    };
    const finished = (requestId: string | number) => {
      stream.running.get(requestId)?.();
      stream.running.delete(requestId);
      if (draining && stream.running.size === 0) close();
    };
    const transport: Transport = {
      start: async () => {},
      close: async () => close(),
      async send(message) {
        stream.send(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
        if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
          if (message.id !== undefined) finished(message.id);
        }
      },
    };
    const stream: Stream = {
      ...{ owner, caller, transport, close, running: new Map(), lastUsed: Date.now(), ready: undefined },
      gone: new AbortController(),
      send(text) {
        if (streams.get(id) !== stream) return;
        if ((controller?.desiredSize ?? 0) <= 0) close();
        else controller?.enqueue(encoder.encode(text));
      },
    };
    streams.set(id, stream);
    addTo(perOwner, owner, 1);
    const body = new ReadableStream<Uint8Array>(
      {
        start: (given) => {
          controller = given;
        },
        cancel: close,
      },
      { highWaterMark: maxUnreadBytes, size: (chunk) => chunk?.byteLength ?? 0 },
    );
    return { stream, body };
  }

  /** A stream that is only held open costs no server. */
  const connected = (stream: Stream): Promise<void> => {
    stream.ready ??= options.serverFor(stream.caller, { gone: stream.gone.signal }).connect(stream.transport);
    return stream.ready;
  };

  async function dispatch(stream: Stream, message: JSONRPCMessage, signal: AbortSignal): Promise<Response> {
    if (isJSONRPCRequest(message)) {
      if (stream.running.has(message.id)) {
        return rpcRefusal(400, 'A request with this id is still running on this stream.', { id: message.id });
      }
      stream.running.set(message.id, () => {});
      const slot = await gate.enter(stream.caller.id, { signal, waitMs: queueWaitMs });
      if (slot.busy !== undefined) {
        stream.running.delete(message.id);
        return busy(slot, message.id);
      }
      if (!stream.running.has(message.id)) {
        // The stream was closed, or the request cancelled, while this waited.
        slot.leave();
        return accepted();
      }
      stream.running.set(message.id, slot.leave);
    }
    await connected(stream);
    stream.transport.onmessage?.(message);
    const cancelled = cancelledId(message);
    if (cancelled !== undefined) {
      // The protocol layer sends no answer to a cancelled request.
      stream.running.get(cancelled)?.();
      stream.running.delete(cancelled);
    }
    return accepted();
  }

  return {
    openStream({ request }, caller) {
      if (request.method !== 'GET') return methodNotAllowed('GET');
      const owner = ownerOf(caller);
      if (streams.size >= limits.maxStreams || (perOwner.get(owner) ?? 0) >= limits.maxStreamsPerCaller) {
        const message =
          'Too many event streams are open here. Close some, or use Streamable HTTP at /mcp, which needs none.';
        return rpcRefusal(503, message, { headers: { 'retry-after': '30' } });
      }
      const id = randomBytes(18).toString('base64url');
      const { stream, body } = createStream(id, caller);
      stream.send(`event: endpoint\ndata: ${options.messagesPath}?sessionId=${id}\n\n`);
      return new Response(body, {
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' },
      });
    },

    async postMessage(exchange, caller) {
      if (exchange.request.method !== 'POST') return methodNotAllowed('POST');
      const stream = streams.get(exchange.url.searchParams.get('sessionId') ?? '');
      if (stream === undefined || stream.owner !== ownerOf(caller)) {
        return rpcRefusal(404, 'This stream is not open (any more). Connect to /sse again.');
      }
      stream.lastUsed = Date.now();
      const body = await readJson(exchange, options.budget, options.bodyTimeoutMs);
      if ('refusal' in body) return body.refusal;
      exchange.onClose(body.release);
      let message: JSONRPCMessage;
      try {
        message = parseJSONRPCMessage(body.value);
      } catch {
        return rpcRefusal(400, 'The body is not one JSON-RPC message.', {
          code: -32_600,
          id: requestId(body.value),
        });
      }
      return dispatch(stream, message, exchange.signal);
    },

    get open() {
      return streams.size;
    },
    drain() {
      draining = true;
      for (const stream of streams.values()) if (stream.running.size === 0) stream.close();
    },
    close() {
      clearInterval(timer);
      for (const stream of streams.values()) stream.close();
    },
  };
}

const accepted = (): Response =>
  new Response('Accepted', { status: 202, headers: { 'cache-control': 'no-store' } });

const ownerOf = (caller: Caller): string => `${caller.id} ${[...caller.grants].sort().join(' ')}`;

function addTo(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

function cancelledId(message: JSONRPCMessage): string | number | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  const id = message.params?.requestId;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
