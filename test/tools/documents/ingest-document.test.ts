import { createHash } from 'node:crypto';
import { type IngestReceipt, type IngestRequest, VectorlessError } from '@vectorless/sdk';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/refusal.ts';
import { textOf } from '../../support/connect.ts';
import { connectDocuments, type Setup } from '../../support/documents.ts';
import { aDocument, type FakeSdk, fakeSdk, notFound } from '../../support/fake-sdk.ts';

type Documents = NonNullable<FakeSdk['documents']>;
type Answer = IngestReceipt | VectorlessError;

const pending = (documentId: string): IngestReceipt => ({ documentId, status: 'pending', replayed: false });
const replayedError = new VectorlessError({
  code: 'invalid_request',
  status: 400,
  message: 'eof',
  replayed: true,
});

/** Answers the uploads one after the other and remembers their keys. */
function uploads(...answers: Answer[]) {
  const requests: IngestRequest[] = [];
  const ingest: Documents['ingest'] = async (request) => {
    requests.push(request);
    const answer = answers[requests.length - 1] ?? answers.at(-1);
    if (answer === undefined || answer instanceof VectorlessError) throw answer;
    return answer;
  };
  return { requests, ingest, keys: () => requests.map((request) => request.idempotencyKey) };
}

const ready: Documents['waitUntilReady'] = async (id) => aDocument(id, { title: 'Notes' });

async function ingest(documents: Documents, args: Record<string, unknown>, setup: Setup = {}) {
  const client = await connectDocuments(fakeSdk({ documents }), setup);
  const result = await client.callTool({ name: 'vectorless_ingest_document', arguments: args });
  return { result, text: textOf(result), output: result.structuredContent };
}

const note = { text: '# Notes\n\nRemote work is allowed.', filename: 'notes.md' };

