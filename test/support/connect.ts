/** Real MCP clients for tests: in memory, or over the stdio of the built server. */
import { Client, InMemoryTransport, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import type { McpServer, McpServerFactory } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Child, type ChildOptions, spawnChild } from './child.ts';

/** `legacy`: the 2025 handshake. `modern`: revision 2026-07-28 and no other. `auto`: as a client that knows both. */
export type Era = 'legacy' | 'modern' | 'auto';

/** A client connected to a server in this process. Closing the client closes the server. */
export async function connectInMemory(server: McpServer): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  return connected('legacy', near);
}

/** As `connectInMemory`, through the entry that serves both eras. */
export async function connectFactory(factory: McpServerFactory, era: Era = 'legacy'): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  serveStdio(factory, { transport: far });
  return connected(era, near);
}

export interface SpawnOptions extends ChildOptions {
  readonly era?: Era;
}

export interface SpawnedServer {
  readonly client: Client;
  /** The process, its raw lines and its exit. */
  readonly child: Child;
  /** Closes stdin and waits until the process is gone. */
  close(): Promise<void>;
}

/** Starts the built server and connects a client to it over stdio. */
export async function spawnServer({ era = 'legacy', ...options }: SpawnOptions = {}): Promise<SpawnedServer> {
  const child = spawnChild(options);
  const client = await connected(era, childTransport(child)).catch(async (error) => {
    await child.close();
    throw new Error(`the server did not answer\n${child.stderr.join('\n')}`, { cause: error });
  });
  return {
    client,
    child,
    async close() {
      await client.close();
      await child.close();
    },
  };
}

/** The text of a tool result, its blocks joined. */
export function textOf(result: { readonly content?: unknown }): string {
  const blocks = Array.isArray(result.content) ? result.content : [];
  return blocks.map((block: { text?: string }) => block.text ?? '').join('\n');
}

export async function connected(era: Era, transport: Transport): Promise<Client> {
  const mode = era === 'modern' ? { pin: '2026-07-28' } : era;
  const client = new Client({ name: 'test', version: '0.0.0' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return client;
}

/** Speaks over a child that is already there, so that a test sees both its messages and its raw lines. */
export function childTransport(child: Child): Transport {
  const transport: Transport = {
    async start() {
      child.onLine((line) => {
        if (line === '') return;
        try {
          transport.onmessage?.(JSON.parse(line) as JSONRPCMessage);
        } catch (error) {
          transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
        }
      });
      child.exited.then(() => transport.onclose?.());
    },
    async send(message) {
      child.write(message);
    },
    async close() {
      child.end();
      transport.onclose?.();
    },
  };
  return transport;
}
