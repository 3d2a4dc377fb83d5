import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IngestRequest, Vectorless } from '@vectorless/sdk';
import { describe, expect, it } from 'vitest';
import { failureOf } from './support/failure.ts';
import { json, plain, type Seen, serve, until } from './support/server.ts';

const receipt = json({ document_id: 'doc_1', status: 'pending' }, 202);

/** The one part of an upload, read by a parser that is not ours. */
async function partOf({ headers, body }: Pick<Seen, 'headers' | 'body'>) {
  const type = String(headers['content-type']);
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  expect([...form.keys()]).toEqual(['file']);
  const file = form.get('file');
  if (!(file instanceof File)) throw new Error('the part is not a file');
  return { name: file.name, type: file.type, bytes: Buffer.from(await file.arrayBuffer()) };
}

async function upload(request: Partial<IngestRequest>) {
  const api = await serve(receipt);
  const document = { content: 'hello', filename: 'a.txt', contentType: 'text/plain', ...request };
  await new Vectorless({ baseUrl: api.url }).documents.ingest(document);
  const [seen] = api.seen;
  if (seen === undefined) throw new Error('nothing was sent');
  return { seen, part: await partOf(seen) };
}

const large = Buffer.alloc(700_000, 'abcdefg');

describe.each([
  ['small', Buffer.from('héllo')],
  ['large', large],
])('a %s body', (_size, bytes) => {
  it.each<[string, () => IngestRequest['content'], boolean]>([
    ['text', () => bytes.toString(), true],
    ['bytes', () => new Uint8Array(bytes), true],
    ['a Blob', () => new Blob([new Uint8Array(bytes)]), true],
    ['an async iterable', () => ({ size: bytes.length, stream: () => chunksOf(bytes) }), true],
    ['a one-shot stream', () => new Blob([new Uint8Array(bytes)]).stream(), false],
  ])('from %s arrives whole', async (_from, content, sized) => {
    const { seen, part } = await upload({ content: content() });
    expect(part.bytes.equals(bytes)).toBe(true);
    expect(part).toMatchObject({ name: 'a.txt', type: 'text/plain' });
    expect(seen.headers['content-length']).toBe(sized ? String(seen.body.length) : undefined);
  });

  it('from a Buffer is the slice that it shows, not the memory behind it', async () => {
    const pool = Buffer.concat([Buffer.from('SECRET'), bytes, Buffer.from('SECRET')]);
    const { part } = await upload({ content: pool.subarray(6, 6 + bytes.length) });
    expect(part.bytes.equals(bytes)).toBe(true);
  });
});

async function* chunksOf(bytes: Buffer) {
  yield new Uint8Array(bytes.subarray(0, 3));
  yield new Uint8Array(bytes.subarray(3));
}

it('sends a file from disk with its length, and again for a retry', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vectorless-sdk-'));
  try {
    const path = join(folder, 'report.pdf');
    await writeFile(path, large);
    const api = await serve(json({ error: 'busy' }, 503), receipt);
    await new Vectorless({ baseUrl: api.url }).documents.ingest({
      ...{ content: await openAsBlob(path), filename: 'report.pdf', contentType: 'application/pdf' },
      idempotencyKey: 'k',
    });
    for (const seen of api.seen) expect((await partOf(seen)).bytes.equals(large)).toBe(true);
    expect(api.seen).toHaveLength(2);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it.each([
  ['say "hi".txt', "say 'hi'.txt"],
  ['a\r\nContent-Type: text/evil\r\n\r\nb.txt', 'evil b.txt'],
  ['line\nbreak.txt', 'line break.txt'],
  ['Отчёт – 報告.pdf', 'Отчёт – 報告.pdf'],
  ['/home/me/notes.md', 'notes.md'],
  ['C:\\files\\notes.md', 'notes.md'],
])('sends the filename %j as %j', async (filename, name) => {
  const { part, seen } = await upload({ filename, contentType: 'application/pdf' });
  expect(part.name).toBe(name);
  expect(part.type).toBe('application/pdf');
  // One header block with two lines: nothing was injected.
  expect(seen.body.toString().split('\r\n\r\n')[0]?.split('\r\n')).toHaveLength(3);
});

it.each([
  { filename: '' },
  { filename: 'folder/' },
  { filename: '\n' },
  { contentType: '' },
  { contentType: 'pdf' },
  { contentType: 'text/plain\r\nx: y' },
])('refuses %j before anything is sent', async (wrong) => {
  const api = await serve(receipt);
  const document = { content: 'x', filename: 'a.txt', contentType: 'text/plain', ...wrong };
  const failure = await failureOf(new Vectorless({ baseUrl: api.url }).documents.ingest(document));
  expect(failure.code).toBe('invalid_request');
  expect(api.seen).toEqual([]);
});

it('fails rather than send a file that has shrunk or grown', async () => {
  const api = await serve(receipt);
  for (const size of [large.length + 1, large.length - 1]) {
    const content = { size, stream: () => chunksOf(large) };
    const document = { content, filename: 'a.txt', contentType: 'text/plain' };
    const failure = await failureOf(new Vectorless({ baseUrl: api.url }).documents.ingest(document));
    expect(failure).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('changed') });
  }
});

