import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../src/tools/budget.ts';
import { textOf } from '../../support/connect.ts';
import { connectVectors } from './connect.ts';

const errorIn = (text: string): string => (JSON.parse(text) as { error: string }).error;

describe('dimensions', () => {
  it('another dimension is refused with both numbers', async () => {
    const vectors = await connectVectors();
    await vectors.call('vector_add', { id: 'a', embedding: [1, 2, 3] });
    expect(errorIn(await vectors.fail('vector_add', { id: 'b', embedding: [1, 2] }))).toMatch(
      /\b2 dim.*\b3\b/,
    );
    expect(errorIn(await vectors.fail('vector_search', { query: [1, 2] }))).toMatch(/\b2 dim.*\b3\b/);
    expect(
      await vectors.call('vector_add', { id: 'b', embedding: [1, 2], namespace: 'other' }),
    ).toMatchObject({
      dimension: 2,
    });
  });

  it('above 4,096 there is a note, above 16,384 a refusal', async () => {
    const vectors = await connectVectors();
    const add = (dimension: number) => ({
      ...{ id: 'a', namespace: `${dimension}`, embedding: new Array<number>(dimension).fill(1) },
    });
    expect(await vectors.call('vector_add', add(4096))).not.toHaveProperty('note');
    expect(await vectors.call('vector_add', add(4097))).toMatchObject({
      note: expect.stringContaining('4096'),
    });
    expect(await vectors.call('vector_add', add(16_384))).toMatchObject({ status: 'added' });
    expect(errorIn(await vectors.fail('vector_add', add(16_385)))).toMatch(/16384.*16385/);
    expect(errorIn(await vectors.fail('vector_search', { query: add(16_385).embedding }))).toMatch(/16384/);
  });
});

describe('k', () => {
  it('is 10 unless said, 1,000 at most with a note, and refused below 1', async () => {
    const vectors = await connectVectors();
    for (let i = 0; i < 12; i++) await vectors.call('vector_add', { id: `${i}`, embedding: [1, i] });
    const found = async (more: object) =>
      (await vectors.call('vector_search', { query: [1, 0], ...more })).results as unknown[];
    expect(await found({})).toHaveLength(10);
    expect(await found({ k: 5 })).toHaveLength(5);
    expect(await found({ k: '5' })).toHaveLength(5);
    const clamped = await vectors.result('vector_search', { query: [1, 0], k: 5000 });
    expect(clamped.structuredContent).toMatchObject({
      total_searched: 12,
      note: '`k` must be a whole number, at most 1000; 1000 was used.',
    });
    // The text is JSON, with a note as without.
    expect(JSON.parse(textOf(clamped))).toEqual(clamped.structuredContent);
    for (const k of [0, -3]) {
      expect(await vectors.fail('vector_search', { query: [1, 0], k })).toBe(
        '{"error":"k must be an integer from 1 to 1000"}',
      );
    }
  });
});

describe('errors', () => {
  it.each([
    ['vector_add', { embedding: [1] }, '`id` is missing'],
    ['vector_add', { id: { a: 1 }, embedding: [1] }, '`id` must be a text'],
    ['vector_search', { query: [1], k: 'many' }, '`k` must be a whole number'],
    ['vector_delete', {}, '`id` is missing'],
    ['vector_count', { store_name: ['a', 'b'] }, '`store_name` must be a text'],
  ])('of %s are the promised JSON, whatever is wrong', async (name, args, sentence) => {
    const vectors = await connectVectors();
    const text = await vectors.fail(name, args);
    expect(JSON.parse(text)).toEqual({ error: expect.stringContaining(sentence) });
  });
});

describe('notes', () => {
  it('of the tool and of its arguments stand beside each other', async () => {
    const vectors = await connectVectors();
    await vectors.call('vector_add', { id: 'a', embedding: [1, 0] });
    await vectors.call('vector_add', { id: 'b', embedding: [1, 0, 0], namespace: 'three' });
    const { note } = await vectors.call('vector_search', { query: [1, 0], k: 5000 });
    expect(note).toBe(
      '1 vector in namespaces of another dimension than 2 was not searched. `k` must be a whole number, at most 1000; 1000 was used.',
    );
  });
});

