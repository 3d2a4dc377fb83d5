/** Every way the upstream can fail: a sentence for the agent with what to do next, and nothing of the server's inside. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SpawnedServer, spawnServer } from '../support/connect.ts';
import { type FailReply, rateLimited, startFakeApi } from '../support/fake-api.ts';
import { type FakeBackend, fakeBackend } from './backend.ts';
import { call } from './outcome.ts';

const keySentence = 'Your VECTORLESS_API_KEY is missing or invalid. Check your MCP config.';
const leak = 'retrieval failed: open /srv/vectorless/blobs/7f3.bin: openai: invalid key sk-abcdef123456';

let backend: FakeBackend;
let server: SpawnedServer;
beforeAll(async () => {
  backend = await fakeBackend({ dialect: 'S' });
  server = await spawnServer({ env: { ...backend.env, VECTORLESS_LOG_LEVEL: 'debug' } });
});
afterAll(async () => {
  await server?.close();
  await backend?.close();
});

const forever = Number.POSITIVE_INFINITY;

const cases: readonly (readonly [what: string, reply: FailReply, code: string, says: RegExp])[] = [
  ['401', { status: 401, body: '{"error":"invalid API key"}\n' }, 'unauthorized', /Check your MCP config/],
  ['403', { status: 403, body: { error: 'insufficient scope' } }, 'forbidden', /do not retry/i],
  ['402', { status: 402, body: { message: 'plan exhausted' } }, 'payment_required', /plan/i],
  ['404', { status: 404, body: { error: 'section not found' } }, 'not_found', /vectorless_/],
  ['429', rateLimited(7, forever), 'rate_limited', /\b7 seconds/],
  ['500', { status: 500, body: { error: leak } }, 'server_error', /request id/i],
  ['501', { status: 501, body: { error: 'not configured' } }, 'not_supported', /do not retry/i],
  ['503', { status: 503, body: '<html>busy</html>', times: forever }, 'unavailable', /try again/i],
  ['a page', { status: 200, body: '<html><p>Welcome</p></html>' }, 'bad_response', /VECTORLESS_BASE_URL/],
  ['a reset', { status: 'reset', times: forever }, 'connection', /VECTORLESS_BASE_URL|try again/i],
];

test.concurrent.each(cases)('upstream %s', { timeout: 60_000 }, async (what, reply, code, says) => {
  const id = `sec_${what.replace(' ', '_')}`;
  backend.fake.faults.fail(`GET /v1/sections/${id}`, reply);
  const outcome = await call(server.client, 'get_section', { section_id: id });
  expect(outcome).toMatchObject({ isError: true, failure: { code, tool: 'vectorless_get_section' } });
  expect(outcome.text).toMatch(says);
  expect(outcome.text).toContain('vectorless_get_section');
  const [sent] = backend.fake.requests(`GET /v1/sections/${id}`);
  expect(outcome.failure.request_id).toBe(sent?.headers['x-request-id']);
  expect(outcome.text).toContain(String(sent?.headers['x-request-id']));
  expect(outcome.text.split('\n').length).toBeLessThanOrEqual(4);
  expect(outcome.text).not.toMatch(/\/srv\/|sk-abc|openai|<html|at .*\.js:\d/);
  if (code === 'unauthorized') expect(outcome.text).toContain(keySentence);
});

test('a call of fifty documents says nothing on stderr but its own line', async () => {
  const ids = Array.from({ length: 50 }, (_, index) =>
    backend.fake.add({ content: `# Part ${index}\n\nLeave.` }),
  );
  const before = server.child.stderr.length;
  const { isError } = await call(server.client, 'query', { query: 'leave', document_ids: ids });
  expect(isError).toBe(false);
  await expect.poll(() => server.child.stderr.slice(before).join('\n')).toContain('"tool_call"');
  for (const line of server.child.stderr.slice(before)) expect(line).toMatch(/^\{"time":/);
});

test.each([
  ['413', { status: 413, body: '<html>Request Entity Too Large</html>' }, 'too_large'],
  ['415', { status: 415, body: { error: 'use multipart/form-data' } }, 'invalid_request'],
  [
    '400 over the limit',
    { status: 400, body: { error: 'invalid multipart body: http: request body too large' } },
    'too_large',
  ],
] as const)('an upload that is answered %s', async (what, reply, code) => {
  backend.fake.faults.fail('POST /v1/documents', reply);
  const outcome = await call(server.client, 'ingest_document', {
    text: `# ${what}\n\ntext`,
    filename: 'a.md',
  });
  expect(outcome).toMatchObject({ isError: true, failure: { code, request_id: expect.any(String) } });
  expect(outcome.text).toContain(String(outcome.failure.request_id));
});

test('an upload that failed in the server is sent again under another key, once it can succeed', async () => {
  backend.fake.faults.fail('POST /v1/documents', {
    status: 500,
    body: { error: 'db write failed' },
    by: 'handler',
  });
  const request = { text: '# Poison\n\nThe same bytes every time.', filename: 'poison.md' };
  const first = await call(server.client, 'ingest_document', request);
  const second = first.isError ? await call(server.client, 'ingest_document', request) : first;
  expect(second.structured).toMatchObject({ status: 'ready' });
});

test('a missing and a wrong key get the owner’s sentence first, and the tools are listed all the same', async () => {
  const { VECTORLESS_API_KEY: _, ...keyless } = backend.env;
  for (const env of [keyless, { ...keyless, VECTORLESS_API_KEY: 'vls_wrong_000000' }]) {
    const other = await spawnServer({ env });
    expect((await other.client.listTools()).tools).toHaveLength(4);
    const outcome = await call(other.client, 'list_documents');
    expect(outcome).toMatchObject({ isError: true, failure: { code: 'unauthorized' } });
    expect(outcome.text.startsWith(keySentence)).toBe(true);
    expect(outcome.text).toContain('--local');
    expect(outcome.text).not.toContain('vls_wrong');
    await other.close();
  }
});

test('a server that wants an organisation, a key over plain http and a quota that is used up say what to do', async () => {
  const { VECTORLESS_ORG: _, ...noOrganisation } = backend.env;
  const exposed = { VECTORLESS_API_KEY: 'vls_test_000000', VECTORLESS_BASE_URL: 'http://vectorless.invalid' };
  const cases = [
    [noOrganisation, 'VECTORLESS_ORG'],
    [exposed, 'VECTORLESS_ALLOW_HTTP'],
  ] as const;
  for (const [env, says] of cases) {
    const other = await spawnServer({ env });
    const outcome = await call(other.client, 'list_documents');
    expect(outcome).toMatchObject({ isError: true, failure: { code: 'invalid_request' } });
    expect(outcome.text).toContain(says);
    await other.close();
  }
  const quota = { status: 429, body: 'monthly quota exceeded', headers: { 'retry-after': '1209600' } };
  backend.fake.faults.fail('GET /v1/sections/sec_quota', quota);
  const outcome = await call(server.client, 'get_section', { section_id: 'sec_quota' });
  expect(outcome.failure).toMatchObject({ code: 'rate_limited', retry_after_seconds: 1209600 });
  expect(outcome.text).toMatch(/quota.*do not retry/i);
});

test('a certificate that nobody trusts, and a port where nobody listens', { timeout: 60_000 }, async () => {
  const secure = await startFakeApi({ dialect: 'E', tls: true });
  const cases = [
    [secure.url, 'tls', 'NODE_EXTRA_CA_CERTS'],
    ['http://127.0.0.1:1', 'connection', 'VECTORLESS_BASE_URL'],
    ['https://no-such-host.invalid', 'connection', 'VECTORLESS_BASE_URL'],
  ] as const;
  await Promise.all(
    cases.map(async ([url, code, says]) => {
      const other = await spawnServer({ env: { VECTORLESS_BASE_URL: url } });
      const outcome = await call(other.client, 'list_documents');
      expect(outcome).toMatchObject({ isError: true, failure: { code, request_id: expect.any(String) } });
      expect(outcome.text).toContain(says);
      await other.close();
    }),
  );
  await secure.close();
});