it('passes on why the source of an upload failed', async () => {
  const api = await serve(receipt);
  const content = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error('disk on fire')),
  });
  const document = { content, filename: 'a.txt', contentType: 'text/plain' };
  const failure = await failureOf(new Vectorless({ baseUrl: api.url }).documents.ingest(document));
  expect(failure).toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('disk on fire'),
  });
});

it('lets go of a source that stalls when the server has answered already', async () => {
  const api = await serve((_request, response) => {
    response.writeHead(401, { 'content-type': 'text/plain' }).end('{"error":"invalid API key"}');
  });
  let cancelled = false;
  const content = new ReadableStream<Uint8Array>({
    pull: () => new Promise(() => {}),
    cancel: () => {
      cancelled = true;
    },
  });
  const document = { content, filename: 'a.txt', contentType: 'text/plain' };
  const failure = await failureOf(new Vectorless({ baseUrl: api.url }).documents.ingest(document));
  expect(failure.code).toBe('unauthorized');
  await until(() => cancelled, 'source cancelled');
});

it('hears an answer that comes before the upload is through', async () => {
  const api = await serve((_request, response) => {
    const body = '{"error":"invalid multipart body: http: request body too large"}';
    response.writeHead(400, { 'content-type': 'application/json', connection: 'close' }).end(body);
  });
  const content = new Uint8Array(8 << 20);
  const document = { content, filename: 'a.pdf', contentType: 'application/pdf', idempotencyKey: 'k' };
  const failure = await failureOf(new Vectorless({ baseUrl: api.url }).documents.ingest(document));
  // Which of the two it is depends on whether the answer or the reset is seen first.
  expect(failure.code).toMatch(/^(too_large|connection)$/);
});

it('says that size may be the reason when the connection is reset during a large upload', async () => {
  const api = await serve((request) => {
    request.once('data', () => request.socket.resetAndDestroy());
  });
  const content = new Uint8Array(8 << 20);
  const document = { content, filename: 'a.pdf', contentType: 'application/pdf' };
  const failure = await failureOf(new Vectorless({ baseUrl: api.url }).documents.ingest(document));
  expect(failure).toMatchObject({ code: 'connection', message: expect.stringMatching(/size limit/) });
});

it('reports a replayed 400 as replayed, so that a fresh key can be tried', async () => {
  const cached = plain('{"error":"invalid multipart body: unexpected EOF"}', 400, {
    'x-idempotency-replayed': 'true',
  });
  const api = await serve(cached);
  const document = { content: 'x', filename: 'a.txt', contentType: 'text/plain', idempotencyKey: 'k' };
  const failure = await failureOf(new Vectorless({ baseUrl: api.url }).documents.ingest(document));
  expect(failure).toMatchObject({ code: 'invalid_request', replayed: true });
});
