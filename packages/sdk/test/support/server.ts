import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** What the server got. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Complete once a step has read it. */
  body: Buffer;
  /** Answered in full, or its connection is gone. */
  over: boolean;
}

export type Step = (request: IncomingMessage, response: ServerResponse, seen: Seen) => void | Promise<void>;

export interface Scripted {
  readonly url: string;
  readonly port: number;
  readonly seen: Seen[];
  /** How many were opened. */
  readonly connections: () => number;
  readonly server: Server;
}

/** A loopback server that answers its requests with one step each; the last step goes on. Closed with the test. */
export async function serve(...steps: Step[]): Promise<Scripted> {
  const seen: Seen[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const entry: Seen = { method, path: url, headers, body: Buffer.alloc(0), over: false };
    const step = steps[Math.min(seen.push(entry), steps.length) - 1];
    request.on('error', () => {});
    response.on('close', () => {
      entry.over = true;
    });
    void step?.(request, response, entry);
  });
  server.on('connection', () => connections++);
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, port, seen, connections: () => connections, server };
}

export async function listen(server: NetServer & { closeAllConnections?(): void }): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections?.();
  });
  return (server.address() as AddressInfo).port;
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

type Headers = Readonly<Record<string, string>>;

/** Answers like the API's handlers do. */
export function json(value: unknown, status = 200, headers: Headers = {}): Step {
  return plain(`${JSON.stringify(value)}\n`, status, { 'content-type': 'application/json', ...headers });
}

/** Answers any text; without a content type of its own it is Go's default. */
export function plain(body: string | Buffer, status = 200, headers: Headers = {}): Step {
  return async (request, response, seen) => {
    seen.body = await readBody(request).catch(() => Buffer.alloc(0));
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(body);
  };
}

/** Takes the request and says nothing. */
export const stall: Step = () => {};

/** Closes the connection without an answer, after the request has come in. */
export const reset: Step = async (request) => {
  await readBody(request).catch(() => {});
  request.socket.resetAndDestroy();
};

export function until(condition: () => boolean, what: string, withinMs = 5_000): Promise<void> {
  const endsAt = Date.now() + withinMs;
  return new Promise((resolve, reject) => {
    const look = () => {
      if (condition()) resolve();
      else if (Date.now() > endsAt) reject(new Error(`not within ${withinMs} ms: ${what}`));
      else setTimeout(look, 5);
    };
    look();
  });
}

/** Whether the client has let go of every request. */
export function allOver({ seen }: Scripted): boolean {
  return seen.every(({ over }) => over);
}
