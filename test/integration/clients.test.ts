/** Every kind of client: both protocol eras of the current SDK, and the older major version. */
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repository } from '../support/child.ts';
import { type Era, spawnServer } from '../support/connect.ts';
import { type FakeBackend, fakeBackend } from './backend.ts';
import { rows, succeed } from './outcome.ts';

const four = [
  'vectorless_query',
  'vectorless_list_documents',
  'vectorless_get_section',
  'vectorless_ingest_document',
];

let backend: FakeBackend;
let stove: string;
beforeAll(async () => {
  backend = await fakeBackend({ dialect: 'S' });
  stove = backend.fake.add({ content: '# Stove\n\nThe stove burns birch.\n' });
});
afterAll(() => backend.close());

test.each<[Era, string]>([
  ['legacy', '2025-11-25'],
  ['modern', '2026-07-28'],
  ['auto', '2026-07-28'],
])('the current client, %s era', async (era, revision) => {
  const server = await spawnServer({ env: backend.env, era });
  expect(server.client.getNegotiatedProtocolVersion()).toBe(revision);
  expect(server.client.getServerVersion()).toMatchObject({ name: expect.stringContaining('vectorless') });
  expect(server.client.getInstructions()).toMatch(/\S/);
  const { tools } = await server.client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([...four].sort());
  // Having listed the tools, the client checks structured content against their output schemas.
  const answer = await succeed(server.client, 'query', {
    query: 'what does the stove burn',
    document_id: stove,
  });
  expect(rows(answer, 'sections')[0]).toMatchObject({
    title: 'Stove',
    content: expect.stringContaining('birch'),
  });
  const added = await succeed(server.client, 'ingest_document', {
    text: `# ${era}\n\ntext`,
    filename: 'a.md',
  });
  expect(added.structured.status).toBe('ready');
  await server.close();
  for (const line of server.child.stdout) expect(() => JSON.parse(line)).not.toThrow();
});

test('the client of the older SDK', async () => {
  const client = new ClientV1({ name: 'v1', version: '0.0.0' });
  const transport = new StdioClientTransport({
    ...{ command: process.execPath, args: [`${repository}dist/index.js`], stderr: 'ignore' as const },
    env: { ...backend.env },
  });
  await client.connect(transport);
  expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual([...four].sort());
  const answer = await succeed(client, 'query', { query: 'what does the stove burn', document_id: stove });
  expect(answer.text).toContain('birch');
  const listed = await succeed(client, 'list_documents');
  expect(rows(listed, 'documents').length).toBeGreaterThan(0);
  await client.close();
});

test('progress arrives while a document is being processed', async () => {
  const server = await spawnServer({ env: { ...backend.env, VECTORLESS_INGEST_WAIT: '20' } });
  backend.fake.behaviour.lifecycle = { polls: 3 };
  const seen: number[] = [];
  const result = await server.client.callTool(
    { name: 'vectorless_ingest_document', arguments: { text: '# Slow\n\ntext', filename: 'slow.md' } },
    { onprogress: ({ progress }) => seen.push(progress) },
  );
  backend.fake.behaviour.lifecycle = {};
  expect(result.structuredContent).toMatchObject({ status: 'ready' });
  expect(seen.length).toBeGreaterThan(0);
  expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
  await server.close();
});

test('the hosted service wants a key and nothing else', async () => {
  const hosted = await fakeBackend({ dialect: 'S', hosted: true });
  const { VECTORLESS_ORG: _, ...env } = hosted.env;
  const server = await spawnServer({ env });
  const added = await succeed(server.client, 'ingest_document', {
    text: '# A\n\nThe stove burns birch.',
    filename: 'a.md',
  });
  expect(added.structured.status).toBe('ready');
  expect((await succeed(server.client, 'query', { query: 'stove' })).text).toContain('birch');
  for (const { headers } of hosted.fake.requests()) expect(headers).not.toHaveProperty('x-vectorless-org');
  await server.close();
  await hosted.close();
});
