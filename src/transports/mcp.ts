import {
  type AuthInfo,
  createMcpHandler,
  isJsonContentType,
  type McpServer,
} from '@modelcontextprotocol/server';
import type { Log } from '../log.ts';
import type { Caller } from '../tools/caller.ts';
import type { ByteBudget } from './bodies.ts';
import type { Busy, Gate } from './concurrency.ts';
import { type Exchange, methodNotAllowed, rpcRefusal } from './exchange.ts';
import { readJson, requestId } from './rpc-body.ts';

/** What is known of the one request that a server is built for; nothing where it serves a whole connection. */
export interface Visit {
  /** `Date.now()` when it came in: its deadline counts from then. */
  readonly arrivedAt?: number;
  /** It is one call of this tool. */
  readonly onlyTool?: string | undefined;
  /** Aborts when the client goes away. */
  readonly gone?: AbortSignal;
}

export type ServerFor = (caller: Caller, visit: Visit) => McpServer;

export interface McpRouteOptions {
  readonly serverFor: ServerFor;
  readonly gate: Gate;
  readonly budget: ByteBudget;
  readonly bodyTimeoutMs: number;
  readonly log: Log;
  /** The refusal of a call for which another token would do; the client can then ask its user for more. */
  readonly stepUp?: ((caller: Caller, tool: string, request: Request) => Response | undefined) | undefined;
}

/** Bounds the wait in the queue; it counts against the call's own deadline. */
const queueWaitMs = 5_000;

/** As the SDK has it, which looks at every message before it counts them. */
const maxBatch = 100;

export interface McpRoute {
  /** Streamable HTTP for every revision; nothing is kept between requests. */
  serve(exchange: Exchange, caller: Caller): Promise<Response>;
  close(): Promise<void>;
}

export function createMcpRoute(options: McpRouteOptions): McpRoute {
  const { serverFor, gate, budget, bodyTimeoutMs, log, stepUp } = options;
  // The SDK hands `authInfo` through unchanged; looking it up keeps the caller's type and its key out of it.
  const visits = new WeakMap<AuthInfo, Visit & { readonly caller: Caller }>();
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const visit = authInfo && visits.get(authInfo);
      if (visit === undefined) throw new Error('a request reached the protocol without a caller');
      return serverFor(visit.caller, visit);
    },
    // The surface never changes while the process lives, so subscriptions end at once: a few are enough.
    { maxSubscriptions: 256, onerror: (error) => log.debug('mcp_rejected', { error: error.name }) },
  );

  return {
    async serve(exchange, caller) {
      const { request, signal } = exchange;
      if (request.method !== 'POST') return methodNotAllowed('POST');
      acceptEither(request.headers);
      const authInfo: AuthInfo = { token: '', clientId: caller.id, scopes: [] };
      const arrivedAt = Date.now();
      visits.set(authInfo, { caller, arrivedAt, gone: signal });
      // The SDK knows how to refuse another media type.
      const isJson = isJsonContentType(request.headers.get('content-type'));
      if (!isJson) return handler.fetch(request, { authInfo });

      const body = await readJson(exchange, budget, bodyTimeoutMs);
      if ('refusal' in body) return body.refusal;
      const tool = calledTool(body.value);
      const refused = tool === undefined ? undefined : stepUp?.(caller, tool, request);
      if (refused !== undefined) {
        body.release();
        return refused;
      }
      const calls = countCalls(body.value);
      // What asks for nothing has been dealt with once it has been read.
      if (calls === 0) body.release();
      else exchange.onClose(body.release);
      if (Array.isArray(body.value) && body.value.length > maxBatch) {
        return rpcRefusal(400, `A batch holds at most ${maxBatch} messages.`, { code: -32_600 });
      }
      if (calls > 0) {
        const slot = await gate.enter(caller.id, { signal, waitMs: queueWaitMs, calls });
        if (slot.busy !== undefined) return busy(slot, requestId(body.value));
        exchange.onClose(slot.leave);
      }
      visits.set(authInfo, { caller, arrivedAt, gone: signal, onlyTool: tool });
      return handler.fetch(request, { authInfo, parsedBody: body.value });
    },
    close: () => handler.close(),
  };
}

/** An answer that says: the same call will succeed in a moment; or that it cannot. */
export function busy({ busy }: Busy, id: string | number | null): Response {
  if (busy === 'never') {
    return rpcRefusal(400, 'This batch holds more calls than may run at once. Send fewer together.', { id });
  }
  const message =
    busy === 'caller'
      ? 'Too many calls of yours are running at once. Wait a few seconds, then make the same call again.'
      : 'The server is busy. Wait a few seconds, then make the same call again.';
  return rpcRefusal(busy === 'caller' ? 429 : 503, message, { id, headers: { 'retry-after': '2' } });
}

/** A subscription is no call: nothing that it could tell of exists here, so the SDK ends it once acknowledged. */
function countCalls(body: unknown): number {
  const messages = Array.isArray(body) ? body : [body];
  return messages.filter((message) => {
    if (typeof message !== 'object' || message === null || !('method' in message)) return false;
    return 'id' in message && message.method !== 'subscriptions/listen';
  }).length;
}

/** The tool, when the body is one call of one. */
function calledTool(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('method' in body) || !('params' in body))
    return undefined;
  const { method, params } = body;
  if (method !== 'tools/call' || typeof params !== 'object' || params === null) return undefined;
  return 'name' in params && typeof params.name === 'string' ? params.name : undefined;
}

/** The protocol asks clients to name both media types; plain HTTP clients say "anything", and mean it. */
function acceptEither(headers: Headers): void {
  const accept = headers.get('accept');
  if (accept === null || accept.includes('*/*')) headers.set('accept', 'application/json, text/event-stream');
}
