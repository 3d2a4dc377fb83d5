import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Expectation } from './expectation.ts';
import { call, finished, form, ingested } from './subject.ts';

const note = '# Note\n\nThe gasket was replaced on Tuesday.\n';

export const ingestExpectations: readonly Expectation[] = [
  {
    says: 'text in JSON is accepted with 202 and becomes ready',
    async check(subject) {
      const { status, json } = await call(subject, 'POST', '/v1/documents', {
        json: { content: note, filename: 'note.md', content_type: 'text/markdown' },
      });
      expect(status).toBe(202);
      expect(json).toEqual({ document_id: expect.any(String), status: expect.any(String) });
      const done = await finished(subject, String(json.document_id));
      expect(done.json).toMatchObject({ status: 'ready', title: 'Note', content_type: 'text/markdown' });
      expect(done.json.byte_size).toBe(note.length);
    },
  },
  {
    says: 'a multipart file is accepted, and other fields of the form change nothing',
    async check(subject) {
      const body = form('note.md', 'text/markdown', note);
      body.append('title', 'Another title');
      const { status, json } = await call(subject, 'POST', '/v1/documents', { body });
      expect(status).toBe(202);
      const done = await finished(subject, String(json.document_id));
      expect(done.json).toMatchObject({ status: 'ready', title: 'Note' });
    },
  },
  {
    says: 'what cannot be ingested is refused with a sentence of its own',
    async check(subject) {
      const post = (init: Parameters<typeof call>[3]) => call(subject, 'POST', '/v1/documents', init);
      const empty = await post({ json: { filename: 'a.md', content: '' } });
      expect([empty.status, empty.json]).toEqual([400, { error: '"content" is required' }]);
      const garbage = await post({ body: '{"content":', headers: { 'content-type': 'application/json' } });
      expect([garbage.status, garbage.json.error]).toEqual([400, expect.stringMatching(/^invalid json: /)]);
      const nothing = await post({ headers: { 'content-type': 'application/json' } });
      expect([nothing.status, nothing.json.error]).toEqual([400, expect.stringMatching(/^invalid json: /)]);
      const other = new FormData();
      other.append('document', new Blob(['x'], { type: 'text/plain' }), 'a.txt');
      const fileless = await post({ body: other });
      expect([fileless.status, fileless.json]).toEqual([400, { error: 'missing form field "file"' }]);
      const typed = await post({ body: 'hello', headers: { 'content-type': 'text/plain' } });
      expect([typed.status, typed.json]).toEqual([
        415,
        { error: 'use multipart/form-data (file) or application/json (content)' },
      ]);
    },
  },
  {
    says: 'an unknown type is accepted and the document then fails with the reason',
    async check(subject) {
      const body = form('archive.zip', 'application/zip', 'PK\u0003\u0004');
      const { status, json } = await call(subject, 'POST', '/v1/documents', { body });
      expect(status).toBe(202);
      const done = await finished(subject, String(json.document_id));
      expect(done.json).toMatchObject({ status: 'failed', error_message: expect.stringMatching(/\S/) });
      const tree = await call(subject, 'GET', `/v1/documents/${json.document_id}/tree`);
      expect([tree.status, tree.json.sections]).toEqual([200, null]);
    },
  },
  {
    says: 'a PDF without text fails with a reason',
    async check(subject) {
      const body = form('scan.pdf', 'application/pdf', '%PDF-1.4\n%%EOF\n');
      const { json } = await call(subject, 'POST', '/v1/documents', { body });
      const done = await finished(subject, String(json.document_id));
      expect(done.json).toMatchObject({ status: 'failed', error_message: expect.stringMatching(/\S/) });
    },
  },
  {
    says: 'a key names one document for as long as that exists, whatever the new body',
    async check(subject) {
      const headers = { 'idempotency-key': randomUUID() };
      const post = (content: string) =>
        call(subject, 'POST', '/v1/documents', { json: { content, filename: 'a.md' }, headers });
      const first = await post(note);
      await finished(subject, String(first.json.document_id));
      const second = await post('# Something else\n\ntext');
      expect([first.status, second.status]).toEqual([202, 202]);
      expect(second.json.document_id).toBe(first.json.document_id);
      // The replay of S repeats its first answer; elsewhere the status is the document's own.
      expect(second.json.status).toBe(subject.dialect === 'S' ? first.json.status : 'ready');
    },
  },
  {
    says: 'without a key the same bytes are two documents',
    async check(subject) {
      expect(await ingested(subject, note)).not.toBe(await ingested(subject, note));
    },
  },
  {
    says: 'S replays a success and an error alike, as plain text, even for a deleted document',
    only: ({ dialect, fake }) => dialect === 'S' && fake,
    async check(subject) {
      const headers = { 'idempotency-key': randomUUID() };
      const post = (json: unknown) => call(subject, 'POST', '/v1/documents', { json, headers });
      const refused = await post({ content: '' });
      const corrected = await post({ content: note, filename: 'a.md' });
      expect([refused.status, corrected.status]).toEqual([400, 400]);
      expect(refused.headers.get('x-idempotency-replayed')).toBeNull();
      expect(corrected.headers.get('x-idempotency-replayed')).toBe('true');
      expect(corrected.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      headers['idempotency-key'] = randomUUID();
      const first = await post({ content: note, filename: 'a.md' });
      await call(subject, 'DELETE', `/v1/documents/${first.json.document_id}`);
      expect((await post({ content: note, filename: 'a.md' })).json).toEqual(first.json);
    },
  },
  {
    says: 'E makes a new document for the key of a deleted one',
    only: ({ dialect }) => dialect === 'E',
    async check(subject) {
      const headers = { 'idempotency-key': randomUUID() };
      const post = () =>
        call(subject, 'POST', '/v1/documents', { json: { content: note, filename: 'a.md' }, headers });
      const first = await post();
      await finished(subject, String(first.json.document_id));
      await call(subject, 'DELETE', `/v1/documents/${first.json.document_id}`);
      const second = await post();
      expect(second.status).toBe(202);
      expect(second.json.document_id).not.toBe(first.json.document_id);
    },
  },
  {
    says: 'a failed document keeps its key',
    async check(subject) {
      const headers = { 'idempotency-key': randomUUID() };
      const post = () =>
        call(subject, 'POST', '/v1/documents', { body: form('a.zip', 'application/zip', 'zip'), headers });
      const first = await post();
      await finished(subject, String(first.json.document_id));
      expect((await post()).json.document_id).toBe(first.json.document_id);
    },
  },
];
