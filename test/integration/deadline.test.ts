/** Every call answers within 50 s, wherever the upstream stalls. Everything stalls at once, so that it is waited for once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SpawnedServer, spawnServer } from '../support/connect.ts';
import { startFakeApi } from '../support/fake-api.ts';
import { type FakeBackend, fakeBackend } from './backend.ts';
import { call, type Outcome, rows } from './outcome.ts';

const manual = '# Pump\n\n## Gasket\n\nThe gasket is made of fluorosilicone.\n';

let backend: FakeBackend;
let server: SpawnedServer;
beforeAll(async () => {
  backend = await fakeBackend({ dialect: 'E' });
  server = await spawnServer({ env: { ...backend.env, VECTORLESS_INGEST_WAIT: '3' } });
});
afterAll(async () => {
  await server?.close();
  await backend?.close();
});

function answered(outcome: Outcome): void {
  expect(outcome.milliseconds).toBeLessThan(50_000);
  if (outcome.isError) expect(outcome.text).toMatch(/in time/);
}

test.concurrent('a section that stalls in its headers or its body, and a list', {
  timeout: 60_000,
}, async () => {
  backend.fake.faults.stall('GET /v1/sections/sec_headers', 'headers');
  backend.fake.faults.stall('GET /v1/sections/sec_body', 'body');
  backend.fake.faults.stall('GET /v1/documents', 'body');
  const outcomes = await Promise.all([
    call(server.client, 'get_section', { section_id: 'sec_headers' }),
    call(server.client, 'get_section', { section_id: 'sec_body' }),
    call(server.client, 'list_documents'),
  ]);
  for (const outcome of outcomes) {
    answered(outcome);
    expect(outcome).toMatchObject({ isError: true, failure: { code: 'timeout' } });
  }
});

test.concurrent('a query that stalls', { timeout: 60_000 }, async () => {
  const slow = await fakeBackend({ dialect: 'E' });
  const other = await spawnServer({ env: slow.env });
  const id = slow.fake.add({ content: manual });
  const many = Array.from({ length: 9 }, () => slow.fake.add({ content: manual }));
  slow.fake.faults.stall('POST /v1/query', 'headers');
  // Nine documents are more than one request to the server: what the other one finds is shown.
  slow.fake.faults.stall('POST /v1/query/multi', 'body', 1);
  const [one, some] = await Promise.all([
    call(other.client, 'query', { query: 'gasket', document_id: id }),
    call(other.client, 'query', { query: 'gasket', document_ids: many }),
  ]);
  answered(one);
  answered(some);
  expect(rows(some, 'sections').length).toBeGreaterThan(0);
  expect(rows(some, 'failed').length).toBeGreaterThan(0);
  await other.close();
  await slow.close();
});

test.concurrent('a tree that stalls does not hold the sections back', { timeout: 60_000 }, async () => {
  const id = backend.fake.add({ content: manual });
  backend.fake.faults.stall(`GET /v1/documents/${id}/tree`, 'headers');
  const outcome = await call(server.client, 'query', { query: 'gasket', document_id: id });
  answered(outcome);
  expect(rows(outcome, 'sections')[0]).toMatchObject({ title: 'Gasket' });
});

test.concurrent('an upload that is never read, and one that is never answered', {
  timeout: 60_000,
}, async () => {
  const slow = await fakeBackend({ dialect: 'E' });
  const other = await spawnServer({ env: { ...slow.env, VECTORLESS_INGEST_WAIT: '3' } });
  slow.fake.faults.stall('POST /v1/documents', 'upload', 1);
  slow.fake.faults.stall('POST /v1/documents', 'headers');
  const big = { text: `# Big\n\n${'word '.repeat(1_000_000)}`, filename: 'big.md' };
  const both = await Promise.all([
    call(other.client, 'ingest_document', big),
    call(other.client, 'ingest_document', { text: '# Small\n\ntext', filename: 'small.md' }),
  ]);
  for (const outcome of both) answered(outcome);
  await other.close();
  await slow.close();
});

test.concurrent('a poll that stalls still gives the id, as soon as the wait is over', {
  timeout: 60_000,
}, async () => {
  const slow = await fakeBackend({ dialect: 'E', lifecycle: { stuckIn: 'parsing' } });
  const other = await spawnServer({ env: { ...slow.env, VECTORLESS_INGEST_WAIT: '2' } });
  slow.fake.faults.stall('GET /v1/documents/*', 'headers');
  const outcome = await call(other.client, 'ingest_document', { text: '# Slow\n\ntext', filename: 'a.md' });
  expect(outcome.structured).toMatchObject({
    status: 'processing',
    document_id: expect.stringMatching(/^doc_/),
  });
  expect(outcome.milliseconds).toBeLessThan(20_000);
  slow.fake.faults.clear();
  const poll = await call(other.client, 'ingest_document', { text: '# Slow\n\ntext', filename: 'a.md' });
  expect(poll.structured).toMatchObject({
    document_id: outcome.structured.document_id,
    status: 'processing',
  });
  await other.close();
  await slow.close();
});

test.concurrent('a connection that is never served', { timeout: 60_000 }, async () => {
  const silent = await startFakeApi({ dialect: 'E' });
  silent.holdConnections();
  const other = await spawnServer({ env: { VECTORLESS_BASE_URL: silent.url } });
  answered(await call(other.client, 'list_documents'));
  await other.close();
  await silent.close();
});
