import { expect } from 'vitest';
import type { Expectation } from './expectation.ts';
import { type Answer, call, ingested, items, type Subject } from './subject.ts';

/** So long that no server merges the section with its neighbours. */
const filler = 'Words that fill a section, so that it stands by itself. '.repeat(50);

const handbook = `# Handbook

Welcome. ${filler}

## Travel

### Flights

Economy class within Europe. ${filler}

### Hotels

At most 150 euros a night. ${filler}

## Expenses

Receipts within thirty days. ${filler}
`;

const unicode = 'Zażółć gęślą jaźń — 東京は雨です。 مرحبا שלום 👩‍👩‍👧‍👦 \u{1f600} <b>&amp;</b> \u2028 end.';
/** Forms that a parser may compose; the file itself is never touched. */
const variants = 'e\u0301 \ufb01 \u200f\u00ad.';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

export const documentExpectations: readonly Expectation[] = [
  {
    says: 'health and version answer without a key',
    async check(subject) {
      const bare = { ...subject, credentials: {} };
      const health = await call(bare, 'GET', '/v1/health');
      expect([health.status, health.json]).toEqual([200, { status: 'ok' }]);
      const version = await call(bare, 'GET', '/v1/version');
      expect([version.status, version.json]).toEqual([200, { version: expect.any(String) }]);
    },
  },
  {
    says: 'an unknown path is 404 and a wrong method 405',
    async check(subject) {
      expect((await call(subject, 'GET', '/v1/nothing')).status).toBe(404);
      expect((await call(subject, 'PUT', '/v1/documents')).status).toBe(405);
    },
  },
  {
    says: 'S wants a key and an organisation, and names every answer',
    only: ({ dialect, fake }) => dialect === 'S' && fake,
    async check(subject) {
      const { org, apiKey } = subject.credentials;
      const as = (credentials: Subject['credentials']) =>
        call({ ...subject, credentials }, 'GET', '/v1/documents', { headers: { 'x-request-id': 'req-7' } });
      const answers = [
        await as({}),
        await as({ apiKey: 'wrong' }),
        await as({ ...(apiKey ? { apiKey } : {}) }),
      ];
      expect(answers.map(({ status, json }) => [status, json.error])).toEqual([
        [401, 'missing Authorization header'],
        [401, 'invalid API key'],
        [400, 'missing X-Vectorless-Org header'],
      ]);
      expect(answers[0]?.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(answers[0]?.text).toMatch(/\}\n$/);
      for (const { headers } of answers) expect(headers.get('x-request-id')).toBe('req-7');
      const unnamed = await call(subject, 'GET', '/v1/documents');
      expect(unnamed.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      const stranger = { ...subject, credentials: { ...subject.credentials, org: `${org}-other` } };
      const id = await ingested(subject, '# Private\n\ntext');
      expect((await call(stranger, 'GET', `/v1/documents/${id}`)).status).toBe(404);
    },
  },
  {
    says: 'E names no answer and asks for neither key nor organisation',
    only: ({ dialect, embedded }) => dialect === 'E' && !embedded,
    async check(subject) {
      const { status, headers } = await call({ ...subject, credentials: {} }, 'GET', '/v1/documents');
      expect([status, headers.get('x-request-id')]).toEqual([200, null]);
    },
  },
  {
    says: 'a document shows its fields, and S more of them',
    async check(subject) {
      const id = await ingested(subject, handbook);
      const { json } = await call(subject, 'GET', `/v1/documents/${id}`);
      expect(json).toMatchObject({ id, title: 'Handbook', content_type: 'text/markdown', status: 'ready' });
      expect(json).toMatchObject({ error_message: '', metadata: {}, byte_size: handbook.length });
      expect([json.created_at, json.updated_at]).toEqual([
        expect.stringMatching(timestamp),
        expect.stringMatching(timestamp),
      ]);
      if (subject.dialect === 'S') expect(json).toMatchObject({ doc_id: id, source_type: 'markdown' });
      else expect(json).not.toHaveProperty('doc_id');
    },
  },
  {
    says: 'what does not exist is 404 on every route that takes an id',
    async check(subject) {
      for (const path of ['', '/tree', '/source']) {
        const { status, json } = await call(subject, 'GET', `/v1/documents/doc_missing${path}`);
        expect([status, json]).toEqual([404, { error: 'document not found' }]);
      }
      const gone = await call(subject, 'DELETE', '/v1/documents/doc_missing');
      expect([gone.status, gone.json]).toEqual([404, { error: 'document not found' }]);
      const section = await call(subject, 'GET', '/v1/sections/sec_missing');
      expect([section.status, section.json]).toEqual([404, { error: 'section not found' }]);
    },
  },
  {
    says: 'the list is newest first and pages by cursor without gaps or repeats',
    async check(subject) {
      const mine: string[] = [];
      for (const title of ['one', 'two', 'three'])
        mine.unshift(await ingested(subject, `# ${title}\n\ntext`));
      const seen: string[] = [];
      let path = '/v1/documents?limit=2';
      for (let page = 0; page < 200 && !mine.every((id) => seen.includes(id)); page += 1) {
        const answer = await call(subject, 'GET', path);
        const ids = items(answer).map(({ id }) => String(id));
        expect(ids.length).toBeLessThanOrEqual(2);
        seen.push(...ids);
        const cursor = answer.json.next_cursor;
        if (typeof cursor !== 'string') break;
        path = `/v1/documents?limit=2&cursor=${encodeURIComponent(cursor)}`;
      }
      expect(seen.filter((id) => mine.includes(id))).toEqual(mine);
      expect(new Set(seen).size).toBe(seen.length);
    },
  },
  {
    says: 'the shape of a list is the dialect’s own',
    async check(subject) {
      await ingested(subject, '# one\n\ntext');
      await ingested(subject, '# two\n\ntext');
      const some = await call(subject, 'GET', '/v1/documents?limit=1');
      const all = await call(subject, 'GET', '/v1/documents?limit=200');
      const known = ['id', 'title', 'content_type', 'status', 'byte_size', 'created_at', 'updated_at'];
      expect(Object.keys(items(some)[0] ?? {})).toEqual(expect.arrayContaining(known));
      if (subject.dialect === 'S') {
        expect(some.json).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
        expect(items(some, 'documents')).toEqual(items(some));
        if (subject.fake) expect(all.json).toMatchObject({ has_more: false, next_cursor: null });
      } else {
        expect(some.json).not.toHaveProperty('documents');
        if (items(all).length < 200) expect(all.json).not.toHaveProperty('next_cursor');
      }
    },
  },
  {
    says: 'a limit out of range is put right, and a cursor that cannot be read starts again',
    async check(subject) {
      await ingested(subject, '# one\n\ntext');
      const first = firstId(await call(subject, 'GET', '/v1/documents'));
      for (const query of ['limit=0', 'limit=-3', 'limit=many', 'limit=100000', 'cursor=nonsense']) {
        const answer = await call(subject, 'GET', `/v1/documents?${query}`);
        expect([query, answer.status, firstId(answer)]).toEqual([query, 200, first]);
      }
    },
  },
  {
    says: 'the list filters by status, and an unknown status is an empty list',
    async check(subject) {
      const id = await ingested(subject, '# ready one\n\ntext');
      const ready = await call(subject, 'GET', '/v1/documents?status=ready&limit=200');
      expect(items(ready).map((item) => item.id)).toContain(id);
      expect(new Set(items(ready).map(({ status }) => status))).toEqual(new Set(['ready']));
      expect(items(await call(subject, 'GET', '/v1/documents?status=nonsense'))).toEqual([]);
    },
  },
  {
    says: 'the tree is depth-first and its parents are in it',
    async check(subject) {
      const id = await ingested(subject, handbook);
      const { json } = await call(subject, 'GET', `/v1/documents/${id}/tree`);
      expect(json).toMatchObject({ document_id: id, title: 'Handbook' });
      const sections = json.sections as { id: string; parent_id?: string; depth: number; title: string }[];
      const seen = new Map<string, number>();
      for (const { id, parent_id, depth, title } of sections) {
        expect([typeof id, typeof title]).toEqual(['string', 'string']);
        if (parent_id !== undefined) expect(seen.get(parent_id)).toBe(depth - 1);
        seen.set(id, depth);
      }
      expect(sections.some(({ title }) => title.includes('Flights'))).toBe(true);
    },
  },
  {
    says: 'several top-level sections hang from a root without an id, which they do not name',
    async check(subject) {
      const id = await ingested(subject, `# One\n\n${filler}\n\n# Two\n\n${filler}\n`);
      const { json } = await call(subject, 'GET', `/v1/documents/${id}/tree`);
      const [root, ...rest] = json.sections as { id: string; parent_id?: string; depth: number }[];
      expect(root).toMatchObject({ id: '', depth: 0 });
      const tops = rest.filter(({ depth }) => depth === 1);
      expect(tops.length).toBeGreaterThan(1);
      for (const top of tops) expect(top).not.toHaveProperty('parent_id');
    },
  },
  {
    says: 'text of every script comes back unchanged, in its section and as the source',
    async check(subject) {
      const text = `# Schriften 文字\n\n${unicode}\n\n${variants}\n`;
      const id = await ingested(subject, text, 'unicode – 文字.md');
      const tree = await call(subject, 'GET', `/v1/documents/${id}/tree`);
      const sections = tree.json.sections as { id: string; title: string }[];
      const section = sections.find((candidate) => candidate.id !== '');
      const { json } = await call(subject, 'GET', `/v1/sections/${section?.id}`);
      expect(json).toMatchObject({ id: section?.id, document_id: id, title: 'Schriften 文字' });
      expect(json).toMatchObject({ parent_id: '', ordinal: expect.any(Number), summary: '' });
      expect(json.content).toContain(unicode);
      if (subject.fake) expect(json.content).toContain(variants);
      const source = await call(subject, 'GET', `/v1/documents/${id}/source`);
      expect([source.status, source.text]).toEqual([200, text]);
      expect(source.headers.get('content-type')).toMatch(/^text\/markdown/);
    },
  },
  {
    says: 'a deleted document is gone with its sections, and deleting again is 404',
    async check(subject) {
      const id = await ingested(subject, handbook);
      const tree = await call(subject, 'GET', `/v1/documents/${id}/tree`);
      const sections = tree.json.sections as { id: string }[];
      const deleted = await call(subject, 'DELETE', `/v1/documents/${id}`);
      expect([deleted.status, deleted.text]).toEqual([204, '']);
      const paths = [
        `/v1/documents/${id}`,
        `/v1/documents/${id}/tree`,
        `/v1/sections/${sections.at(-1)?.id}`,
      ];
      for (const path of paths)
        expect([path, (await call(subject, 'GET', path)).status]).toEqual([path, 404]);
      expect((await call(subject, 'DELETE', `/v1/documents/${id}`)).status).toBe(404);
      const list = await call(subject, 'GET', '/v1/documents?limit=200');
      expect(items(list).map((item) => item.id)).not.toContain(id);
    },
  },
];

const firstId = (answer: Answer): unknown => items(answer)[0]?.id;
