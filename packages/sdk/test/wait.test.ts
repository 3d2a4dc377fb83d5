import { type DocumentDetail, Vectorless } from '@vectorless/sdk';
import { beforeAll, expect, it } from 'vitest';
import { failureOf } from './support/failure.ts';
import { json, serve, stall } from './support/server.ts';

const look = (status: string, error_message = '') => json({ id: 'doc_1', title: 'A', status, error_message });

// The first call of a process loads undici, which takes its time on a busy machine.
beforeAll(() => new Vectorless({ baseUrl: 'http://127.0.0.1:1', maxRetries: 0 }).health().catch(() => {}));

it('looks at once and is done when the document is ready', async () => {
  const api = await serve(look('ready'));
  const statuses: string[] = [];
  const document = await new Vectorless({ baseUrl: api.url }).documents.waitUntilReady('doc_1', {
    timeoutMs: 5_000,
    onStatus: ({ status }) => statuses.push(status),
  });
  expect(document).toMatchObject({ id: 'doc_1', status: 'ready' });
  expect(statuses).toEqual(['ready']);
});

it('goes on through every status it does not know', async () => {
  const api = await serve(look('pending'), look('parsing'), look('dreaming'), look('ready'));
  const seen: DocumentDetail[] = [];
  await new Vectorless({ baseUrl: api.url }).documents.waitUntilReady('doc_1', {
    onStatus: (document) => seen.push(document),
  });
  expect(seen.map(({ status }) => status)).toEqual(['pending', 'parsing', 'dreaming', 'ready']);
});

it('believes `failed` only when it is still there at a second look', async () => {
  const api = await serve(look('failed', 'parse: busy'), look('parsing'), look('failed'), look('ready'));
  const document = await new Vectorless({ baseUrl: api.url }).documents.waitUntilReady('doc_1');
  expect(document.status).toBe('ready');
  expect(api.seen).toHaveLength(4);
});

it('fails with the reason of a document that stays failed', async () => {
  const reason = 'parse: pdf: open: encrypted';
  const api = await serve(look('failed', reason));
  const failure = await failureOf(new Vectorless({ baseUrl: api.url }).documents.waitUntilReady('doc_1'));
  expect(failure).toMatchObject({ code: 'document_failed', message: reason, documentId: 'doc_1' });
  expect(failure.requestId).toBe(api.seen[1]?.headers['x-request-id']);
  expect(api.seen).toHaveLength(2);
});

it('has a deadline, and says how far the document is', async () => {
  const api = await serve(look('parsing'));
  const failure = await failureOf(
    new Vectorless({ baseUrl: api.url }).documents.waitUntilReady('doc_1', { timeoutMs: 900 }),
  );
  expect(failure).toMatchObject({ code: 'timeout', documentId: 'doc_1' });
  expect(failure.message).toContain('parsing');
});

it('has a deadline against a server that stalls', async () => {
  const api = await serve(look('parsing'), stall);
  const failure = await failureOf(
    new Vectorless({ baseUrl: api.url }).documents.waitUntilReady('doc_1', { timeoutMs: 1_000 }),
  );
  expect(failure).toMatchObject({ code: 'timeout', documentId: 'doc_1' });
});

it('is ended by the signal between two looks', async () => {
  const api = await serve(look('parsing'));
  const controller = new AbortController();
  const failure = await failureOf(
    new Vectorless({ baseUrl: api.url }).documents.waitUntilReady('doc_1', {
      signal: controller.signal,
      onStatus: () => setTimeout(() => controller.abort(), 20),
    }),
  );
  expect(failure.code).toBe('aborted');
  expect(api.seen).toHaveLength(1);
});

it('survives a server that is away for a moment, not one that stays away', async () => {
  const busy = json({ error: 'busy' }, 503);
  const back = await serve(look('parsing'), busy, busy, look('ready'));
  const client = (baseUrl: string) => new Vectorless({ baseUrl, maxRetries: 0 }).documents;
  await expect(client(back.url).waitUntilReady('doc_1')).resolves.toMatchObject({ status: 'ready' });
  const away = await serve(busy);
  expect((await failureOf(client(away.url).waitUntilReady('doc_1'))).code).toBe('unavailable');
  const gone = await serve(json({ error: 'document not found' }, 404));
  expect((await failureOf(client(gone.url).waitUntilReady('doc_1'))).code).toBe('not_found');
  expect(gone.seen).toHaveLength(1);
});
