import { beforeEach, describe, expect, it } from 'vitest';
import { connectVectors, type Vectors } from './connect.ts';

/** What the specification of these tools shows, to the letter. */
let vectors: Vectors;
beforeEach(async () => {
  vectors = await connectVectors();
});

const paper = {
  id: 'doc-abc-123',
  embedding: [0.1, 0.2, 0.3, 0.4],
  metadata: { source: 'arxiv', title: 'Attention Is All You Need' },
};

describe('vector_add', () => {
  it('answers with status, id and dimension', async () => {
    expect(await vectors.call('vector_add', paper)).toEqual({
      status: 'added',
      id: 'doc-abc-123',
      dimension: 4,
    });
  });

  it('overwrites an id that exists, metadata wholly', async () => {
    await vectors.call('vector_add', paper);
    const again = { ...paper, metadata: { year: 2026 } };
    expect(await vectors.call('vector_add', again)).toMatchObject({ status: 'updated' });
    expect(await vectors.call('vector_add', again)).toMatchObject({ status: 'updated' });
    expect(await vectors.call('vector_search', { query: paper.embedding })).toMatchObject({
      results: [{ id: 'doc-abc-123', metadata: { year: 2026 } }],
      total_searched: 1,
    });
  });

  it.each([
    ['nothing', []],
    ['text', 'not an embedding'],
    ['numbers as text', ['0.1', '0.2']],
    ['null', [0.1, null]],
    ['a number alone', 0.5],
    ['an object', { 0: 1 }],
    ['nested arrays', [[0.1, 0.2]]],
    ['booleans', [true, false]],
    ['what float32 cannot hold', [1e39]],
    ['NaN as text', ['NaN']],
    ['infinity as text', '[1e999]'],
    ['no value', null],
    ['no argument', undefined],
  ])('refuses %s in the words of the specification', async (_what, embedding) => {
    const args = { id: 'a', ...(embedding !== undefined && { embedding }) };
    expect(await vectors.fail('vector_add', args)).toBe(
      '{"error":"Embedding must be a non-empty array of numbers"}',
    );
    expect(await vectors.call('vector_count', {})).toEqual({ count: 0, store_name: 'default' });
  });
});

describe('vector_search', () => {
  it('answers with ordered results and the number searched', async () => {
    await vectors.call('vector_add', { ...paper, namespace: 'papers' });
    await vectors.call('vector_add', { ...paper, id: 'far', embedding: [-1, 0, 0, 0], namespace: 'papers' });
    await vectors.call('vector_add', {
      ...paper,
      id: 'blog',
      metadata: { source: 'blog' },
      namespace: 'papers',
    });
    const args = {
      query: [0.1, 0.2, 0.3, 0.4],
      k: 3,
      metadata_filter: { source: 'arxiv' },
      namespace: 'papers',
    };
    const answer = await vectors.call('vector_search', args);
    expect(answer).toEqual({
      results: [
        { id: 'doc-abc-123', score: 1, metadata: paper.metadata },
        { id: 'far', score: expect.closeTo(-0.1826, 3), metadata: paper.metadata },
      ],
      total_searched: 2,
    });
  });

  it('is empty for an empty store, and does not create one', async () => {
    const empty = { results: [], total_searched: 0 };
    expect(await vectors.call('vector_search', { query: [1, 2], store_name: 'none' })).toEqual(empty);
    expect(await vectors.call('vector_search', { query: [1, 2, 3], store_name: 'none' })).toEqual(empty);
  });

  it.each([
    ['nothing', []],
    ['text', 'x'],
    ['no argument', undefined],
    ['null', [null]],
    ['too much', [1e39]],
  ])('refuses %s in the words of the specification', async (_what, query) => {
    expect(await vectors.fail('vector_search', query === undefined ? {} : { query })).toBe(
      '{"error":"Query embedding must be a non-empty array"}',
    );
  });
});

describe('vector_delete', () => {
  it('says whether the vector was there, and is no error when it was not', async () => {
    await vectors.call('vector_add', paper);
    expect(await vectors.call('vector_delete', { id: 'doc-abc-123' })).toEqual({
      deleted: true,
      id: 'doc-abc-123',
    });
    expect(await vectors.call('vector_delete', { id: 'doc-abc-123' })).toEqual({
      deleted: false,
      id: 'doc-abc-123',
    });
  });
});

describe('vector_count', () => {
  it('counts a store or a namespace, and names the store', async () => {
    const place = { store_name: 'project_embeddings', namespace: 'chapter-1' };
    expect(await vectors.call('vector_count', place)).toEqual({ count: 0, store_name: 'project_embeddings' });
    await vectors.call('vector_add', { ...paper, ...place });
    await vectors.call('vector_add', { ...paper, store_name: 'project_embeddings' });
    expect(await vectors.call('vector_count', place)).toEqual({ count: 1, store_name: 'project_embeddings' });
    expect(await vectors.call('vector_count', { store_name: 'project_embeddings' })).toMatchObject({
      count: 2,
    });
    expect(await vectors.call('vector_count', {})).toEqual({ count: 0, store_name: 'default' });
  });
});
