import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { Vectorless } from '@vectorless/sdk';
import { beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from './support/failure.ts';
import { allOver, json, listen, type Step, serve, stall, until } from './support/server.ts';

const liveness = 5_000;
const midBody: Step = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"id":');
};
/** Takes the connection and reads nothing until told: only then can this side notice that the other is gone. */
function neverReads() {
  const requests: IncomingMessage[] = [];
  const step: Step = (request) => void requests.push(request.pause());
  return { step, resume: () => requests.map((request) => request.resume()) };
}
const endless = () =>
  new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });

// The first call of a process loads undici, which takes its time on a busy machine.
beforeAll(() => new Vectorless({ baseUrl: 'http://127.0.0.1:1', maxRetries: 0 }).health().catch(() => {}));

describe('the deadline of a call ends', () => {
  it.each([
    ['a stall before the headers', stall],
    ['a stall within the body', midBody],
  ])('%s, and frees the connection', async (_what, step) => {
    const api = await serve(step);
    const began = performance.now();
    const failure = await failureOf(
      new Vectorless({ baseUrl: api.url }).documents.get('doc_1', { timeoutMs: 1_000 }),
    );
    expect(failure).toMatchObject({ code: 'timeout', documentId: 'doc_1' });
    expect(failure.requestId).toBe(api.seen[0]?.headers['x-request-id']);
    expect(performance.now() - began).toBeLessThan(liveness);
    await until(() => allOver(api), 'connection closed');
    expect(api.seen).toHaveLength(1);
  });

  it('an upload that nobody reads', async () => {
    const { step, resume } = neverReads();
    const api = await serve(step);
    const content = new Uint8Array(30 << 20);
    const upload = { content, filename: 'a.pdf', contentType: 'application/pdf', idempotencyKey: 'k' };
    const failure = await failureOf(
      new Vectorless({ baseUrl: api.url }).documents.ingest(upload, { timeoutMs: 1_000 }),
    );
    expect(failure.code).toBe('timeout');
    resume();
    await until(() => allOver(api), 'connection closed');
  });

  it('the retries with it', async () => {
    const api = await serve(json({ error: 'busy' }, 503), stall);
    const failure = await failureOf(
      new Vectorless({ baseUrl: api.url, timeoutMs: 1_000, maxRetries: 50 }).documents.get('doc_1'),
    );
    expect(failure.code).toBe('timeout');
    expect(api.seen).toHaveLength(2);
  });

  it('a connection that is taken and never spoken on', async () => {
    const port = await listen(createServer());
    const client = new Vectorless({ baseUrl: `https://localhost:${port}`, timeoutMs: 1_000 });
    const began = performance.now();
    expect((await failureOf(client.health())).code).toBe('timeout');
    expect(performance.now() - began).toBeLessThan(liveness);
  });

  it('the reading of a source', async () => {
    const api = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' });
      response.write('%PDF');
    });
    const client = new Vectorless({ baseUrl: api.url });
    const response = await client.documents.source('doc_1', { timeoutMs: 1_000 });
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect((await failureOf(response.arrayBuffer())).code).toBe('timeout');
    await until(() => allOver(api), 'connection closed');
  });
});

describe('the caller’s signal', () => {
  it('that has aborted before sends nothing', async () => {
    const api = await serve(json({}));
    const reason = new Error('enough');
    const failure = await failureOf(
      new Vectorless({ baseUrl: api.url }).health({ signal: AbortSignal.abort(reason) }),
    );
    expect(failure).toMatchObject({ code: 'aborted', cause: reason });
    expect(api.seen).toEqual([]);
  });

  it.each([
    ['before the headers', stall],
    ['within the body', midBody],
  ])('frees the connection at once when it aborts %s', async (_what, step) => {
    const api = await serve(step);
    const controller = new AbortController();
    const call = failureOf(
      new Vectorless({ baseUrl: api.url }).documents.get('doc_1', { signal: controller.signal }),
    );
    await until(() => api.seen.length === 1, 'request seen');
    await new Promise((resolve) => setTimeout(resolve, 50));
    controller.abort();
    expect((await call).code).toBe('aborted');
    await until(() => allOver(api), 'connection closed', 2_000);
  });

  it('ends an upload and lets go of its source', async () => {
    const { step, resume } = neverReads();
    const api = await serve(step);
    const controller = new AbortController();
    let cancelled = false;
    const content = new ReadableStream<Uint8Array>({
      pull: () => new Promise(() => {}),
      cancel: () => {
        cancelled = true;
      },
    });
    const client = new Vectorless({ baseUrl: api.url });
    const upload = (body: ReadableStream<Uint8Array>) =>
      failureOf(
        client.documents.ingest(
          { content: body, filename: 'a.pdf', contentType: 'application/pdf' },
          { signal: controller.signal },
        ),
      );
    const calls = [upload(content), upload(endless())];
    await until(() => api.seen.length === 2, 'uploads begun');
    controller.abort();
    for (const failure of await Promise.all(calls)) expect(failure.code).toBe('aborted');
    resume();
    await until(() => allOver(api) && cancelled, 'all let go', 2_000);
  });

  it('ends the wait between two tries', async () => {
    const api = await serve(json({ error: 'limit' }, 429, { 'retry-after': '9' }));
    const controller = new AbortController();
    const call = failureOf(
      new Vectorless({ baseUrl: api.url, timeoutMs: 60_000 }).health({ signal: controller.signal }),
    );
    await until(() => api.seen.length === 1, 'request seen');
    await new Promise((resolve) => setTimeout(resolve, 100));
    controller.abort();
    expect((await call).code).toBe('aborted');
    expect(api.seen).toHaveLength(1);
  });

  it('is let go of when the call is over', async () => {
    const api = await serve(json({}));
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    const client = new Vectorless({ baseUrl: api.url });
    for (let call = 0; call < 3; call++) await client.health({ signal });
    expect(listeners).toBe(0);
  });
});
