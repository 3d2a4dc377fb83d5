import { McpServer } from '@modelcontextprotocol/server';
import { afterEach, expect, test } from 'vitest';
import { connectFactory, connectInMemory } from './connect.ts';
import { type FakeApi, type FakeApiOptions, rateLimited, startFakeApi, testOrg } from './fake-api.ts';

let fake: FakeApi;
afterEach(() => fake?.close());

async function start(options: FakeApiOptions) {
  fake = await startFakeApi(options);
  return (method: string, path: string, init: RequestInit = {}) =>
    fetch(`${fake.url}${path}`, {
      ...{ method, signal: AbortSignal.timeout(2000), ...init },
      headers: { 'x-vectorless-org': testOrg, ...init.headers },
    });
}

const fields = async (response: Response) => (await response.json()) as Record<string, unknown>;

const upload = (key: string, content = '# A\n\nbody') => ({
  headers: { 'idempotency-key': key, 'content-type': 'application/json' },
  body: JSON.stringify({ content, filename: 'a.md' }),
});

test('a failure of the server itself is remembered under its key and replayed as plain text, on S alone', async () => {
  for (const dialect of ['S', 'E'] as const) {
    const call = await start({ dialect });
    fake.faults.fail('POST /v1/documents', { status: 500, body: { error: 'enqueue failed' }, by: 'handler' });
    expect((await call('POST', '/v1/documents', upload('k1'))).status).toBe(500);
    const again = await call('POST', '/v1/documents', upload('k1'));
    expect(again.status).toBe(dialect === 'S' ? 500 : 202);
    expect(again.headers.get('x-idempotency-replayed')).toBe(dialect === 'S' ? 'true' : null);
    expect(again.headers.get('content-type')).toMatch(dialect === 'S' ? /^text\/plain/ : /json/);
    expect((await call('POST', '/v1/documents', upload('k2'))).status).toBe(202);
    await fake.close();
  }
});

test('a gateway failure never reaches the server; one after the fact has acted', async () => {
  const call = await start({ dialect: 'S' });
  fake.faults.fail('POST /v1/documents', { status: 503, body: 'busy' });
  expect((await call('POST', '/v1/documents', upload('k'))).status).toBe(503);
  fake.faults.fail('POST /v1/documents', { status: 502, body: 'gone', by: 'after' });
  expect((await call('POST', '/v1/documents', upload('k'))).status).toBe(502);
  const receipt = await fields(await call('POST', '/v1/documents', upload('k')));
  expect(receipt).toMatchObject({ status: 'pending' });
  const list = await (await call('GET', '/v1/documents')).json();
  expect(list).toMatchObject({ items: [{ id: receipt.document_id }], has_more: false, next_cursor: null });
});

test('stalls hold exactly the part they name, and an abort is recorded at once', async () => {
  const call = await start({ dialect: 'E' });
  fake.faults.stall('GET /v1/health', 'headers', 1);
  const controller = new AbortController();
  const stalled = call('GET', '/v1/health', { signal: controller.signal });
  const seen = await fake.sees('GET /v1/health');
  controller.abort();
  await expect(stalled).rejects.toThrow();
  await seen.ended;
  expect(seen).toMatchObject({ aborted: true });
  fake.faults.stall('GET /v1/version', 'body', 1);
  const half = await call('GET', '/v1/version', { signal: AbortSignal.timeout(300) });
  expect(half.status).toBe(200);
  await expect(half.text()).rejects.toThrow();
  expect(await (await call('GET', '/v1/version')).json()).toEqual({ version: 'dev' });
});

test('held connections are not served until they are released', async () => {
  const call = await start({ dialect: 'E' });
  const release = fake.holdConnections();
  await expect(call('GET', '/v1/health', { signal: AbortSignal.timeout(200) })).rejects.toThrow();
  expect(fake.requests()).toHaveLength(0);
  release();
  expect((await call('GET', '/v1/health')).status).toBe(200);
});

test('an upload over the limit of S is answered, and a reset is a reset', async () => {
  const call = await start({ dialect: 'S', maxBodyBytes: 1000 });
  const large = await call('POST', '/v1/documents', upload('k', 'x'.repeat(200_000)));
  expect(await large.json()).toEqual({ error: 'invalid json: http: request body too large' });
  fake.faults.fail('GET /v1/documents', { status: 'reset' });
  await expect(call('GET', '/v1/documents')).rejects.toThrow('fetch failed');
});

test('a document walks through its states by polls, and a rate limit looks like the real one', async () => {
  const call = await start({ dialect: 'S', lifecycle: { polls: 3 } });
  const { document_id } = await fields(await call('POST', '/v1/documents', upload('k')));
  const states: string[] = [];
  for (let poll = 0; poll < 4; poll += 1) {
    states.push(String((await fields(await call('GET', `/v1/documents/${document_id}`))).status));
  }
  expect(states).toEqual(['pending', 'parsing', 'summarizing', 'ready']);
  fake.faults.fail('**', rateLimited(7));
  const limited = await call('GET', '/v1/documents');
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
  expect(await limited.text()).toBe('{"error":"rate limit exceeded"}\n');
});

test('clients of both eras connect in memory', async () => {
  const create = () => {
    const server = new McpServer({ name: 'probe', version: '1.0.0' });
    server.registerTool('ping', {}, () => ({ content: [{ type: 'text', text: 'pong' }] }));
    return server;
  };
  const clients = [
    await connectInMemory(create()),
    await connectFactory(create),
    await connectFactory(create, 'modern'),
  ];
  expect(clients.map((client) => client.getProtocolEra())).toEqual(['legacy', 'legacy', 'modern']);
  for (const client of clients) {
    expect(await client.callTool({ name: 'ping' })).toMatchObject({ content: [{ text: 'pong' }] });
    await client.close();
  }
});
