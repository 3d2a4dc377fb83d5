import { describe, expect, test } from 'vitest';
import { HANDBOOK, openEngine } from './support/engine.ts';

const UNKNOWN = 'doc_00000000-0000-4000-8000-000000000000';

describe('documents', () => {
  test('a document is accepted as pending, becomes ready and is described', async () => {
    const { upload, settled } = openEngine();
    const accepted = await upload('folder/handbook.md', HANDBOOK);
    expect(accepted.status).toBe(202);
    expect(accepted.headers.get('content-type')).toBe('application/json');
    expect(accepted.json).toEqual({
      document_id: expect.stringMatching(/^doc_\d{18}$/),
      status: 'pending',
    });

    const detail = await settled(accepted.json.document_id);
    expect(detail).toMatchObject({
      id: accepted.json.document_id,
      title: 'Staff handbook',
      content_type: 'text/markdown',
      status: 'ready',
      byte_size: Buffer.byteLength(HANDBOOK),
      error_message: '',
      metadata: {},
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    expect(detail.section_count).toBeGreaterThan(0);
  });

  test('JSON text is accepted, with the type guessed from the name', async () => {
    const { post, settled } = openEngine();
    const { status, json } = await post('/v1/documents', { content: HANDBOOK, filename: 'a.md' });
    expect(status).toBe(202);
    expect(await settled(json.document_id)).toMatchObject({ status: 'ready', content_type: 'text/markdown' });
  });

  test('a nameless document is called by its id until its own title is known', async () => {
    const { post, settled } = openEngine();
    const { json } = await post('/v1/documents', { content: 'Plain words.', content_type: 'text/plain' });
    expect(await settled(json.document_id)).toMatchObject({ title: json.document_id, status: 'ready' });
  });

  test.each([
    [
      'no multipart or JSON',
      'text/plain',
      'x',
      415,
      'use multipart/form-data (file) or application/json (content)',
    ],
    ['broken JSON', 'application/json', '{', 400, /^invalid json: /],
    ['empty JSON', 'application/json', '', 400, 'invalid json: EOF'],
    ['JSON without content', 'application/json', '{"content":null}', 400, '"content" is required'],
    ['a number as content', 'application/json', '{"content":3}', 400, /^invalid json: /],
    [
      'multipart cut short',
      'multipart/form-data; boundary=x',
      '--x\r\nCont',
      400,
      /^invalid multipart body: /,
    ],
  ])('%s is refused', async (_, type, body, status, error) => {
    const { call } = openEngine();
    const answer = await call('POST', '/v1/documents', body, { 'content-type': type });
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual({ error: typeof error === 'string' ? error : expect.stringMatching(error) });
  });

  test('a multipart body without a named file is refused', async () => {
    const { call } = openEngine();
    const form = new FormData();
    form.append('file', 'just a field');
    const answer = await call('POST', '/v1/documents', form);
    expect([answer.status, answer.json]).toEqual([400, { error: 'missing form field "file"' }]);
  });

  test('a body over the limit is refused, whether or not it announces its length', async () => {
    const { call, upload } = openEngine({ maxBodyBytes: 1000 });
    const announced = await call('POST', '/v1/documents', '{}', {
      'content-type': 'application/json',
      'content-length': '5000',
    });
    expect(announced.status).toBe(413);
    const streamed = await upload('long.txt', 'x'.repeat(2000));
    expect([streamed.status, streamed.json.error]).toEqual([
      413,
      expect.stringContaining('request body too large'),
    ]);
  });

  test('the list is newest first, pages by cursor, and filters by status', async () => {
    const { call, ingest } = openEngine();
    const ids: string[] = [];
    for (const n of [1, 2, 3]) ids.unshift(await ingest(`${n}.md`, `# Title ${n}\n\nText ${n}.`));
    const first = await call('GET', '/v1/documents?limit=2');
    expect(first.json.items.map((item: { id: string }) => item.id)).toEqual(ids.slice(0, 2));
    expect(first.json.items[0]).not.toHaveProperty('error_message');
    const cursor = encodeURIComponent(first.json.next_cursor);
    const second = await call('GET', `/v1/documents?limit=2&cursor=${cursor}`);
    expect(second.json.items.map((item: { id: string }) => item.id)).toEqual(ids.slice(2));
    expect(second.json).not.toHaveProperty('next_cursor');

    const all = await call('GET', '/v1/documents?limit=-4&cursor=nonsense&status=ready');
    expect(all.json.items).toHaveLength(3);
    expect((await call('GET', '/v1/documents/?status=failed')).json).toEqual({ items: [] });
  });

  test('the source comes back byte for byte', async () => {
    const { call, ingest } = openEngine();
    const id = await ingest('handbook.md', HANDBOOK);
    const source = await call('GET', `/v1/documents/${id}/source`);
    expect(source.text).toBe(HANDBOOK);
    expect(source.headers.get('content-type')).toBe('text/markdown');
    expect(source.headers.get('content-length')).toBe(String(Buffer.byteLength(HANDBOOK)));
  });

  test('deleting takes the document, its sections and its source away', async () => {
    const { call, ingest, post } = openEngine();
    const id = await ingest('handbook.md', HANDBOOK);
    const { json } = await post('/v1/query', { document_id: id, query: 'vacation' });
    const removed = await call('DELETE', `/v1/documents/${id}`);
    expect([removed.status, removed.text]).toEqual([204, '']);
    for (const path of [`documents/${id}`, `documents/${id}/tree`, `documents/${id}/source`]) {
      const answer = await call('GET', `/v1/${path}`);
      expect([answer.status, answer.json]).toEqual([404, { error: 'document not found' }]);
    }
    expect((await call('GET', `/v1/sections/${json.sections[0].id}`)).json).toEqual({
      error: 'section not found',
    });
    expect((await call('DELETE', `/v1/documents/${id}`)).status).toBe(404);
  });

  test('an unknown type is accepted and then fails, saying why', async () => {
    const { upload, settled } = openEngine();
    const { status, json } = await upload('tool.bin', new Uint8Array([0, 1, 2, 3]), {
      type: 'application/x-thing',
    });
    expect(status).toBe(202);
    const detail = await settled(json.document_id);
    expect(detail).toMatchObject({ status: 'failed', error_message: expect.stringMatching(/^parse: .+/) });
  });
});

describe('idempotency keys', () => {
  test('a key names the same document for as long as it exists', async () => {
    const { call, upload, settled } = openEngine();
    const first = await upload('a.md', HANDBOOK, { key: 'k' });
    await settled(first.json.document_id);
    const again = await upload('other.md', 'Other words.', { key: 'k' });
    expect(again.json).toEqual({ document_id: first.json.document_id, status: 'ready' });

    await call('DELETE', `/v1/documents/${first.json.document_id}`);
    const fresh = await upload('a.md', HANDBOOK, { key: 'k' });
    expect(fresh.json.status).toBe('pending');
    expect(fresh.json.document_id).not.toBe(first.json.document_id);
  });

  test('without a key the same bytes are two documents', async () => {
    const { upload } = openEngine();
    const [a, b] = await Promise.all([upload('a.md', HANDBOOK), upload('a.md', HANDBOOK)]);
    expect(a.json.document_id).not.toBe(b.json.document_id);
  });

  test('duplicates sent at once, to two engines on one folder, become one document', async () => {
    const one = openEngine();
    const two = openEngine({ dir: one.dir });
    const answers = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((n) => [one, two][n % 2]?.upload('a.md', HANDBOOK, { key: 'k' })),
    );
    expect(new Set(answers.map((answer) => answer?.json.document_id)).size).toBe(1);
    expect((await one.call('GET', '/v1/documents')).json.items).toHaveLength(1);
  });

  test('a failed document keeps its key', async () => {
    const { upload, settled } = openEngine();
    const { json } = await upload('a.bin', new Uint8Array([0, 1, 2]), {
      key: 'k',
      type: 'application/x-thing',
    });
    await settled(json.document_id);
    const again = await upload('a.md', HANDBOOK, { key: 'k' });
    expect(again.json).toEqual({ document_id: json.document_id, status: 'failed' });
  });
});

describe('routing', () => {
  test.each([
    ['GET', '/v1/health', 200, { status: 'ok' }],
    ['GET', '/v1/version', 200, { version: 'local' }],
    ['POST', '/v1/answer', 501, { error: 'answer endpoint requires an LLM client' }],
    ['POST', '/v1/answer/treewalk', 501, { error: 'answer/treewalk endpoint requires an LLM client' }],
    ['POST', '/v1/replay', 501, { error: 'replay store not configured' }],
    ['GET', `/v1/documents/${UNKNOWN}`, 404, { error: 'document not found' }],
    ['DELETE', `/v1/documents/..%2F..%2Fetc`, 404, { error: 'document not found' }],
    ['GET', '/v1/sections/sec_1', 404, { error: 'section not found' }],
    ['GET', '/v1/sections/%E0%A4%A', 404, { error: 'section not found' }],
  ])('%s %s answers %i', async (method, path, status, body) => {
    const { call } = openEngine();
    const answer = await call(method, path);
    expect([answer.status, answer.json]).toEqual([status, body]);
  });

  test.each([
    ['POST', '/v1/query/stream'],
    ['POST', '/v1/query/multi/stream'],
    ['GET', '/v2/health'],
    ['POST', '/v1/query/'],
  ])('%s %s does not exist', async (method, path) => {
    const { call } = openEngine();
    const answer = await call(method, path);
    expect([answer.status, answer.text]).toEqual([404, '404 page not found\n']);
  });

  test('a wrong method is 405 and says which are right', async () => {
    const { call } = openEngine();
    const answer = await call('PUT', '/v1/documents');
    expect([answer.status, answer.text, answer.headers.get('allow')]).toEqual([405, '', 'GET, POST']);
  });

  test('an aborted request is not served', async () => {
    const { engine } = openEngine();
    const request = new Request('http://local/v1/health', { signal: AbortSignal.abort() });
    await expect(engine.fetch(request)).rejects.toThrow(/abort/i);
  });
});