describe('namespaces', () => {
  it('without one, adding and deleting mean the default one, searching and counting the whole store', async () => {
    const vectors = await connectVectors();
    await vectors.call('vector_add', { id: 'a', embedding: [1, 0] });
    await vectors.call('vector_add', { id: 'a', embedding: [1, 0], namespace: 'chapter-1' });
    expect(await vectors.call('vector_count', {})).toMatchObject({ count: 2 });
    expect((await vectors.call('vector_search', { query: [1, 0] })).results).toEqual([
      { id: 'a', score: 1, metadata: {}, namespace: 'default' },
      { id: 'a', score: 1, metadata: {}, namespace: 'chapter-1' },
    ]);
    const within = await vectors.call('vector_search', { query: [1, 0], namespace: 'chapter-1' });
    expect(within).toEqual({ results: [{ id: 'a', score: 1, metadata: {} }], total_searched: 1 });
    await vectors.call('vector_delete', { id: 'a' });
    expect(await vectors.call('vector_count', { namespace: 'chapter-1' })).toMatchObject({ count: 1 });
    expect(await vectors.call('vector_count', { namespace: 'default' })).toMatchObject({ count: 0 });
  });

  it('says what a search of the whole store could not compare', async () => {
    const vectors = await connectVectors();
    await vectors.call('vector_add', { id: 'a', embedding: [1, 0] });
    await vectors.call('vector_add', { id: 'b', embedding: [1, 0, 0], namespace: 'other' });
    expect(await vectors.call('vector_search', { query: [1, 0] })).toMatchObject({
      total_searched: 1,
      note: expect.stringContaining('1 vector in namespaces of another dimension'),
    });
  });
});

describe('arguments', () => {
  it('come in the forms that models give them', async () => {
    const vectors = await connectVectors();
    const sloppy = { id: 7, embedding: '[0.1, 0.2]', metadata: '{"a":1}', storeName: 's', namespace: '' };
    expect(await vectors.call('vector_add', sloppy)).toEqual({ status: 'added', id: '7', dimension: 2 });
    const asked = { vector: '0.1, 0.2', store: 's', filter: { a: 1 }, top_k: '3' };
    expect(await vectors.call('vector_search', asked)).toMatchObject({
      results: [{ id: '7', score: 1, metadata: { a: 1 }, namespace: 'default' }],
    });
  });

  it.each([
    ['vector_add', { id: '', embedding: [1] }, 'id must have 1 to 512'],
    ['vector_add', { id: 'x'.repeat(513), embedding: [1] }, 'id must have 1 to 512'],
    [
      'vector_add',
      { id: 'a', embedding: [1], store_name: 'x'.repeat(129) },
      'store_name may have at most 128',
    ],
    ['vector_count', { namespace: 'x'.repeat(129) }, 'namespace may have at most 128'],
    ['vector_add', { id: 'a', embedding: [1], metadata: [1] }, 'metadata must be an object'],
    ['vector_add', { id: 'a', embedding: [1], metadata: 'x' }, 'metadata must be an object'],
    [
      'vector_add',
      { id: 'a', embedding: [1], metadata: { a: 'x'.repeat(65_536) } },
      'metadata may take at most 65536',
    ],
    ['vector_search', { query: [1], metadata_filter: 5 }, 'metadata_filter must be an object'],
    [
      'vector_add',
      { id: 'a', embedding: [1], metadata: JSON.parse(`{"a":${'['.repeat(9999)}${']'.repeat(9999)}}`) },
      'metadata may nest at most 32',
    ],
  ])('%s refuses what is too much or of the wrong kind: %#', async (name, args, sentence) => {
    const vectors = await connectVectors();
    expect(errorIn(await vectors.fail(name, args))).toContain(sentence);
    expect(await vectors.call('vector_count', {})).toMatchObject({ count: 0 });
  });

  it('names what is missing, and shows a call that works', async () => {
    const vectors = await connectVectors();
    expect(errorIn(await vectors.fail('vector_delete', {}))).toMatch(
      /`id` is missing.*vector_delete \{"id":"doc-abc-123"\}/,
    );
  });

  it('keeps metadata as it came, __proto__ included', async () => {
    const vectors = await connectVectors();
    const metadata = JSON.parse('{"__proto__":{"a":[1,{"b":null}]},"a.b":1.5,"ü":"🚀"}') as Record<
      string,
      unknown
    >;
    await vectors.call('vector_add', { id: 'a', embedding: [1], metadata });
    for (const metadata_filter of [{}, JSON.parse('{"__proto__":{"a":[1,{"b":null}]}}'), { 'a.b': 1.5 }]) {
      const { results } = await vectors.call('vector_search', { query: [1], metadata_filter });
      expect(JSON.stringify(results)).toContain(JSON.stringify(metadata));
    }
    for (const metadata_filter of [{ 'a.b': '1.5' }, { a: { b: 1.5 } }, { constructor: null }]) {
      expect(await vectors.call('vector_search', { query: [1], metadata_filter })).toEqual({
        ...{ results: [], total_searched: 0 },
      });
    }
  });
});

