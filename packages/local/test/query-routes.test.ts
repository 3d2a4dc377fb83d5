import { expect, test } from 'vitest';
import { HANDBOOK, openEngine } from './support/engine.ts';

const GUIDE = `# Field guide

## Birds

${'The heron stands in shallow water and waits for fish. '.repeat(40)}

## Mammals

${'The otter swims in rivers and plays on the bank. '.repeat(40)}
`;

test('a query answers sections with what it takes to cite them', async () => {
  const { ingest, post, call } = openEngine();
  const id = await ingest('guide.md', GUIDE);
  const { status, json } = await post('/v1/query', { document_id: id, query: 'Where does the otter play?' });
  expect(status).toBe(200);
  expect(json).toMatchObject({ document_id: id, query: 'Where does the otter play?', strategy: 'local' });
  expect(json.elapsed_ms).toBeTypeOf('number');
  const [best] = json.sections;
  expect(best).toMatchObject({
    id: expect.stringMatching(/^sec_/),
    parent_id: expect.any(String),
    title: 'Mammals',
    heading_path: ['Field guide'],
    summary: '',
    content: expect.stringContaining('otter swims'),
  });
  expect(best.score).toBeGreaterThan(0);
  expect(best.token_count).toBeGreaterThan(100);

  const section = await call('GET', `/v1/sections/${best.id}`);
  expect(section.json).toMatchObject({
    id: best.id,
    document_id: id,
    title: 'Mammals',
    content: best.content,
    heading_path: ['Field guide'],
    metadata: {},
    ordinal: expect.any(Number),
    depth: expect.any(Number),
  });
});

test('max_sections bounds the answer', async () => {
  const { ingest, post } = openEngine();
  const id = await ingest('guide.md', GUIDE);
  const ask = async (max_sections: number) =>
    (await post('/v1/query', { document_id: id, query: 'otter heron', max_sections })).json.sections.length;
  expect(await ask(1)).toBe(1);
  expect(await ask(0)).toBeGreaterThan(1);
  expect(await ask(-3)).toBeGreaterThan(1);
});

test.each([
  ['{}', 'document_id and query are required'],
  ['{"document_id":"doc_x","query":""}', 'document_id and query are required'],
  [
    '{"document_id":"doc_x","query":"a","max_sections":1.5}',
    'invalid json: "max_sections" must be an integer',
  ],
  ['[]', 'invalid json: an object is expected'],
])('query %s is refused', async (body, error) => {
  const { call } = openEngine();
  const answer = await call('POST', '/v1/query', body);
  expect([answer.status, answer.json]).toEqual([400, { error }]);
});

test('an unknown document is not found', async () => {
  const { post } = openEngine();
  const answer = await post('/v1/query', { document_id: 'doc_x', query: 'a' });
  expect([answer.status, answer.json]).toEqual([404, { error: 'document not found' }]);
});

test('a question without any word of the document is told so', async () => {
  const { ingest, post } = openEngine();
  const id = await ingest('guide.md', GUIDE);
  const { status, json } = await post('/v1/query', { document_id: id, query: 'quantum chromodynamics' });
  expect(status).toBe(200);
  expect(json).toMatchObject({ sections: [], abstained: true, abstention_reason: expect.any(String) });
  expect(json).not.toHaveProperty('elapsed_ms');
});

test('a document that failed or is not ready answers empty, without abstaining', async () => {
  const { upload, settled, post } = openEngine();
  const { json: accepted } = await upload('x.bin', new Uint8Array([0, 1]), { type: 'application/x-thing' });
  await settled(accepted.document_id);
  const { json } = await post('/v1/query', { document_id: accepted.document_id, query: 'a' });
  expect(json.sections).toEqual([]);
  expect(json).not.toHaveProperty('abstained');
});

test('several documents are ranked together, missing ones named', async () => {
  const { ingest, post } = openEngine();
  const guide = await ingest('guide.md', GUIDE);
  const handbook = await ingest('handbook.md', HANDBOOK);
  const { status, json } = await post('/v1/query/multi', {
    document_ids: [guide, handbook, 'doc_x', guide],
    query: 'vacation days and otter',
  });
  expect(status).toBe(200);
  expect(json.errors).toEqual({ doc_x: expect.stringContaining('db: not found') });
  expect(json.documents.map((document: { document_id: string }) => document.document_id)).toEqual([
    guide,
    handbook,
  ]);
  for (const { sections } of json.documents) {
    expect(sections.length).toBeGreaterThan(0);
    for (const section of sections) expect(section.score).toBeGreaterThan(0);
  }
  expect(json.total_usage.llm_calls).toBe(0);
});

test('when none of several documents exists the answer is the API’s', async () => {
  const { post } = openEngine();
  const answer = await post('/v1/query/multi', { document_ids: ['doc_x'], query: 'a' });
  expect(answer.status).toBe(500);
  expect(answer.json.error).toMatch(/^multi-doc retrieval failed: .*db: not found/);
  const empty = await post('/v1/query/multi', { document_ids: [], query: 'a' });
  expect([empty.status, empty.json]).toEqual([
    400,
    { error: 'document_ids (non-empty) and query are required' },
  ]);
});

test('the tree lists every section, under a root without id when there are several at the top', async () => {
  const { ingest, call } = openEngine();
  const id = await ingest('two.md', `${GUIDE}\n${GUIDE.replaceAll('Field guide', 'Second guide')}`);
  const { json } = await call('GET', `/v1/documents/${id}/tree`);
  expect(json).toMatchObject({ document_id: id, title: 'Field guide' });
  const [root, ...sections] = json.sections;
  expect(root).toMatchObject({ id: '', depth: 0 });
  for (const child of root.children) {
    const top = sections.find((section: { id: string }) => section.id === child);
    expect(top).toMatchObject({ depth: 1 });
    expect(top).not.toHaveProperty('parent_id');
  }
  const birds = sections.find((section: { title: string }) => section.title === 'Birds');
  expect(sections.find((section: { id: string }) => section.id === birds.parent_id).children).toContain(
    birds.id,
  );
});

test('the tree of a failed document is null', async () => {
  const { upload, settled, call } = openEngine();
  const { json } = await upload('x.bin', new Uint8Array([0, 1]), { type: 'application/x-thing' });
  await settled(json.document_id);
  expect((await call('GET', `/v1/documents/${json.document_id}/tree`)).json.sections).toBeNull();
});

test('a question about somebody the document never mentions is told so, unless the caller wants it anyway', async () => {
  const { ingest, post } = openEngine();
  const id = await ingest('guide.md', GUIDE);
  const query = 'Where does the otter of Maria Sandoval play?';
  const { json } = await post('/v1/query', { document_id: id, query });
  expect(json).toMatchObject({
    sections: [],
    abstained: true,
    abstention_reason: expect.stringContaining('never mentions Maria Sandoval'),
  });
  const insisting = await post('/v1/query', { document_id: id, query, enable_abstain: false });
  expect(insisting.json.sections).not.toHaveLength(0);
  const several = await post('/v1/query/multi', { document_ids: [id], query });
  expect(several.json.documents).toMatchObject([{ document_id: id, sections: [] }]);
});
