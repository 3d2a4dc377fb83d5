/** The built server over HTTP: every kind of client does the whole job with its own key. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  StreamableHTTPClientTransport as HttpV2,
  SSEClientTransport as SseV2,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as SseV1 } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as TransportV1 } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repository } from '../support/child.ts';
import { connected } from '../support/connect.ts';
import { type HttpChild, spawnHttp } from '../support/http-child.ts';
import { until } from '../support/http-service.ts';
import { type FakeBackend, fakeBackend, testKey } from './backend.ts';
import { call, rows, succeed } from './outcome.ts';

let backend: FakeBackend;
let server: HttpChild;
let home: string;
beforeAll(async () => {
  backend = await fakeBackend({ dialect: 'S', lifecycle: { polls: 1 } });
  const { VECTORLESS_API_KEY: _, VECTORLESS_ALLOWED_DIRS: __, ...env } = backend.env;
  // A key of the server's own that no call may ever use.
  server = await spawnHttp({ env: { ...env, VECTORLESS_API_KEY: 'vls_of_the_server' } });
  home = await mkdtemp(join(tmpdir(), 'vectorless-home-'));
});
afterAll(async () => {
  await server?.close();
  await backend?.close();
  await rm(home, { recursive: true, force: true });
});

type Client = Parameters<typeof call>[0] & {
  close(): Promise<void>;
  listTools(): Promise<{ tools: { name: string; inputSchema: object }[] }>;
};
const headers = { Authorization: `Bearer ${testKey}` };
const requestInit = { headers };

async function v1(transport: TransportV1): Promise<Client> {
  const client = new ClientV1({ name: 'v1', version: '0' });
  await client.connect(transport);
  return client;
}
const address = (path: string) => new URL(server.url + path);

const clients: Readonly<Record<string, () => Promise<Client>>> = {
  'older SDK, Streamable HTTP': () => v1(new HttpV1(address('/mcp'), { requestInit }) as TransportV1),
  'older SDK, HTTP+SSE': () => v1(new SseV1(address('/sse'), { requestInit })),
  'current SDK, 2025': () => connected('legacy', new HttpV2(address('/mcp'), { requestInit })),
  'current SDK, 2026': () => connected('modern', new HttpV2(address('/mcp'), { requestInit })),
  'current SDK, either': () => connected('auto', new HttpV2(address('/mcp'), { requestInit })),
  'current SDK, HTTP+SSE': () => connected('legacy', new SseV2(address('/sse'), { requestInit })),
  'mcp-remote': () => v1(remote('/mcp', 'http-only')),
  'mcp-remote, HTTP+SSE': () => v1(remote('/sse', 'sse-only')),
};

function remote(path: string, transport: string): TransportV1 {
  const bridge = `${repository}node_modules/mcp-remote/dist/proxy.js`;
  const header = ['--header', `Authorization:Bearer ${testKey}`];
  const args = [bridge, address(path).href, '--allow-http', '--transport', transport, ...header];
  return new StdioClientTransport({
    ...{ command: process.execPath, args, stderr: 'ignore' as const },
    env: { PATH: process.env.PATH ?? '', HOME: home },
  });
}

describe.each(Object.entries(clients))('%s', (name, connect) => {
  test('ingests, lists, asks and reads', async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    const ingest = tools.find((tool) => tool.name === 'vectorless_ingest_document');
    expect(JSON.stringify(ingest?.inputSchema)).not.toMatch(/"(?:path|url)"/);
    const text = `# Stove of ${name}\n\nThe stove of ${name} burns birch.\n`;
    const added = await succeed(client, 'ingest_document', { text, filename: `${name}.md` });
    expect(added.structured.status).toBe('ready');
    const { document_id } = added.structured;
    const listed = rows(await succeed(client, 'list_documents', { title_contains: name }), 'documents');
    expect(listed).toMatchObject([{ document_id, status: 'ready' }]);
    const answer = await succeed(client, 'query', { query: 'what does the stove burn', document_id });
    const [hit] = rows(answer, 'sections');
    expect(hit).toMatchObject({ document_id, content: expect.stringContaining('birch') });
    const section = await succeed(client, 'get_section', { section_id: hit?.section_id });
    expect(section.structured.content).toContain(`The stove of ${name} burns birch.`);
    await client.close();
  }, 30_000);
});

test('a file from afar goes through a link and is found by its title', async () => {
  const client = await connected('auto', new HttpV2(address('/mcp'), { requestInit }));
  const asked = await succeed(client, 'ingest_document', { filename: 'far-away.md' });
  expect(asked.structured).toMatchObject({ status: 'awaiting_upload', expires_at: expect.any(String) });
  expect(asked.text).toContain('curl -T');
  const link = String(asked.structured.upload_url);
  const put = () => fetch(link, { method: 'PUT', body: '# Far away\n\nThere is a lighthouse.\n' });
  const answer = await put();
  expect(answer.status).toBe(201);
  const { document_id } = (await answer.json()) as { document_id: string };
  expect((await put()).status).toBe(410);
  const listed = rows(await succeed(client, 'list_documents', { title_contains: 'far' }), 'documents');
  expect(listed).toMatchObject([{ document_id }]);
  await until(() => backend.fake.requests('GET /v1/documents/*').length > 0, 'it is being looked at');
  await client.close();
});

test('a file that is not what its name says is refused by the link, with the reason', async () => {
  const client = await connected('auto', new HttpV2(address('/mcp'), { requestInit }));
  const asked = await succeed(client, 'ingest_document', { filename: 'report.pdf' });
  const answer = await fetch(String(asked.structured.upload_url), { method: 'PUT', body: 'just text' });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ message: expect.stringMatching(/pdf/i) });
  await client.close();
});

test('a key that the upstream refuses is an error of the tool, in the owner’s words', async () => {
  const init = { requestInit: { headers: { Authorization: 'Bearer vls_not_a_key' } } };
  const client = await connected('auto', new HttpV2(address('/mcp'), init));
  const refused = await call(client, 'list_documents');
  expect(refused.isError).toBe(true);
  expect(refused.text).toContain('Your VECTORLESS_API_KEY is missing or invalid. Check your MCP config.');
  await client.close();
});

test.each(['older SDK, HTTP+SSE', 'current SDK, 2025', 'current SDK, 2026'])(
  '%s: closing its stream ends the read upstream',
  // The bound is the promise; a busy machine gets another try at it.
  { retry: 2 },
  async (name) => {
    const id = backend.fake.add({ content: '# A\n\nb\n' });
    const stop = backend.fake.faults.stall('POST /v1/query', 'headers');
    const client = await clients[name]?.();
    const seen = backend.fake.requests('POST /v1/query').length;
    const asking = client
      ?.callTool({ name: 'vectorless_query', arguments: { query: 'a', document_id: id } })
      .catch(() => 'gone');
    await until(() => backend.fake.requests('POST /v1/query').length > seen, 'the upstream is asked');
    const upstream = backend.fake.requests('POST /v1/query')[seen];
    const left = Date.now();
    await client?.close();
    await until(() => upstream?.aborted === true, 'the upstream sees it');
    expect((upstream?.endedAt ?? 0) - left).toBeLessThan(200);
    expect(await asking).toBe('gone');
    stop();
  },
);

test('nothing of all this used the server’s own key, and none of it is in the log', () => {
  const keys = backend.fake.requests().map(({ headers }) => headers.authorization);
  expect(keys).not.toContain('Bearer vls_of_the_server');
  const log = server.child.stderr.join('\n');
  expect(log).toContain('tool_call');
  expect(log).not.toMatch(/vls_|birch|lighthouse|uploads\//);
});
