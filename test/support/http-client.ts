/** Requests as any HTTP client makes them: headers and bodies that `fetch` would not let through. */
import { type IncomingMessage, request } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** The body as JSON, or the data of its one event. */
  json(): { result?: Record<string, unknown>; error?: { code: number; message: string }; id?: unknown };
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  readonly body?: string | Uint8Array | object;
}

/** Sends one request on a connection of its own. */
export function ask(url: string, { method, headers = {}, body }: RawRequest = {}): Promise<RawAnswer> {
  const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  const bytes = raw ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        ...{ method: method ?? (body === undefined ? 'GET' : 'POST'), agent: false },
        headers: {
          ...(!raw && { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }),
          ...(bytes !== undefined && { 'content-length': String(Buffer.byteLength(bytes)) }),
          ...headers,
        },
      },
      async (incoming) => {
        try {
          const chunks: Buffer[] = [];
          for await (const chunk of incoming) chunks.push(chunk);
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({
            ...{ status: incoming.statusCode ?? 0, headers: incoming.headers, text },
            json: () => JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text),
          });
        } catch (error) {
          reject(error);
        }
      },
    );
    outgoing.once('error', reject);
    outgoing.end(bytes);
  });
}

export interface Leavable {
  /** The status, once the answer begins; undefined when the client left before. */
  readonly status: Promise<number | undefined>;
  /** Closes the connection. */
  leave(): void;
}

/** Makes a call that lasts until its client leaves, or until it is answered. */
export function askUntilLeft(url: string, body: object, headers: Readonly<Record<string, string>>): Leavable {
  const left = new AbortController();
  const answer = fetch(url, {
    ...{ method: 'POST', signal: left.signal, body: JSON.stringify(body) },
    headers: {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...headers,
    },
  });
  return {
    status: answer.then(
      ({ status }) => status,
      () => undefined,
    ),
    leave: () => left.abort(),
  };
}

let lastId = 0;

/** A JSON-RPC request with an id of its own. */
export const rpc = (method: string, params: object = {}): object => {
  lastId += 1;
  return { jsonrpc: '2.0', id: lastId, method, params };
};

export const callTool = (name: string, args: object): object => rpc('tools/call', { name, arguments: args });

const clientInfo = { name: 'test', version: '0' };

export const initialize = (protocolVersion = '2025-11-25'): object =>
  rpc('initialize', { protocolVersion, capabilities: {}, clientInfo });

/** What revision 2026-07-28 wants with every request: the envelope in the body, the same in headers. */
export function modern(message: object): { body: object; headers: Record<string, string> } {
  const { method, params, ...rest } = message as { method: string; params: { name?: string; uri?: string } };
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const given = '_meta' in params ? (params._meta as object) : {};
  const name = params.name ?? params.uri;
  return {
    body: { ...rest, method, params: { ...params, _meta: { ...meta, ...given } } },
    headers: {
      ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
      ...(name !== undefined && { 'mcp-name': name }),
    },
  };
}
