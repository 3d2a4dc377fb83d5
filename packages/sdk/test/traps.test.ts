import { Vectorless } from '@vectorless/sdk';
import { describe, expect, it } from 'vitest';
import { failureOf } from './support/failure.ts';
import { json, type Step, serve } from './support/server.ts';

async function clientOf(...steps: Step[]) {
  const api = await serve(...steps);
  return { client: new Vectorless({ baseUrl: api.url }), api };
}

const rows = (...times: string[]) =>
  times.map((created_at, index) => ({ id: `doc_${index}`, title: 'A', status: 'ready', created_at }));

describe('paging', () => {
  it('reads `documents` where there are no `items`', async () => {
    const { client } = await clientOf(json({ documents: rows('2026-01-01T00:00:00Z') }));
    expect((await client.documents.list()).documents).toHaveLength(1);
  });

  it('notices a server that ignores the cursor and starts over', async () => {
    const first = { items: rows('2026-03-01T00:00:00+01:00'), next_cursor: '2026-03-01T00:00:00+01:00' };
    const { client } = await clientOf(json(first));
    for (const cursor of ['2026-02-01T00:00:00Z', 'garbage']) {
      const failure = await failureOf(client.documents.list({ cursor }));
      expect(failure).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('cursor') });
    }
  });

  it('accepts cursors that are no times, where the server’s are none either', async () => {
    const { client } = await clientOf(json({ items: rows('2026-03-01T00:00:00Z'), next_cursor: 'p:3' }));
    expect((await client.documents.list({ cursor: 'p:2' })).nextCursor).toBe('p:3');
  });

  it('ends when the cursor does not move', async () => {
    const { client } = await clientOf(json({ items: [], next_cursor: 'p:2' }));
    expect((await client.documents.list({ cursor: 'p:2' })).nextCursor).toBeUndefined();
  });

  it('ends where `has_more` is false whatever the cursor says', async () => {
    const { client } = await clientOf(json({ items: [], has_more: false, next_cursor: 'x' }));
    expect((await client.documents.list()).nextCursor).toBeUndefined();
  });
});

describe('a tree', () => {
  it('that is null is empty', async () => {
    const { client } = await clientOf(json({ document_id: 'doc_1', title: 'A', sections: null }));
    expect(await client.documents.tree('doc_1')).toEqual({ documentId: 'doc_1', title: 'A', sections: [] });
  });

  it('loses its synthetic root, and its sections rise by one', async () => {
    const sections = [
      { id: '', depth: 0, title: 'Report', tokens: 9, children: ['sec_1', 'sec_2'] },
      { id: 'sec_1', depth: 1, title: 'One', tokens: 4, children: ['sec_3'], page_start: 1, page_end: 2 },
      { id: 'sec_3', parent_id: 'sec_1', depth: 2, title: 'Three', tokens: 2, summary: 's' },
      { id: 'sec_2', depth: 1, title: 'Two', tokens: 3 },
    ];
    const { client } = await clientOf(json({ document_id: 'doc_1', title: 'Report', sections }));
    expect((await client.documents.tree('doc_1')).sections).toEqual([
      { id: 'sec_1', depth: 0, title: 'One', tokens: 4, children: ['sec_3'], pageStart: 1, pageEnd: 2 },
      { id: 'sec_3', parentId: 'sec_1', depth: 1, title: 'Three', tokens: 2, summary: 's', children: [] },
      { id: 'sec_2', depth: 0, title: 'Two', tokens: 3, children: [] },
    ]);
  });

  it('with one top-level section keeps its depths', async () => {
    const sections = [{ id: 'sec_1', depth: 0, title: 'One', tokens: 4, page_start: 0 }];
    const { client } = await clientOf(json({ document_id: 'doc_1', title: 'A', sections }));
    const [section] = (await client.documents.tree('doc_1')).sections;
    expect(section).toMatchObject({ id: 'sec_1', depth: 0 });
    expect(section?.pageStart).toBeUndefined();
  });
});

describe('a query over many documents', () => {
  const found = (id: string) => ({ document_id: id, sections: [{ id: `sec_${id}` }], usage: {} });

  it('comes back in the order in which they were named, duplicates once', async () => {
    const { client, api } = await clientOf(
      json({ query: 'q', documents: [found('c'), found('a')], errors: { b: 'load tree b: db: not found' } }),
    );
    const result = await client.queryMany({ documentIds: ['a', 'b', 'c', 'a'], query: 'q', maxSections: 3 });
    expect(result.documents.map(({ documentId }) => documentId)).toEqual(['a', 'c']);
    expect(result.errors).toEqual({ b: 'load tree b: db: not found' });
    expect(JSON.parse(String(api.seen[0]?.body))).toMatchObject({ max_sections: 3 });
  });

  it('of which none is found is `not_found`, though the server calls it a 500', async () => {
    const { client } = await clientOf(json({ error: 'multi-doc retrieval failed: b: db: not found' }, 500));
    const failure = await failureOf(client.queryMany({ documentIds: ['b'], query: 'q' }));
    expect(failure).toMatchObject({ code: 'not_found', status: 500 });
  });

  it('needs documents', async () => {
    const { client, api } = await clientOf(json({}));
    expect((await failureOf(client.queryMany({ documentIds: [], query: 'q' }))).code).toBe('invalid_request');
    expect(api.seen).toEqual([]);
  });
});

