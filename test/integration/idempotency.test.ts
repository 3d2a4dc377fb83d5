/** The same bytes and name are the same document, whatever happened to them before. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SpawnedServer, spawnServer } from '../support/connect.ts';
import { type FakeBackend, fakeBackend, localBackend } from './backend.ts';
import { call, rows, succeed } from './outcome.ts';

const file = () => ({ text: `# Note ${randomUUID()}\n\nThe gasket is green.\n`, filename: 'note.md' });
const posts = 'POST /v1/documents';

describe.each(['S', 'E'] as const)('dialect %s', (dialect) => {
  let backend: FakeBackend;
  let server: SpawnedServer;
  beforeAll(async () => {
    backend = await fakeBackend({ dialect });
    server = await spawnServer({ env: { ...backend.env, VECTORLESS_TOOLS: 'all' } });
  });
  afterAll(async () => {
    await server?.close();
    await backend?.close();
  });

  const ingest = (args: object) => succeed(server.client, 'ingest_document', { ...args });

  async function documentsLike(text: string): Promise<number> {
    const title = text.split('\n')[0]?.slice(2);
    const listed = await succeed(server.client, 'list_documents', { title_contains: title });
    return rows(listed, 'documents').length;
  }

  test('a deleted document is ingested anew, and then found again', async () => {
    const note = file();
    const first = await ingest(note);
    const args = { document_id: first.structured.document_id };
    await server.client.callTool({ name: 'vectorless_delete_document', arguments: args });
    const second = await ingest(note);
    expect(second.structured).toMatchObject({ status: 'ready' });
    expect(second.structured.document_id).not.toBe(first.structured.document_id);
    const third = await ingest(note);
    expect(third.structured.document_id).toBe(second.structured.document_id);
    expect(await documentsLike(note.text)).toBe(1);
  });

  test('an upload that was cancelled halfway does not poison its file', async () => {
    const note = { ...file(), filename: 'long.md' };
    note.text += 'word '.repeat(200_000);
    const end = backend.fake.faults.stall(posts, 'trickle', 1);
    const controller = new AbortController();
    const before = backend.fake.requests(posts).length;
    const params = { name: 'vectorless_ingest_document', arguments: note };
    const cancelled = server.client.callTool(params, { signal: controller.signal }).catch(() => 'cancelled');
    while (backend.fake.requests(posts).length === before) await sleep(10);
    const upload = backend.fake.requests(posts)[before];
    controller.abort();
    expect(await cancelled).toBe('cancelled');
    await upload?.ended;
    expect(upload?.aborted).toBe(true);
    end();
    // What the multi-tenant server remembers of a body that broke off.
    backend.fake.faults.fail(posts, {
      ...{ status: 400, body: { error: 'invalid multipart body: unexpected EOF' }, by: 'handler' },
    });
    await call(server.client, 'ingest_document', note);
    expect((await ingest(note)).structured).toMatchObject({ status: 'ready' });
    expect(await documentsLike(note.text)).toBe(1);
  });

  test('an answer that got lost is asked for again, without a second copy', async () => {
    const note = file();
    backend.fake.faults.fail(posts, { status: 'reset', by: 'after' });
    expect((await ingest(note)).structured).toMatchObject({ status: 'ready' });
    expect(await documentsLike(note.text)).toBe(1);
  });

  test('a gateway that is busy for a moment is not noticed', async () => {
    backend.fake.faults.fail(posts, { status: 503, body: '<html>busy</html>' });
    expect((await ingest(file())).structured).toMatchObject({ status: 'ready' });
  });

  test('eight at once, from two processes, make one document', async () => {
    const note = file();
    const other = await spawnServer({ env: backend.env });
    const clients = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? server : other).client);
    const outcomes = await Promise.all(clients.map((client) => succeed(client, 'ingest_document', note)));
    expect(new Set(outcomes.map(({ structured }) => structured.document_id)).size).toBe(1);
    expect(await documentsLike(note.text)).toBe(1);
    await other.close();
  });

  test('a document that failed says why, and starts afresh when told to', async () => {
    const note = file();
    const first = await ingest(note);
    const id = String(first.structured.document_id);
    backend.fake.setStatus(id, 'failed', 'parse: markdown: out of memory');
    const again = await ingest(note);
    expect(again.structured).toMatchObject({ document_id: id, status: 'failed' });
    expect(again.structured.error).toContain('out of memory');
    const retried = await ingest({ ...note, retry: true });
    expect(retried.structured).toMatchObject({ status: 'ready' });
    expect(retried.structured.document_id).not.toBe(id);
    expect((await ingest(note)).structured.document_id).toBe(retried.structured.document_id);
  });
});

test('two processes on one folder of the embedded engine make one document', async () => {
  const backend = await localBackend();
  const options = { env: backend.env, args: backend.args };
  const servers = await Promise.all([spawnServer(options), spawnServer(options)]);
  const note = file();
  const calls = [0, 1, 0, 1, 0, 1].map((index) =>
    succeed((servers[index] as SpawnedServer).client, 'ingest_document', note),
  );
  const ids = new Set((await Promise.all(calls)).map(({ structured }) => structured.document_id));
  expect(ids.size).toBe(1);
  for (const { client } of servers) {
    expect(rows(await succeed(client, 'list_documents'), 'documents')).toHaveLength(1);
    const found = await succeed(client, 'query', { query: 'which colour is the gasket' });
    expect(found.text).toContain('green');
  }
  await Promise.all(servers.map((server) => server.close()));
  await backend.close();
});
