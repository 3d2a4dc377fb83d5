import type { Server as HttpServer } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { certificate, privateKey } from './certificate.ts';

/** Takes connections on loopback and hands them to an HTTP server, or holds them. */
export interface FrontDoor {
  readonly url: string;
  hold(): () => void;
  sockets(): number;
  close(): Promise<void>;
}

export async function createFrontDoor(http: HttpServer, tls: boolean): Promise<FrontDoor> {
  const open = new Set<Socket>();
  let held = 0;
  const enter = (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    if (held > 0) socket.pause();
    else http.emit('connection', socket);
  };
  const server: Server = tls
    ? createTlsServer({ key: privateKey, cert: certificate }, enter).on('tlsClientError', () => {})
    : createTcpServer(enter);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the fake API has no port');
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${address.port}`,
    hold() {
      held += 1;
      http.closeIdleConnections();
      let holding = true;
      return () => {
        if (holding) held -= 1;
        holding = false;
      };
    },
    sockets: () => open.size,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