describe('an answer', () => {
  it('cites sections, with the place of a quote in bytes', async () => {
    const citations = [
      {
        section_id: 'sec_1',
        title: 'A',
        page_start: 3,
        page_end: 3,
        quote: 'ä',
        quote_start: 0,
        quote_end: 2,
      },
      { section_id: 'sec_2', title: 'B' },
    ];
    const { client, api } = await clientOf(
      json({
        document_id: 'doc_1',
        query: 'q',
        answer: 'A.',
        citations,
        strategy: 'auto',
        trace_token: 'ab',
      }),
    );
    const result = await client.answer({ documentId: 'doc_1', query: 'q', maxAnswerTokens: 100 });
    expect(result).toMatchObject({ answer: 'A.', abstained: false, traceToken: 'ab', strategy: 'auto' });
    expect(result.citations).toEqual([
      {
        sectionIds: ['sec_1'],
        title: 'A',
        pageStart: 3,
        pageEnd: 3,
        quote: 'ä',
        quoteBytes: { start: 0, end: 2 },
      },
      { sectionIds: ['sec_2'], title: 'B' },
    ]);
    expect(JSON.parse(String(api.seen[0]?.body))).toEqual({
      ...{ document_id: 'doc_1', query: 'q', max_answer_tokens: 100 },
    });
  });

  it('by treewalk cites pages, is never streamed, and may have null lists', async () => {
    const citations = [
      { start_page: 2, end_page: 4, section_ids: null, quote: 'x' },
      { start_page: 5, end_page: 5, section_ids: ['sec_1'], title_path: ['Top', 'Leaf'] },
    ];
    const { client, api } = await clientOf(
      json({ document_id: 'd', query: 'q', answer: '', citations, confidence: 0.5, pages_read: null }),
    );
    const asked = { documentId: 'd', query: 'q', maxHops: 2, maxCharactersPerHop: 9 };
    const result = await client.answerTreewalk(asked);
    expect(result.confidence).toBe(0.5);
    expect(result.citations).toEqual([
      { sectionIds: [], pageStart: 2, pageEnd: 4, quote: 'x' },
      { sectionIds: ['sec_1'], title: 'Leaf', pageStart: 5, pageEnd: 5 },
    ]);
    expect(api.seen[0]?.path).toBe('/v1/answer/treewalk');
    expect(JSON.parse(String(api.seen[0]?.body))).toEqual({
      ...{ document_id: 'd', query: 'q', max_hops: 2, max_pages_per_fetch: 9 },
    });
  });

  it('may be withheld', async () => {
    const { client } = await clientOf(json({ answer: 'I cannot tell.', citations: [], abstained: true }));
    expect(await client.answer({ documentId: 'd', query: 'q' })).toMatchObject({
      ...{ documentId: 'd', query: 'q', abstained: true, citations: [] },
    });
  });
});

it('replays an answer, and tells which input differs', async () => {
  const stored = { document_id: 'd', query: 'q', sections: [] };
  const mismatch = { error: 'input mismatch', details: 'query differs from original' };
  const { client, api } = await clientOf(json(stored), json(mismatch, 409));
  const asked = { traceToken: 'ab', documentId: 'd', query: 'q' };
  expect(await client.replay(asked)).toEqual(stored);
  expect(JSON.parse(String(api.seen[0]?.body))).toEqual({ trace_token: 'ab', document_id: 'd', query: 'q' });
  const failure = await failureOf(client.replay(asked));
  expect(failure).toMatchObject({ code: 'conflict', message: expect.stringContaining('query differs') });
});

it('keeps the server’s order of sections and its sentence-length silence', async () => {
  const sections = [{ id: 'sec_9' }, { id: 'sec_1' }];
  const { client } = await clientOf(json({ sections }), json({ sections: null }));
  const ask = { documentId: 'doc_1', query: 'q' };
  expect((await client.query(ask)).sections.map(({ id }) => id)).toEqual(['sec_9', 'sec_1']);
  expect((await client.query(ask)).sections).toEqual([]);
});

it('streams the source, and outlines where there are any', async () => {
  const bytes = Buffer.alloc(300_000, 'pdf');
  const { client } = await clientOf(
    (_request, response) => {
      const headers = { 'content-type': 'application/pdf', 'content-disposition': 'inline; filename="A"' };
      response.writeHead(200, headers).end(bytes);
    },
    json({ error: 'document not found' }, 404),
    (_request, response) => void response.end('# A\n'),
  );
  const response = await client.documents.source('doc_1');
  expect(response.headers.get('content-type')).toBe('application/pdf');
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  expect((await failureOf(client.documents.source('doc_1'))).code).toBe('not_found');
  expect(await client.documents.llmsTxt('doc_1')).toBe('# A\n');
});
