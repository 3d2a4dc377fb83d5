import type { Readable } from 'node:stream';

/** One HTTP request as a route sees it. The body stays unread until a route asks for it. */
export interface Exchange {
  /** Head only, without a body. */
  readonly request: Request;
  /** Aborts when the client goes away before the answer is complete. */
  readonly signal: AbortSignal;
  readonly url: URL;
  /** Tells a client that waits for `100 Continue` to go on, and gives the raw bytes. */
  openBody(): Readable;
  /** Runs once the answer has been sent, or the client is gone. */
  onClose(run: () => void): void;
}

export type Route = (exchange: Exchange) => Response | Promise<Response>;

/** Plain text for people and probes. */
export function text(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(`${message}\n`, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
  });
}

/** A refusal on an MCP route: clients show the message of a JSON-RPC error, and the status is for what lies between. */
export function rpcRefusal(
  status: number,
  message: string,
  options: {
    readonly code?: number;
    readonly id?: string | number | null;
    readonly headers?: Record<string, string>;
  } = {},
): Response {
  const error = { code: options.code ?? -32_000, message };
  return Response.json(
    { jsonrpc: '2.0', id: options.id ?? null, error },
    { status, headers: { 'cache-control': 'no-store', ...options.headers } },
  );
}

export const methodNotAllowed = (allow: string): Response =>
  rpcRefusal(405, `Method not allowed; use ${allow}.`, { headers: { allow } });
