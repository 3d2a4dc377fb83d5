import { Vectorless, type VectorlessClient } from '@vectorless/sdk';
import { expect, it } from 'vitest';
import { failureOf } from './support/failure.ts';
import { json, serve } from './support/server.ts';

it.each([
  ['key', { apiKey: 'vl_secret\n' }, 'unauthorized'],
  ['key', { apiKey: 'ключ' }, 'unauthorized'],
  ['org', { org: 'a\r\nx-evil: 1' }, 'invalid_request'],
  ['store', { store: '店' }, 'invalid_request'],
])('refuses a %s that no header can carry, without quoting it', async (_name, options, code) => {
  const api = await serve(json({}));
  const failure = await failureOf(new Vectorless({ baseUrl: api.url, ...options }).health());
  expect(failure).toMatchObject({ code, requestId: expect.any(String) });
  for (const value of Object.values(options)) expect(failure.message).not.toContain(value.trim());
  expect(api.seen).toEqual([]);
});

it('refuses a bad idempotency key', async () => {
  const api = await serve(json({}));
  const document = { content: 'x', filename: 'a.txt', contentType: 'text/plain', idempotencyKey: 'a\nb' };
  const failure = await failureOf(new Vectorless({ baseUrl: api.url }).documents.ingest(document));
  expect(failure.code).toBe('invalid_request');
});

it.each(['not an address', 'ftp://host', '//host'])('refuses the base URL %s', async (baseUrl) => {
  expect((await failureOf(new Vectorless({ baseUrl }).health())).code).toBe('invalid_request');
});

it.each(['http://192.0.2.1', 'http://api.example.com:8080', 'http://127.0.0.1.example.com'])(
  'never sends a key to %s',
  async (baseUrl) => {
    const failure = await failureOf(new Vectorless({ baseUrl, apiKey: 'k' }).health());
    expect(failure).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('plain http'),
    });
  },
);

it('sends a key to plain http when it is allowed, on this machine, or to a fetch of its own', async () => {
  const api = await serve(json({}));
  await new Vectorless({ baseUrl: api.url.replace('127.0.0.1', 'localhost'), apiKey: 'k' }).health();
  const fetch = async () => Response.json({});
  await new Vectorless({ baseUrl: 'http://engine.internal', apiKey: 'k', fetch }).health();
  // 192.0.2.0/24 is reserved for documentation: reaching for it shows that nothing was refused before.
  const away = new Vectorless({ baseUrl: 'http://192.0.2.1', apiKey: 'k', allowHttp: true, timeoutMs: 50 });
  expect((await failureOf(away.health())).code).toMatch(/timeout|connection/);
});

it('is structurally a VectorlessClient, so that a plain object can stand in for it', () => {
  const client: VectorlessClient = new Vectorless();
  const fake: VectorlessClient = { ...client };
  expect(Object.keys(fake)).toContain('documents');
});

it.each(['', '.', '..'])('refuses the id "%s", which would be another path', async (id) => {
  const api = await serve(json({}));
  const client = new Vectorless({ baseUrl: api.url });
  expect((await failureOf(client.sections.get(id))).code).toBe('invalid_request');
  expect((await failureOf(client.documents.delete(id))).code).toBe('invalid_request');
  expect(api.seen).toEqual([]);
});

it('encodes ids', async () => {
  const api = await serve(json({ error: 'no' }, 404));
  const client = new Vectorless({ baseUrl: `${api.url}/engine` });
  for (const id of ['a/../b?c#d', 'ä %2f', '\ud800']) await failureOf(client.documents.tree(id));
  expect(api.seen.map(({ path }) => path)).toEqual([
    '/engine/v1/documents/a%2F..%2Fb%3Fc%23d/tree',
    '/engine/v1/documents/%C3%A4%20%252f/tree',
    '/engine/v1/documents/%EF%BF%BD/tree',
  ]);
});
