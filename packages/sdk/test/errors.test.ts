import { Vectorless } from '@vectorless/sdk';
import { expect, it } from 'vitest';
import { failureOf } from './support/failure.ts';
import { json, plain, type Step, serve } from './support/server.ts';

const get = async (...steps: Step[]) => {
  const api = await serve(...steps);
  const client = new Vectorless({ baseUrl: api.url, maxRetries: 0 });
  return { failure: await failureOf(client.documents.get('doc_1')), seen: api.seen };
};

it.each([
  [400, 'invalid_request'],
  [401, 'unauthorized'],
  [402, 'payment_required'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [405, 'invalid_request'],
  [409, 'conflict'],
  [413, 'too_large'],
  [415, 'invalid_request'],
  [418, 'invalid_request'],
  [422, 'invalid_request'],
  [429, 'rate_limited'],
  [500, 'server_error'],
  [501, 'not_supported'],
  [502, 'unavailable'],
  [503, 'unavailable'],
  [504, 'unavailable'],
  [507, 'server_error'],
])('maps status %i to %s', async (status, code) => {
  const { failure } = await get(json({ error: 'it says so' }, status));
  expect(failure).toMatchObject({ name: 'VectorlessError', code, status, documentId: 'doc_1' });
  expect(failure.message).toContain('it says so');
});

it.each([
  ['text sent as JSON', '{"error":"db: gone"}', 'db: gone'],
  ['details', '{"error":"input mismatch","details":"query differs"}', 'input mismatch: query differs'],
  ['OAuth', '{"error":"invalid_token","error_description":"expired"}', 'invalid_token: expired'],
  ['a message beside a code', '{"error":"quota","message":"used up"}', 'quota: used up'],
  ['a nested error', '{"error":{"code":"x","message":"nested"}}', 'nested'],
  ['Connect', '{"code":"internal","message":"broken"}', 'broken'],
  ['plain text', 'method not allowed', 'method not allowed'],
  ['a JSON string', '"just text"', 'just text'],
])('reads the reason from %s', async (_shape, body, reason) => {
  const { failure } = await get(plain(body, 500));
  expect(failure.message).toBe(`The server answered 500: ${reason}`);
});

it('survives an empty body, an array and a body of another type', async () => {
  expect((await get(plain('', 500))).failure).toMatchObject({ code: 'server_error', status: 500 });
  expect((await get(plain('[1]', 500))).failure.message).toContain('[1]');
  expect((await get(plain('{"error":7}', 500))).failure.message).toContain('{"error":7}');
});

it('bounds what it keeps of a huge error body', async () => {
  const { failure } = await get(plain('x'.repeat(3_000_000), 500));
  expect(failure.message.length).toBeLessThan(600);
});

it('reads a 401 that is JSON sent as text', async () => {
  const { failure } = await get(plain('{"error":"invalid API key"}\n', 401));
  expect(failure).toMatchObject({
    code: 'unauthorized',
    message: 'The server answered 401: invalid API key',
  });
});

it.each([
  [400, '{"error":"invalid multipart body: http: request body too large"}', 'too_large'],
  [400, '{"error":"invalid json: http: request body too large"}', 'too_large'],
  [500, '{"error":"multi-doc retrieval failed: load tree doc_x: db: not found"}', 'not_found'],
  [500, '{"error":"retrieval failed: context deadline exceeded"}', 'timeout'],
  [503, '{"error":"no retrieval strategy configured"}', 'not_supported'],
  [500, '{"error":"streaming requires http.Flusher; response writer does not support it"}', 'not_supported'],
  [404, '404 page not found\n', 'not_supported'],
  [404, '{"error":"document not found"}', 'not_found'],
])('tells apart by the sentence: %i %s is %s', async (status, body, code) => {
  expect((await get(plain(body, status))).failure.code).toBe(code);
});

it.each([
  [200, 'bad_response'],
  [404, 'bad_response'],
  [400, 'bad_response'],
  [403, 'forbidden'],
  [502, 'unavailable'],
  [503, 'unavailable'],
])('calls a web page with status %i %s and does not quote it', async (status, code) => {
  const page = '<!DOCTYPE html><html><body>secret gateway</body></html>';
  const { failure } = await get(plain(page, status, { 'content-type': 'text/html' }));
  expect(failure.code).toBe(code);
  expect(failure.message).not.toContain('secret');
});

it('names the ports of the all-in-one image when it meets its viewer', async () => {
  const { failure } = await get(plain('<html>', 200, { 'content-type': 'text/html' }));
  expect(failure.message).toMatch(/7654.*8080/);
});

it.each([
  ['cut JSON', '{"id": "doc_1", '],
  ['no JSON', 'ok'],
  ['another kind of value', '[]'],
  ['missing fields', '{"status":"ready"}'],
])('refuses a success with %s as a bad response', async (_what, body) => {
  const { failure } = await get(plain(body));
  expect(failure.code).toBe('bad_response');
  // It may be a document's text.
  expect(failure.message + String(failure.cause)).not.toContain('doc_1');
});

it('carries the request id that it sent, or the one that the server gave', async () => {
  const { failure, seen } = await get(json({ error: 'no' }, 404));
  expect(failure.requestId).toBe(seen[0]?.headers['x-request-id']);
  expect((await get(json({ error: 'no' }, 404, { 'x-request-id': 'theirs' }))).failure.requestId).toBe(
    'theirs',
  );
  expect((await get(plain('{', 200, { 'x-request-id': 'theirs' }))).failure.requestId).toBe('theirs');
});

it('marks an error that was replayed', async () => {
  expect(
    (await get(plain('{"error":"x"}', 400, { 'x-idempotency-replayed': 'true' }))).failure.replayed,
  ).toBe(true);
  expect((await get(plain('{"error":"x"}', 400))).failure.replayed).toBe(false);
});

it('does not follow a redirect, and says where it points', async () => {
  const other = await serve(json({}));
  const { failure } = await get(plain('', 302, { location: `${other.url}/v1/documents?key=1` }));
  expect(failure).toMatchObject({ code: 'bad_response', status: 302 });
  expect(failure.message).toContain(`${other.url}/v1/documents;`);
  expect(other.seen).toEqual([]);
});

it('bounds a success body', async () => {
  const block = Buffer.alloc(1 << 20, ' ');
  const { failure } = await get((_request, response) => {
    response.on('error', () => {});
    const more = () => {
      while (!response.destroyed && response.write(block));
    };
    response.on('drain', more);
    more();
  });
  expect(failure).toMatchObject({ code: 'bad_response', message: expect.stringContaining('longer than') });
});
