import { createServer, type IncomingMessage, request as send } from 'node:http';
import { connect } from 'node:net';
import { listen } from './server.ts';

export interface Proxy {
  readonly url: string;
  /** Request lines that it got, such as `CONNECT api.test:443`. */
  readonly seen: string[];
  readonly authorizations: (string | undefined)[];
}

/**
 * A forward proxy on loopback. It takes every host for this machine, so that names which do not resolve can only be
 * reached through it. `refuse` is the status with which it turns tunnels away; 0 never answers.
 */
export async function serveProxy(refuse?: number): Promise<Proxy> {
  const seen: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const note = ({ method, url, headers }: IncomingMessage) => {
    seen.push(`${method} ${url}`);
    authorizations.push(headers['proxy-authorization']);
  };
  const server = createServer((request, response) => {
    note(request);
    const { port, pathname, search } = new URL(request.url ?? '');
    const { method, headers } = request;
    const onward = send({ host: '127.0.0.1', port, path: pathname + search, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  server.on('connect', (request, socket) => {
    note(request);
    socket.on('error', () => {});
    if (refuse === 0) return;
    if (refuse !== undefined) {
      socket.end(`HTTP/1.1 ${refuse} No\r\n\r\n`);
      return;
    }
    const onward = connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, seen, authorizations };
}