describe('vectorless_ingest_document', () => {
  it('uploads with explicit name and type and waits until the document is ready', async () => {
    const { ingest: send, requests } = uploads(pending('doc_1'));
    const { output, text } = await ingest({ ingest: send, waitUntilReady: ready }, note);
    expect(output).toEqual({
      document_id: 'doc_1',
      status: 'ready',
      title: 'Notes',
      byte_size: Buffer.byteLength(note.text),
      sha256: createHash('sha256').update(note.text).digest('hex'),
    });
    expect(requests[0]).toMatchObject({ filename: 'notes.md', contentType: 'text/markdown' });
    expect(text).toContain('vectorless_query');
  });

  it('sends the same key for the same bytes and name, and another for others', async () => {
    const { ingest: send, keys } = uploads(pending('doc_1'));
    const documents = { ingest: send, waitUntilReady: ready };
    await ingest(documents, note);
    await ingest(documents, note);
    await ingest(documents, { ...note, filename: 'other.md' });
    await ingest(documents, { ...note, text: `${note.text} ` });
    const [first, second, third, fourth] = keys();
    expect(first).toBe(second);
    expect(new Set([first, third, fourth]).size).toBe(3);
  });

  it('says when the document was there already', async () => {
    const { ingest: send } = uploads({ documentId: 'doc_1', status: 'ready', replayed: false });
    const { output, text } = await ingest({ ingest: send, get: async (id) => aDocument(id) }, note);
    expect(output).toMatchObject({ already_ingested: true, status: 'ready' });
    expect(text).toContain('ingested before');
  });

  it('goes on with another key when the server replays an error', async () => {
    const { ingest: send, keys } = uploads(replayedError, pending('doc_2'));
    const { output } = await ingest({ ingest: send, waitUntilReady: ready }, note);
    expect(output).toMatchObject({ document_id: 'doc_2', status: 'ready' });
    expect(new Set(keys()).size).toBe(2);
  });

  it('goes on with another key when the document behind a replay is gone', async () => {
    const gone: IngestReceipt = { documentId: 'doc_1', status: 'pending', replayed: true };
    const { ingest: send, keys } = uploads(gone, pending('doc_2'));
    const get = () => Promise.reject(notFound());
    const { output } = await ingest({ ingest: send, get, waitUntilReady: ready }, note);
    expect(output).toMatchObject({ document_id: 'doc_2' });
    expect(new Set(keys()).size).toBe(2);
  });

  it('gives up after three keys', async () => {
    const { ingest: send, requests } = uploads(replayedError);
    const { result } = await ingest({ ingest: send }, note);
    expect(result.isError).toBe(true);
    expect(requests).toHaveLength(3);
  });

  const failed = aDocument('doc_1', { status: 'failed', errorMessage: 'parse: no extractable text' });
  const failing: Documents['waitUntilReady'] = async (id, options) => {
    options?.onStatus?.(failed);
    throw new VectorlessError({ code: 'document_failed', message: 'failed', documentId: id });
  };

  it('reports why a document failed', async () => {
    const { ingest: send } = uploads({ documentId: 'doc_1', status: 'failed', replayed: false });
    const { result, output, text } = await ingest(
      { ingest: send, get: async () => failed, waitUntilReady: failing },
      note,
    );
    expect(result.isError).toBeUndefined();
    expect(output).toMatchObject({ status: 'failed', error: 'parse: no extractable text' });
    expect(text).toContain('retry: true');
  });

  it('starts afresh with retry: the failed document goes, the key is free again', async () => {
    const removed: string[] = [];
    const { ingest: send, keys } = uploads(
      { documentId: 'doc_1', status: 'failed', replayed: false },
      pending('doc_2'),
    );
    const { output } = await ingest(
      {
        ingest: send,
        get: async () => failed,
        delete: async (id) => {
          removed.push(id);
        },
        waitUntilReady: ready,
      },
      { ...note, retry: true },
    );
    expect(output).toMatchObject({ document_id: 'doc_2', status: 'ready' });
    expect(removed).toEqual(['doc_1']);
    expect(new Set(keys()).size).toBe(1);
  });

  it('takes another key with retry when the failed document cannot be removed', async () => {
    const { ingest: send, keys } = uploads(
      { documentId: 'doc_1', status: 'failed', replayed: false },
      pending('doc_2'),
    );
    const refuse = () => Promise.reject(new VectorlessError({ code: 'forbidden', message: 'no' }));
    const documents = { ingest: send, get: async () => failed, delete: refuse, waitUntilReady: ready };
    expect((await ingest(documents, { ...note, retry: true })).output).toMatchObject({
      document_id: 'doc_2',
    });
    expect(new Set(keys()).size).toBe(2);
  });

  it('says that the file changed, whatever the server says to half of it', async () => {
    async function* half() {
      yield new TextEncoder().encode('half of ');
      throw new Refusal('live.txt changed while it was read.');
    }
    const facts = { filename: 'live.txt', contentType: 'text/plain', byteSize: 16, sha256: '0'.repeat(64) };
    const path = async () => ({ ...facts, body: { size: 16, stream: half }, close: async () => {} });
    const choke: Documents['ingest'] = async ({ content }) => {
      try {
        if (typeof content === 'object' && 'stream' in content) for await (const _ of content.stream());
      } catch {
        throw new VectorlessError({ code: 'server_error', status: 500, message: 'unexpected end' });
      }
      return pending('doc_1');
    };
    const { result, text } = await ingest({ ingest: choke }, { path: 'live.txt' }, { sources: { path } });
    expect(result.isError).toBe(true);
    expect(text).toBe('live.txt changed while it was read.');
  });

  it('gives the id in time when the document is slow', async () => {
    const slow: Documents['waitUntilReady'] = async (id, options) => {
      options?.onStatus?.(aDocument(id, { status: 'parsing' }));
      throw new VectorlessError({ code: 'timeout', message: 'too slow' });
    };
    const { ingest: send } = uploads(pending('doc_1'));
    const { output, text } = await ingest({ ingest: send, waitUntilReady: slow }, note);
    expect(output).toMatchObject({ document_id: 'doc_1', status: 'processing' });
    expect(text).toContain('vectorless_list_documents {"document_ids":["doc_1"]}');
  });

  it('does not wait when told not to', async () => {
    const { ingest: send } = uploads(pending('doc_1'));
    const { output } = await ingest({ ingest: send }, { ...note, wait: false });
    expect(output).toMatchObject({ document_id: 'doc_1', status: 'processing' });
  });

  it.each([
    ['ready', 'is ready'],
    ['failed', 'could not be processed: parse: no text.'],
  ])('tells that a document of before is %s without waiting', async (status, sentence) => {
    const { ingest: send } = uploads({ documentId: 'doc_1', status: 'pending', replayed: true });
    const get: Documents['get'] = async (id) =>
      aDocument(id, { status, errorMessage: status === 'failed' ? 'parse: no text.' : undefined });
    const { output, text } = await ingest({ ingest: send, get }, { ...note, wait: false });
    expect(output).toMatchObject({ document_id: 'doc_1', status, already_ingested: true });
    expect(text).toContain(`${sentence}${status === 'failed' ? ' It had been ingested before' : ''}`);
  });

  it('takes what a client fills in for every argument', async () => {
    const nothing = { path: '', url: '', content_base64: '', content_type: '', sha256: '' };
    const { ingest: send } = uploads(pending('doc_1'));
    const documents = { ingest: send, waitUntilReady: ready };
    const { output } = await ingest(documents, { ...nothing, ...note, wait: true, retry: false });
    expect(output).toMatchObject({ document_id: 'doc_1', status: 'ready' });
  });

  it.each([
    ['nothing', {}, 'give one of'],
    ['two ways at once', { text: 'x', content_base64: 'eA==' }, 'Give only one of'],
    ['a path where there is none', { path: '/etc/passwd' }, '`path` is not available on this server'],
    ['broken base64', { content_base64: 'not base64!', filename: 'a.txt' }, 'base64'],
    [
      'base64 pasted as text',
      { text: Buffer.from('%PDF-1.7 hello world '.repeat(20)).toString('base64') },
      'base64',
    ],
    ['a type that cannot be parsed', { content_base64: 'AAAA', filename: 'a.zip' }, 'zip'],
    ['too large a document', { text: 'many words '.repeat(2 ** 18) }, 'VECTORLESS_MAX_FILE_MB'],
  ])('refuses %s before anything is sent', async (_name, args, sentence) => {
    const { result, text } = await ingest({}, args);
    expect(result.isError).toBe(true);
    expect(text).toContain(sentence);
  });

  it.each([
    ['base64 that was cut', { content_base64: 'QUJDR', filename: 'a.txt' }],
    ['base64 as text', { text: Buffer.from('%PDF-1.7 hello world '.repeat(20)).toString('base64') }],
    ['a wrong checksum', { content_base64: 'QUJD', filename: 'a.txt', sha256: '0'.repeat(64) }],
  ])('names the ways in that there are for %s', async (_name, args) => {
    const unused = async () => Promise.reject(new Error('not to be called'));
    const { text: here } = await ingest({}, args, { sources: { path: unused, url: unused } });
    expect(here).toContain('use path or url');
    const uploadLink: Setup['uploadLink'] = () => ({ url: '', expiresAt: new Date() });
    const { text: far } = await ingest({}, args, { uploadLink });
    expect(far).toContain('use an upload link (a call with `filename` alone gives one)');
    expect(far).not.toContain('path');
  });

  it('leads to an upload link whoever gives a path where there is none', async () => {
    const uploadLink: Setup['uploadLink'] = () => ({ url: '', expiresAt: new Date() });
    const { text } = await ingest({}, { path: '/home/me/a.pdf' }, { uploadLink });
    expect(text).toContain('A call that works: vectorless_ingest_document {"filename":"report.pdf"}');
    const { text: nothing } = await ingest({}, {}, { uploadLink });
    expect(nothing).toContain('or `filename` alone for an upload link');
  });

  it('answers a filename alone with an upload link where there are such links', async () => {
    const uploadLink: Setup['uploadLink'] = ({ filename, maxBytes }) => ({
      url: `https://team.example/upload/${filename}?${maxBytes}`,
      expiresAt: new Date('2026-01-01T00:15:00Z'),
    });
    const { output, text } = await ingest({}, { filename: 'a.pdf' }, { uploadLink });
    expect(output).toEqual({
      status: 'awaiting_upload',
      upload_url: 'https://team.example/upload/a.pdf?1048576',
      expires_at: '2026-01-01T00:15:00.000Z',
    });
    expect(text).toContain('curl -T');
  });

  it('tells of progress, ever upwards', async () => {
    const steps = ['pending', 'parsing', 'pending', 'summarizing', 'ready'];
    const walking: Documents['waitUntilReady'] = async (id, options) => {
      for (const status of steps) options?.onStatus?.(aDocument(id, { status }));
      return aDocument(id);
    };
    const { ingest: send } = uploads(pending('doc_1'));
    const client = await connectDocuments(fakeSdk({ documents: { ingest: send, waitUntilReady: walking } }));
    const seen: number[] = [];
    await client.callTool(
      { name: 'vectorless_ingest_document', arguments: note },
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    expect(seen.length).toBeGreaterThan(2);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(new Set(seen).size).toBe(seen.length);
  });
});
