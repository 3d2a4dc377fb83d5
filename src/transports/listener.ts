import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '../log.ts';
import { type Route, text } from './exchange.ts';
import { toExchange, writeResponse } from './node-http.ts';
import { StartupError } from './startup.ts';

export interface ListenerLimits {
  /** From connecting to the last header. */
  readonly headersMs: number;
  /** From connecting to the last byte of a body: bounds an upload. */
  readonly requestMs: number;
  /** Between two requests: longer than load balancers keep a connection, or they would use one that is just closing. */
  readonly keepAliveMs: number;
  /** A socket on which nothing moves: longer than any call, and streams are pinged. */
  readonly socketIdleMs: number;
}

const maxHeaderBytes = 16 * 1024;
const maxConnections = 8_192;

/** Answers requests with `route`, and closes connections that take too long about anything. */
export function createListener(route: Route, limits: ListenerLimits, log: Log): Server {
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    try {
      const exchange = toExchange(incoming, outgoing);
      const response = exchange === undefined ? text(400, 'Bad request.') : await route(exchange);
      await writeResponse(response, incoming, outgoing);
    } catch (error) {
      log.error('http_failed', { error: error instanceof Error ? error.name : typeof error });
      if (!outgoing.headersSent) outgoing.writeHead(500, { 'content-type': 'text/plain' });
      outgoing.end('The server failed.\n');
    }
  };
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      // How soon an overdue connection is noticed.
      connectionsCheckingInterval: Math.max(50, Math.min(1_000, limits.headersMs / 4)),
    },
    answer,
  );
  server.maxConnections = maxConnections;
  server.setTimeout(limits.socketIdleMs);
  // Without a listener Node would ask for the body before anyone has looked at the credential.
  server.on('checkContinue', answer);
  return server;
}

/** The port it got. `setting` names what to change when it cannot have the one it wants. */
export function listen(server: Server, host: string, port: number, setting: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE' ? 'something else listens there' : (error.code ?? 'it failed');
      reject(
        new StartupError(`Cannot listen on ${host}:${port}: ${reason}. Choose another with ${setting}.`),
      );
    });
    server.listen(port, host, () => resolve(portOf(server)));
  });
}

export function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
