/** What the server keeps to itself: documents outside of its view, and everything private in its logs. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { spawnServer } from '../support/connect.ts';
import { fakeBackend, localBackend, testKey } from './backend.ts';
import { call, rows, succeed } from './outcome.ts';

const page = (title: string, text: string) => `# ${title}\n\n${text}\n`;

test.each(['S', 'E'] as const)(
  'a view of fixed documents shows nothing else, dialect %s',
  async (dialect) => {
    const { fake, env, close } = await fakeBackend({ dialect });
    const [a, b] = [
      fake.add({ content: page('Alpha', 'The gasket is green.') }),
      fake.add({ content: page('Beta', 'The gasket is blue.') }),
    ];
    const secret = fake.add({ content: page('Secret', 'The gasket is red.') });
    const server = await spawnServer({ env: { ...env, VECTORLESS_DEFAULT_DOCS: `${a}, ${b}` } });
    const { tools } = await server.client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('vectorless_ingest_document');
    const ids = rows(await succeed(server.client, 'list_documents'), 'documents').map(
      (row) => row.document_id,
    );
    expect(ids.sort()).toEqual([a, b].sort());
    const named = await succeed(server.client, 'list_documents', { document_ids: [secret, a] });
    expect(rows(named, 'documents').map((row) => row.document_id)).toEqual([a]);
    const unnamed = await succeed(server.client, 'query', { query: 'which colour is the gasket' });
    expect(new Set(rows(unnamed, 'sections').map((row) => row.document_id))).toEqual(new Set([a, b]));
    for (const args of [{ document_id: secret }, { document_ids: [secret, a] }, { document_id: 'Secret' }]) {
      const outcome = await call(server.client, 'query', { query: 'gasket', ...args });
      expect(outcome.text).not.toContain('red');
      expect(JSON.stringify(outcome.structured)).not.toContain('red');
    }
    const [section] = fake.sectionsOf(secret);
    const read = await call(server.client, 'get_section', { section_id: section?.id });
    expect(read.isError).toBe(true);
    expect(read.text).not.toMatch(/red|Secret/);
    const ingest = server.client.callTool({
      name: 'vectorless_ingest_document',
      arguments: { text: 'x', filename: 'a.md' },
    });
    expect(
      await ingest.then(
        ({ isError }) => isError ?? false,
        () => true,
      ),
    ).toBe(true);
    const reached = fake.requests().filter(({ method, path, body }) => {
      return method === 'POST' ? path === '/v1/documents' || body.includes(secret) : path.includes(secret);
    });
    expect(reached).toEqual([]);
    await server.close();
    await close();
  },
);

test('neither do its resources, completions and optional tools', async () => {
  const { fake, env, close } = await fakeBackend({ dialect: 'S' });
  const shown = fake.add({ content: page('Alpha', 'The gasket is green.') });
  const secret = fake.add({ content: page('Secret', 'The gasket is red.') });
  const hidden = fake.sectionsOf(secret)[0]?.id ?? '';
  const settings = { VECTORLESS_DEFAULT_DOCS: shown, VECTORLESS_TOOLS: 'all' };
  const { client, ...server } = await spawnServer({ env: { ...env, ...settings } });
  const told: unknown[] = [await client.listResources()];
  const list = await client.readResource({ uri: 'vectorless://documents' });
  told.push(list);
  expect(JSON.stringify(list)).toContain(shown);
  for (const uri of [secret, `${secret}/sections/${hidden}`, `${shown}/sections/${hidden}`]) {
    const reading = client.readResource({ uri: `vectorless://documents/${uri}` });
    told.push(await reading.then(JSON.stringify, () => 'refused'));
  }
  expect(told.slice(-3)).toEqual(['refused', 'refused', 'refused']);
  const template = 'vectorless://documents/{document_id}';
  const ref = { type: 'ref/resource' as const, uri: template };
  told.push(await client.complete({ ref, argument: { name: 'document_id', value: 'doc_' } }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('vectorless_delete_document');
  for (const { name } of tools) {
    const args = { document_id: secret, document_ids: [secret], section_id: hidden, query: 'gasket' };
    told.push(await client.callTool({ name, arguments: args }).catch(String));
  }
  expect(JSON.stringify(told)).not.toMatch(/\bred\b|"Secret/);
  expect(fake.requests(`* /v1/documents/${secret}**`)).toEqual([]);
  await server.close();
  await close();
});

test.each([
  ['a server', () => fakeBackend({ dialect: 'S', lifecycle: { polls: 1 } })],
  ['the embedded engine', localBackend],
] as const)('logs at the loudest hold no question, text, name or key: %s', async (_name, open) => {
  const backend = await open();
  const server = await spawnServer({
    ...{ args: backend.args, env: { ...backend.env, VECTORLESS_LOG_LEVEL: 'debug' } },
  });
  const path = join(backend.folder, 'quince-marmalade.md');
  await writeFile(path, page('Loganberry', 'The persimmon was ripe. password=tamarillo'));
  const { structured } = await succeed(server.client, 'ingest_document', { path });
  await succeed(server.client, 'query', {
    query: 'was the persimmon ripe',
    document_id: structured.document_id,
  });
  await succeed(server.client, 'list_documents', { title_contains: 'loganberry' });
  await call(server.client, 'get_section', { section_id: 'sec_clementine' });
  await call(server.client, 'ingest_document', { text: 'kumquat', filename: 'physalis.exe' });
  await call(server.client, 'ingest_document', { path: '/etc/mangosteen' });
  await server.close();
  const log = server.child.stderr.join('\n');
  expect(log).not.toMatch(/persimmon|tamarillo|loganberry|quince|clementine|kumquat|physalis|mangosteen/i);
  expect(log).not.toContain(testKey);
  const entries = server.child.stderr.map((line) => JSON.parse(line) as Record<string, unknown>);
  const calls = entries.filter(({ event }) => event === 'tool_call');
  expect(calls).toHaveLength(6);
  for (const entry of calls) {
    expect(entry).toMatchObject({ time: expect.any(String), tool: expect.stringMatching(/^vectorless_/) });
    expect(entry).toMatchObject({
      request_id: expect.any(String),
      status: expect.any(String),
      ms: expect.any(Number),
    });
  }
  await backend.close();
});
