import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Expectation } from './expectation.ts';
import { call, form, ingested, items, type Subject } from './subject.ts';

const filler = 'This paragraph keeps the section apart from its neighbours by its sheer length. '.repeat(30);

const manual = `# Pump manual

## Seals

### Gasket

The gasket of the pump is made of fluorosilicone. ${filler}

## Motor

### Bearings

Bearings are greased every four hundred hours. ${filler}
`;

const post = (subject: Subject, path: string, json: unknown) => call(subject, 'POST', path, { json });

export const retrievalExpectations: readonly Expectation[] = [
  {
    says: 'a question finds its section, whole and with the fields of the dialect',
    async check(subject) {
      const id = await ingested(subject, manual);
      const query = 'fluorosilicone gasket';
      const { status, json, headers } = await post(subject, '/v1/query', { document_id: id, query });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('application/json');
      expect(json).toMatchObject({ document_id: id, query, strategy: expect.any(String) });
      const hit = (json.sections as Record<string, unknown>[]).find((section) =>
        String(section.content).includes('made of fluorosilicone'),
      );
      expect(hit).toMatchObject({ id: expect.any(String), title: expect.stringContaining('Gasket') });
      expect(hit).toMatchObject({ parent_id: expect.any(String), token_count: expect.any(Number) });
      const section = await call(subject, 'GET', `/v1/sections/${hit?.id}`);
      expect(section.json.content).toBe(hit?.content);
      if (subject.dialect === 'S') {
        expect(json.usage).toMatchObject({ total_tokens: expect.any(Number), llm_calls: expect.any(Number) });
        expect(hit).not.toHaveProperty('score');
      } else {
        expect(json).not.toHaveProperty('usage');
        expect(hit).toMatchObject({ score: expect.any(Number) });
      }
      if (subject.embedded) expect(hit).toMatchObject({ heading_path: ['Pump manual', 'Seals'] });
    },
  },
  {
    says: 'max_sections cuts the result, and zero or less means the default',
    async check(subject) {
      const id = await ingested(subject, manual);
      const ask = async (max_sections: number) => {
        const body = { document_id: id, query: 'gasket bearings', max_sections };
        return items(await post(subject, '/v1/query', body), 'sections').length;
      };
      expect(await ask(1)).toBe(1);
      expect(await ask(0)).toBe(2);
      expect(await ask(-1)).toBe(2);
    },
  },
  {
    says: 'a query that lacks something is refused with the sentence that says what',
    async check(subject) {
      const required = [400, { error: 'document_id and query are required' }];
      for (const body of [{ query: 'x' }, { document_id: 'doc_1' }, { document_id: 'doc_1', query: null }]) {
        const { status, json } = await post(subject, '/v1/query', body);
        expect([status, json]).toEqual(required);
      }
      const missing = await post(subject, '/v1/query', { document_id: 'doc_missing', query: 'x' });
      expect([missing.status, missing.json]).toEqual([404, { error: 'document not found' }]);
      for (const body of [
        '',
        '{',
        '{"document_id":"d","query":"q","max_sections":1.5}',
        '{"document_id":7,"query":"q"}',
      ]) {
        const { status, json } = await call(subject, 'POST', '/v1/query', { body });
        expect([body, status, json.error]).toEqual([body, 400, expect.stringMatching(/^invalid json: /)]);
      }
    },
  },
  {
    says: 'S knows its strategies and E ignores the field',
    only: ({ fake }) => fake,
    async check(subject) {
      const id = await ingested(subject, manual);
      const ask = (strategy: string) =>
        post(subject, '/v1/query', { document_id: id, query: 'gasket', strategy });
      const unknown = await ask('psychic');
      if (subject.dialect === 'S') expect(unknown.json).toEqual({ error: 'unknown strategy: psychic' });
      else expect(unknown.status).toBe(200);
      expect((await ask('chunked-tree')).status).toBe(200);
    },
  },
  {
    says: 'a question about nothing in the document has no sections, and E says that it abstains',
    async check(subject) {
      const id = await ingested(subject, manual);
      const { status, json } = await post(subject, '/v1/query', {
        document_id: id,
        query: 'zygomorphic quixotry',
      });
      expect([status, json.sections]).toEqual([200, []]);
      if (subject.dialect === 'E') expect(json.abstained).toBe(true);
    },
  },
  {
    says: 'words of scripts without spaces are found',
    async check(subject) {
      const id = await ingested(subject, '# 天気\n\n東京は雨です。\n');
      const { json } = await post(subject, '/v1/query', { document_id: id, query: '東京' });
      expect(JSON.stringify(json.sections)).toContain('東京は雨です');
    },
  },
  {
    says: 'many documents are asked at once; one that is missing is an error of its own',
    async check(subject) {
      const [a, b] = [await ingested(subject, manual), await ingested(subject, manual)];
      const body = { document_ids: [a, b, a, 'doc_missing'], query: 'gasket', max_sections: 1 };
      const { status, json } = await post(subject, '/v1/query/multi', body);
      expect(status).toBe(200);
      const documents = json.documents as { document_id: string; sections: unknown[] }[];
      expect(documents.map(({ document_id }) => document_id).sort()).toEqual([a, b].sort());
      for (const { sections } of documents) expect(sections).toHaveLength(1);
      expect(json.errors).toEqual({ doc_missing: expect.stringContaining('not found') });
      const alone = await post(subject, '/v1/query/multi', { document_ids: [a], query: 'gasket' });
      expect(alone.json.errors).toEqual({});
    },
  },
  {
    says: 'when every document is missing it is a 500 that says so, and nothing named is a 400',
    async check(subject) {
      const all = await post(subject, '/v1/query/multi', { document_ids: ['doc_missing'], query: 'x' });
      expect([all.status, all.json.error]).toEqual([500, expect.stringContaining('db: not found')]);
      for (const body of [{ document_ids: [], query: 'x' }, { query: 'x' }, { document_ids: ['d'] }]) {
        const { status, json } = await post(subject, '/v1/query/multi', body);
        expect([status, json]).toEqual([400, { error: 'document_ids (non-empty) and query are required' }]);
      }
    },
  },
  {
    says: 'S streams a query as events, and E has no such route',
    only: ({ fake, embedded }) => fake || embedded,
    async check(subject) {
      const id = await ingested(subject, manual);
      const body = { document_id: id, query: 'gasket bearings' };
      const { status, headers, text } = await post(subject, '/v1/query/stream', body);
      if (subject.dialect === 'E') return void expect(status).toBe(404);
      expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream']);
      const events = text
        .split('\n\n')
        .filter(Boolean)
        .map((event) => JSON.parse(event.split('data: ')[1] ?? ''));
      expect(events[0]).toMatchObject({ type: 'started', total_slices: 2 });
      expect(events[1]).not.toHaveProperty('slice_index');
      expect(events.at(-1)).toMatchObject({ type: 'completed' });
      expect(events.filter(({ type }) => type === 'section_selected').length).toBeGreaterThan(2);
    },
  },
  {
    says: 'an answer cites the sections it is made of, quoting by byte offsets',
    only: ({ embedded }) => !embedded,
    async check(subject) {
      const id = await ingested(
        subject,
        '# Über\n\n## Größe\n\nDie Größe der Dichtung ist 42 mm. Mehr nicht.\n',
      );
      const { status, json } = await post(subject, '/v1/answer', {
        document_id: id,
        query: 'Größe der Dichtung',
      });
      if (status === 501) return;
      expect(json).toMatchObject({ document_id: id, answer: expect.any(String), usage: expect.any(Object) });
      const [cited] = json.citations as { section_id: string; quote?: string; quote_start?: number }[];
      const section = await call(subject, 'GET', `/v1/sections/${cited?.section_id}`);
      if (cited?.quote_start === undefined) return;
      const bytes = Buffer.from(String(section.json.content));
      expect(bytes.subarray(cited.quote_start).toString()).toMatch(cited.quote ?? '');
    },
  },
  {
    says: 'pages are on query sections of E alone, and in the tree of both',
    only: ({ fake }) => fake,
    async check(subject) {
      const paged = `[[page 1]]\n# Report\n\nIntro.\n[[page 7]]\n## Cash flow\n\nPurchases of equipment.\n[[page 8]]\nMore.\n`;
      const body = form('report.pdf', 'application/pdf', paged);
      const receipt = await call(subject, 'POST', '/v1/documents', {
        body,
        headers: { 'idempotency-key': randomUUID() },
      });
      const id = receipt.json.document_id;
      await call(subject, 'GET', `/v1/documents/${id}`);
      const found = await post(subject, '/v1/query', { document_id: id, query: 'purchases of equipment' });
      const [hit] = items(found, 'sections');
      const pages = { page_start: 7, page_end: 8 };
      if (subject.dialect === 'E') expect(hit).toMatchObject(pages);
      else expect(hit).not.toHaveProperty('page_start');
      const tree = await call(subject, 'GET', `/v1/documents/${id}/tree`);
      expect(items(tree, 'sections').at(-1)).toMatchObject(pages);
      const section = await call(subject, 'GET', `/v1/sections/${hit?.id}`);
      if (subject.dialect === 'S') expect(section.json).not.toHaveProperty('page_start');
    },
  },
  {
    says: 'E gives a stored answer again for its token, and refuses another question',
    only: ({ dialect, fake }) => dialect === 'E' && fake,
    async check(subject) {
      const id = await ingested(subject, manual);
      const asked = await post(subject, '/v1/query', { document_id: id, query: 'gasket' });
      const base = { trace_token: asked.json.trace_token, document_id: id };
      const again = await post(subject, '/v1/replay', { ...base, query: 'gasket' });
      expect(again.text).toBe(asked.text);
      const other = await post(subject, '/v1/replay', { ...base, query: 'bearings' });
      expect([other.status, other.json]).toEqual([
        409,
        { error: 'input mismatch', details: 'query differs from original' },
      ]);
    },
  },
];