describe('results', () => {
  it.each([
    ['cosine', [1, 0.6, 0], ['near', 'half', 'far']],
    ['dot', [6, 2, 0], ['half', 'near', 'far']],
    ['euclidean', [0, 4, Math.sqrt(8)], ['near', 'far', 'half']],
  ])('by %s carry the metric’s own value in its order', async (metric, scores, order) => {
    const vectors = await connectVectors({ VECTORLESS_VECTOR_METRIC: metric });
    await vectors.call('vector_add', { id: 'near', embedding: metric === 'dot' ? [1, 0] : [2, 0] });
    await vectors.call('vector_add', { id: 'half', embedding: metric === 'euclidean' ? [6, 0] : [3, 4] });
    await vectors.call('vector_add', { id: 'far', embedding: [0, 2] });
    const { results } = await vectors.call('vector_search', { query: [2, 0] });
    const found = results as { id: string; score: number }[];
    const byOrder = metric === 'euclidean' ? ['near', 'far', 'half'] : order;
    expect(found.map(({ id }) => id)).toEqual(byOrder);
    expect(found.map(({ score }) => score)).toEqual(
      metric === 'euclidean' ? [0, Math.fround(Math.sqrt(8)) && Math.sqrt(8), 4] : scores,
    );
  });

  it('hold the budget, in text and in structured content, and say what they leave out', async () => {
    const vectors = await connectVectors({ VECTORLESS_MAX_RESULT_TOKENS: '1000' });
    for (let i = 0; i < 200; i++) {
      await vectors.call('vector_add', {
        id: `${i}`,
        embedding: [1, i],
        metadata: { text: 'word '.repeat(i * 20) },
      });
    }
    const answer = await vectors.result('vector_search', { query: [1, 0], k: 200 });
    const text = textOf(answer);
    expect(estimateTokens(text)).toBeLessThanOrEqual(1000);
    expect(JSON.parse(text)).toEqual(answer.structuredContent);
    const { results, note } = answer.structuredContent as { results: { metadata?: object }[]; note: string };
    expect(note).toMatch(/leaves out \d+ more results and the metadata of \d+ results/);
    expect(results[0]).toMatchObject({ id: '0', metadata: { text: '' } });
    expect(results.at(-1)).not.toHaveProperty('metadata');
  });

  it('show one result even when its metadata is beyond the budget', async () => {
    const vectors = await connectVectors({ VECTORLESS_MAX_RESULT_TOKENS: '500' });
    await vectors.call('vector_add', { id: 'a', embedding: [1], metadata: { text: 'word '.repeat(5000) } });
    expect(await vectors.call('vector_search', { query: [1] })).toMatchObject({
      results: [{ id: 'a', score: 1 }],
      note: expect.stringContaining('metadata of 1 results'),
    });
  });
});

describe('callers', () => {
  it('have stores of their own', async () => {
    const vectors = await connectVectors();
    await vectors.call('vector_add', { id: 'a', embedding: [1] });
    const other = await vectors.as({ id: 'someone else' });
    expect(await other.call('vector_count', {})).toMatchObject({ count: 0 });
    expect(await other.call('vector_delete', { id: 'a' })).toMatchObject({ deleted: false });
    expect(await other.call('vector_add', { id: 'a', embedding: [1, 2] })).toMatchObject({ status: 'added' });
    expect(await vectors.call('vector_count', {})).toMatchObject({ count: 1 });
  });

  it('get the tools that their grants and the owner’s settings allow', async () => {
    const names = async (env: Record<string, string>, grants: readonly ('read' | 'write' | 'delete')[]) => {
      const { client } = await (await connectVectors(env)).as({ grants: new Set(grants) });
      return (await client.listTools()).tools.map(({ name }) => name).sort();
    };
    const all = ['vector_add', 'vector_count', 'vector_delete', 'vector_search'];
    expect(await names({}, ['read', 'write', 'delete'])).toEqual(all);
    expect(await names({}, ['read'])).toEqual(['vector_count', 'vector_search']);
    expect(await names({ VECTORLESS_READ_ONLY: 'true' }, ['read', 'write', 'delete'])).toEqual([
      ...['vector_count', 'vector_search'],
    ]);
    expect(await names({ VECTORLESS_TOOLS: 'search,vector_add' }, ['read', 'write', 'delete'])).toEqual([
      ...['vector_add', 'vector_search'],
    ]);
    expect(await names({ VECTORLESS_TOOLSETS: 'documents' }, ['read'])).not.toContain('vector_count');
    expect(await names({ VECTORLESS_TOOLSETS: 'documents,vectors' }, ['read'])).toEqual([
      ...['vector_count', 'vector_search', 'vectorless_get_section', 'vectorless_list_documents'],
      'vectorless_query',
    ]);
  });
});

it('publishes what every client accepts', async () => {
  const { client } = await connectVectors();
  const { tools } = await client.listTools();
  expect(tools).toMatchSnapshot();
});
