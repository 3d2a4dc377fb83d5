import { Vectorless } from '@vectorless/sdk';
import { describe, expect, it } from 'vitest';
import { json, serve } from './support/server.ts';

const item = {
  ...{ id: 'doc_1', title: 'Report', content_type: 'application/pdf', status: 'ready', byte_size: 9 },
  ...{ created_at: '2026-01-02T03:04:05.123456789+01:00', updated_at: '2026-01-02T03:04:05Z' },
};

describe('the multi-tenant server', () => {
  it('lists documents, with the array twice and a null cursor', async () => {
    const entry = { ...item, doc_id: 'doc_1', source_type: 'pdf' };
    const api = await serve(
      json({ documents: [entry], items: [entry], has_more: false, next_cursor: null, new_field: 1 }),
    );
    const page = await new Vectorless({ baseUrl: api.url }).documents.list();
    expect(page).toEqual({
      documents: [
        {
          ...{ id: 'doc_1', title: 'Report', contentType: 'application/pdf', sourceType: 'pdf' },
          ...{ status: 'ready', byteSize: 9 },
          createdAt: '2026-01-02T03:04:05.123456789+01:00',
          updatedAt: '2026-01-02T03:04:05Z',
        },
      ],
      nextCursor: undefined,
    });
  });

  it('gets its organisation and store as headers, and the key as a bearer token', async () => {
    const api = await serve(json({ items: [] }));
    const client = new Vectorless({ baseUrl: `${api.url}/v1/`, apiKey: 'k1', org: 'acme', store: 'legal' });
    await client.documents.list();
    const [seen] = api.seen;
    expect(seen?.path).toBe('/v1/documents');
    expect(seen?.headers).toMatchObject({
      ...{ authorization: 'Bearer k1', 'x-vectorless-org': 'acme', 'x-vectorless-store': 'legal' },
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('sends no header that is not set', async () => {
    const api = await serve(json({ items: [] }));
    await new Vectorless({ baseUrl: api.url, apiKey: '' }).documents.list();
    expect(Object.keys(api.seen[0]?.headers ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/authorization|x-vectorless/)]),
    );
  });

  it('queries with usage and without a trace token', async () => {
    const section = { id: 'sec_1', parent_id: '', title: 'A', summary: '', token_count: 3, content: 'text' };
    const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3, llm_calls: 1, cost_usd: 0 };
    const api = await serve(
      json({ document_id: 'doc_1', query: 'q', strategy: 'auto', model: '', sections: [section], usage }),
    );
    const client = new Vectorless({ baseUrl: api.url });
    const result = await client.query({ documentId: 'doc_1', query: 'q', maxSections: 2, strategy: 'auto' });
    expect(JSON.parse(String(api.seen[0]?.body))).toEqual({
      ...{ document_id: 'doc_1', query: 'q', max_sections: 2, strategy: 'auto' },
    });
    expect(result.sections).toEqual([{ id: 'sec_1', title: 'A', tokenCount: 3, content: 'text' }]);
    expect(result).toMatchObject({
      abstained: false,
      strategy: 'auto',
      usage: { totalTokens: 3, costUsd: 0 },
    });
    expect(result.traceToken).toBeUndefined();
  });
});

describe('the standalone engine', () => {
  it('lists documents, with a cursor only where there is a next page', async () => {
    const api = await serve(json({ items: [item], next_cursor: item.created_at }), json({ items: [] }));
    const client = new Vectorless({ baseUrl: api.url });
    const page = await client.documents.list({ limit: 1, status: 'ready' });
    expect(page.nextCursor).toBe(item.created_at);
    expect((await client.documents.list({ cursor: page.nextCursor })).nextCursor).toBeUndefined();
    expect(api.seen.map(({ path }) => path)).toEqual([
      '/v1/documents?limit=1&status=ready',
      '/v1/documents?cursor=2026-01-02T03%3A04%3A05.123456789%2B01%3A00',
    ]);
  });

  it('abstains without model, time and trace token', async () => {
    const api = await serve(
      json({
        ...{ document_id: 'doc_1', query: 'q', sections: [], strategy: 'agentic', abstained: true },
        ...{ abstention_reason: 'nothing fits', min_confidence_threshold: 0.4, candidate_confidences: {} },
      }),
    );
    const result = await new Vectorless({ baseUrl: api.url }).query({ documentId: 'doc_1', query: 'q' });
    expect(result).toMatchObject({ abstained: true, abstentionReason: 'nothing fits', sections: [] });
  });

  it('sends pages, scores and a trace token with a query', async () => {
    const section = {
      ...{ id: 'sec_1', parent_id: 'sec_0', title: 'A', summary: 's', token_count: 3, content: 'text' },
      ...{ page_start: 60, page_end: 61, score: 87, heading_path: ['Item 8', 'Statements'] },
      answer_span: { start: -1, end: -1, text: 'x' },
    };
    const plan = { intent: 'lookup', entities: null, sub_questions: null };
    const api = await serve(
      json({ document_id: 'doc_1', query: 'q', sections: [section], trace_token: 'ab', plan }),
    );
    const result = await new Vectorless({ baseUrl: api.url }).query({ documentId: 'doc_1', query: 'q' });
    expect(result.traceToken).toBe('ab');
    expect(result.usage).toBeUndefined();
    expect(result.sections[0]).toMatchObject({
      ...{ parentId: 'sec_0', pageStart: 60, pageEnd: 61, score: 87 },
      headingPath: ['Item 8', 'Statements'],
    });
  });
});

it('describes a document with and without the fields that only one server has', async () => {
  const detail = { ...item, error_message: '', metadata: {} };
  const api = await serve(
    json({ ...detail, doc_id: 'doc_1', source_type: 'pdf', section_count: 4 }),
    json({ ...detail, status: 'failed', error_message: 'parse: no', page_count: 12, pages_read: 10 }),
  );
  const client = new Vectorless({ baseUrl: api.url });
  const first = await client.documents.get('doc_1');
  expect(first).toMatchObject({ sectionCount: 4, metadata: {}, status: 'ready' });
  expect(first.errorMessage).toBeUndefined();
  const second = await client.documents.get('doc_1');
  expect(second).toMatchObject({ errorMessage: 'parse: no', pageCount: 12, pagesRead: 10 });
});

it('reads sections of both servers', async () => {
  const common = {
    ...{ id: 'sec_1', document_id: 'doc_1', parent_id: '', ordinal: 1, depth: 1, title: 'A', summary: '' },
    ...{ token_count: 3, metadata: {}, content: '' },
  };
  const api = await serve(
    json(common),
    json({ ...common, page_start: 2, page_end: 3, heading_path: ['Top'], content: 'a < b' }),
  );
  const client = new Vectorless({ baseUrl: api.url });
  expect(await client.sections.get('sec_1')).toEqual({
    ...{ id: 'sec_1', documentId: 'doc_1', depth: 1, title: 'A', tokenCount: 3, content: '' },
  });
  expect(await client.sections.get('sec_1')).toMatchObject({
    ...{ pageStart: 2, pageEnd: 3, headingPath: ['Top'], content: 'a < b' },
  });
});

it('answers health and version', async () => {
  const api = await serve(json({ status: 'ok' }), json({ version: 'dev' }));
  const client = new Vectorless({ baseUrl: api.url });
  await expect(client.health()).resolves.toBeUndefined();
  await expect(client.version()).resolves.toBe('dev');
});
