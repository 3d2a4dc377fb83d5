/** The deprecated transport as an old client sees it: a stream, and an address to post to. */
import { type ClientRequest, request } from 'node:http';
import { until } from './http-service.ts';

export interface SseClient {
  readonly status: number;
  /** Where to post, as the server said. */
  readonly endpoint: string;
  /** Data of the events so far, the endpoint left out. */
  readonly messages: string[];
  /** Everything that arrived. */
  raw(): string;
  readonly closed: () => boolean;
  leave(): void;
  post(message: object, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

/** Resolves once the endpoint has been announced, or the stream was refused. */
export async function openSse(url: string, headers: Readonly<Record<string, string>>): Promise<SseClient> {
  let outgoing: ClientRequest | undefined;
  let [status, text, isClosed] = [0, '', false];
  const messages: string[] = [];
  outgoing = request(
    `${url}/sse`,
    { headers: { accept: 'text/event-stream', ...headers }, agent: false },
    (incoming) => {
      status = incoming.statusCode ?? 0;
      incoming.setEncoding('utf8');
      let pending = '';
      incoming.on('data', (chunk: string) => {
        text += chunk;
        pending += chunk;
        const events = pending.split('\n\n');
        pending = events.pop() ?? '';
        for (const event of events) {
          const data = /^event: message\ndata: (.*)$/s.exec(event)?.[1];
          if (data !== undefined) messages.push(data);
        }
      });
      incoming.on('close', () => {
        isClosed = true;
      });
      incoming.on('error', () => {});
    },
  );
  outgoing.on('error', () => {
    isClosed = true;
  });
  outgoing.end();
  await until(() => text.includes('event: endpoint') || isClosed, 'the stream opens', 10_000);
  const endpoint = /event: endpoint\ndata: (.*)\n/.exec(text)?.[1] ?? '';
  return {
    ...{ status, endpoint, messages },
    raw: () => text,
    closed: () => isClosed,
    leave: () => outgoing.destroy(),
    post: (message, more) =>
      fetch(new URL(endpoint, url), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers, ...more },
        body: JSON.stringify(message),
      }),
  };
}
