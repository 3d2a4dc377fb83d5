import { Vectorless, VectorlessError } from '@vectorless/sdk';
import { describe, expect, it } from 'vitest';
import { parseRetryAfter, retryDelay } from '../src/retry.ts';
import { failureOf } from './support/failure.ts';
import { json, plain, reset, type Step, serve } from './support/server.ts';

const document = { id: 'doc_1', status: 'ready' };
const file = { content: 'hello', filename: 'a.txt', contentType: 'text/plain' };
const receipt = json({ document_id: 'doc_1', status: 'pending' }, 202);
const cut: Step = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
  response.write('{"id":');
  setTimeout(() => response.destroy(), 10);
};

const clientOf = (baseUrl: string) => new Vectorless({ baseUrl });

describe('a read', () => {
  it.each([
    ['429', json({ error: 'slow down' }, 429)],
    ['502', plain('bad gateway', 502)],
    ['503', json({ error: 'busy' }, 503)],
    ['504', plain('', 504)],
    ['a reset', reset],
    ['an answer that is cut off', cut],
  ])('is tried again after %s, under the same request id', async (_what, step) => {
    const api = await serve(step, json(document));
    await expect(clientOf(api.url).documents.get('doc_1')).resolves.toMatchObject({ id: 'doc_1' });
    expect(api.seen).toHaveLength(2);
    expect(new Set(api.seen.map(({ headers }) => headers['x-request-id'])).size).toBe(1);
  });

  it.each([
    ['500', json({ error: 'context deadline exceeded' }, 500)],
    ['500 without a reason', plain('', 500)],
    ['501', json({ error: 'no' }, 501)],
    ['503 for a thing that is not there', json({ error: 'no retrieval strategy configured' }, 503)],
    ['404', json({ error: 'document not found' }, 404)],
    ['401', plain('{"error":"invalid API key"}', 401)],
  ])('is not tried again after %s', async (_what, step) => {
    const api = await serve(step);
    await failureOf(clientOf(api.url).documents.get('doc_1'));
    expect(api.seen).toHaveLength(1);
  });

  it('gives up after maxRetries with the last error', async () => {
    const api = await serve(json({ error: 'busy' }, 503));
    const failure = await failureOf(new Vectorless({ baseUrl: api.url, maxRetries: 1 }).documents.list());
    expect(failure).toMatchObject({ code: 'unavailable', status: 503 });
    expect(api.seen).toHaveLength(2);
  });

  it('shows every answer to `onAnswer`', async () => {
    const api = await serve(json({ error: 'busy' }, 503, { 'x-node': 'a' }), json(document));
    const seen: unknown[] = [];
    const client = new Vectorless({
      baseUrl: api.url,
      onAnswer: ({ status, header }) => seen.push([status, header('x-node')]),
    });
    await client.documents.get('doc_1');
    expect(seen).toEqual([
      [503, 'a'],
      [200, undefined],
    ]);
  });

  it('is tried again when nobody listens yet', async () => {
    const gone = await serve(json(document));
    gone.server.close();
    const failure = await failureOf(clientOf(gone.url).documents.get('doc_1'));
    expect(failure).toMatchObject({ code: 'connection', message: expect.stringContaining('ECONNREFUSED') });
    expect(failure.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('a deletion', () => {
  it('is done when a second try finds nothing left', async () => {
    const api = await serve(reset, json({ error: 'document not found' }, 404));
    await expect(clientOf(api.url).documents.delete('doc_1')).resolves.toBeUndefined();
  });

  it('of what is not there fails', async () => {
    const api = await serve(json({ error: 'document not found' }, 404), (_request, response) => {
      response.writeHead(204).end();
    });
    const client = clientOf(api.url);
    expect((await failureOf(client.documents.delete('doc_1'))).code).toBe('not_found');
    await expect(client.documents.delete('doc_2')).resolves.toBeUndefined();
  });
});

describe('an upload', () => {
  it.each([json({ error: 'busy' }, 503), reset])('without a key is sent once', async (step) => {
    const api = await serve(step);
    await failureOf(clientOf(api.url).documents.ingest(file));
    expect(api.seen).toHaveLength(1);
  });

  it('with a key is sent again, whole and under the same key', async () => {
    const api = await serve(json({ error: 'busy' }, 503), reset, receipt);
    await clientOf(api.url).documents.ingest({ ...file, idempotencyKey: 'key-1' });
    expect(api.seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['key-1', 'key-1', 'key-1']);
    expect(api.seen[2]?.body.equals(api.seen[0]?.body ?? Buffer.alloc(0))).toBe(true);
  });

  it('is not tried again on a replayed error: the key can never succeed there', async () => {
    const api = await serve(plain('{"error":"busy"}', 503, { 'x-idempotency-replayed': 'true' }));
    const failure = await failureOf(clientOf(api.url).documents.ingest({ ...file, idempotencyKey: 'key-1' }));
    expect(failure.replayed).toBe(true);
    expect(api.seen).toHaveLength(1);
  });

  it('reads a replayed receipt, which is JSON sent as text', async () => {
    const body = '{"document_id":"doc_1","status":"pending"}\n';
    const api = await serve(plain(body, 202, { 'x-idempotency-replayed': 'true' }), receipt);
    const client = clientOf(api.url);
    const replay = await client.documents.ingest({ ...file, idempotencyKey: 'k' });
    expect(replay).toEqual({ documentId: 'doc_1', status: 'pending', replayed: true });
    expect((await client.documents.ingest(file)).replayed).toBe(false);
  });

  it('of a one-shot stream is not sent again once it has been read', async () => {
    const api = await serve(json({ error: 'busy' }, 503));
    const content = new Blob(['hello']).stream();
    const upload = { ...file, content, idempotencyKey: 'key-1' };
    expect((await failureOf(clientOf(api.url).documents.ingest(upload))).code).toBe('unavailable');
    expect(api.seen).toHaveLength(1);
  });

  it('of a one-shot stream is sent again while nobody has taken any of it', async () => {
    const api = await serve(receipt);
    api.server.close();
    setTimeout(() => api.server.listen(api.port, '127.0.0.1'), 200);
    const client = new Vectorless({ baseUrl: api.url, maxRetries: 20 });
    const content = new Blob(['hello']).stream();
    await client.documents.ingest({ ...file, content, idempotencyKey: 'key-1' });
    expect(api.seen[0]?.body.toString()).toContain('hello');
  });
});

describe('a question', () => {
  const ask = { documentId: 'doc_1', query: 'q' };

  it.each([429, 502, 503, 504])('is asked again after %i', async (status) => {
    const api = await serve(json({ error: 'x' }, status), json({ sections: [] }));
    await clientOf(api.url).query(ask);
    expect(api.seen).toHaveLength(2);
  });

  it('that may have cost money already is not', async () => {
    const api = await serve(reset);
    const client = clientOf(api.url);
    expect((await failureOf(client.query(ask))).code).toBe('connection');
    expect((await failureOf(client.answer(ask))).code).toBe('connection');
    expect(api.seen).toHaveLength(2);
  });

  it('that ran into the server’s own deadline is not', async () => {
    const api = await serve(json({ error: 'retrieval failed: context deadline exceeded' }, 500));
    expect(await failureOf(clientOf(api.url).answer(ask))).toMatchObject({ code: 'timeout', status: 500 });
    expect(api.seen).toHaveLength(1);
  });
});

describe('Retry-After', () => {
  it('is a floor', async () => {
    const api = await serve(
      plain('{"error":"rate limit exceeded"}', 429, { 'retry-after': '1' }),
      json(document),
    );
    const began = performance.now();
    await clientOf(api.url).documents.get('doc_1');
    expect(performance.now() - began).toBeGreaterThan(990);
  });

  it('that passes the deadline fails at once, and is told', async () => {
    const api = await serve(json({ error: 'rate limit exceeded' }, 429, { 'retry-after': '9' }));
    const began = performance.now();
    const failure = await failureOf(clientOf(api.url).documents.get('doc_1', { timeoutMs: 8_000 }));
    expect(failure).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 9 });
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it.each([
    ['7', 7],
    ['0', 0],
    ['1.5', 2],
    ['soon', undefined],
    ['NaN', undefined],
    ['p:1', undefined],
    ['-3', undefined],
    ['', undefined],
    [undefined, undefined],
    ['Thu, 01 Jan 1970 00:01:30 GMT', 80],
    ['Thu, 01 Jan 1970 00:00:05 GMT', 0],
  ])('reads %j as %j seconds', (value, seconds) => {
    expect(parseRetryAfter(value, 10_000)).toBe(seconds);
  });

  it('of some seconds is obeyed once and then told: somebody is waiting', () => {
    const failure = new VectorlessError({ code: 'rate_limited', message: '', retryAfterSeconds: 7 });
    const [soonest, latest] = [0, 1].map((luck) => retryDelay(failure, 'safe', 0, 0, () => luck));
    expect([soonest, latest]).toEqual([7000, 8000]);
    expect(retryDelay(failure, 'safe', 1, 7000)).toBeUndefined();
    const longer = new VectorlessError({ code: 'rate_limited', message: '', retryAfterSeconds: 20 });
    expect(retryDelay(longer, 'safe', 0, 0)).toBeUndefined();
  });

  it('is added up over the tries of a call', async () => {
    const api = await serve(json({ error: 'rate limit exceeded' }, 429, { 'retry-after': '6' }));
    const failure = await failureOf(clientOf(api.url).documents.get('doc_1', { timeoutMs: 60_000 }));
    expect(failure).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 6 });
    expect(api.seen).toHaveLength(2);
  });

  it('weeks ahead is told, not obeyed', () => {
    const failure = new VectorlessError({ code: 'rate_limited', message: '', retryAfterSeconds: 2_592_000 });
    expect(retryDelay(failure, 'safe', 0, 0)).toBeUndefined();
  });
});

it('waits longer each time, up to a cap, anywhere within', () => {
  const failure = new VectorlessError({ code: 'unavailable', message: '' });
  const highest = [0, 1, 2, 10].map((attempt) => retryDelay(failure, 'safe', attempt, 0, () => 1));
  expect(highest).toEqual([250, 500, 1000, 8000]);
  expect(retryDelay(failure, 'safe', 3, 0, () => 0)).toBe(0);
  const limited = new VectorlessError({ code: 'rate_limited', message: '', retryAfterSeconds: 1 });
  expect([0, 1].map((attempt) => retryDelay(limited, 'safe', attempt, 0, () => 1))).toEqual([2000, 3000]);
});
