import { VectorlessError } from '@vectorless/sdk';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../support/connect.ts';
import { connectDocuments, type Setup } from '../../support/documents.ts';
import {
  aDocument,
  aQuerySection,
  aTreeSection,
  type FakeSdk,
  fakeSdk,
  library,
} from '../../support/fake-sdk.ts';

interface Sections {
  sections: {
    section_id: string;
    content: string;
    score?: number;
    next_offset?: number;
    document_id: string;
  }[];
  not_shown?: { section_id: string }[];
  searched?: number;
  failed?: { document_id: string; error: string }[];
  choose_from?: { document_id: string }[];
}

async function ask(fake: FakeSdk, args: Record<string, unknown>, setup: Setup = {}) {
  const client = await connectDocuments(fakeSdk(fake), setup);
  const result = await client.callTool({
    name: 'vectorless_query',
    arguments: { query: 'remote work', ...args },
  });
  return { result, text: textOf(result), found: result.structuredContent as Sections | undefined };
}

const answering = (...ids: string[]): Pick<FakeSdk, 'query'> => ({
  query: async ({ documentId, query }) => ({
    ...{ documentId, query, abstained: false },
    sections: ids.map((id) => aQuerySection(id)),
  }),
});

const two = library(aDocument('doc_1'), aDocument('doc_2'));

describe('vectorless_query', () => {
  it('gives whole sections with place, URI and document', async () => {
    const { found, text } = await ask({ documents: two, ...answering('sec_1') }, { document_id: 'doc_1' });
    expect(found?.sections).toEqual([
      {
        section_id: 'sec_1',
        uri: 'vectorless://documents/doc_1/sections/sec_1',
        document_id: 'doc_1',
        document_title: 'Title of doc_1',
        title: 'Heading sec_1',
        heading_path: ['Part 1'],
        content: 'Text of sec_1.',
      },
    ]);
    expect(text).toMatch(/<<<document (\w+)>>>\n# Title of doc_1\n\n## Heading sec_1[\s\S]*<<<end \1>>>/);
  });

  it('draws a new marker for each result', async () => {
    const fake = { documents: two, ...answering('sec_1') };
    const first = await ask(fake, { document_id: 'doc_1' });
    const second = await ask(fake, { document_id: 'doc_1' });
    expect(first.text).not.toBe(second.text);
  });

  it('takes the only ready document when none is named', async () => {
    const documents = library(aDocument('doc_1'), aDocument('doc_2', { status: 'parsing' }));
    const { found } = await ask({ documents, ...answering('sec_1') }, {});
    expect(found?.sections[0]?.document_id).toBe('doc_1');
  });

  it('lists the documents to choose from when several are ready and none is named', async () => {
    const { found, text, result } = await ask({ documents: two }, {});
    expect(result.isError).toBeUndefined();
    expect(found).toMatchObject({
      sections: [],
      choose_from: [{ document_id: 'doc_1' }, { document_id: 'doc_2' }],
    });
    expect(text).toContain('document_id');
  });

  it('searches the default documents when none is named, and no other', async () => {
    const asked: string[][] = [];
    const queryMany: FakeSdk['queryMany'] = async ({ documentIds, query }) => {
      asked.push([...documentIds]);
      return {
        query,
        documents: documentIds.map((documentId) => ({ documentId, sections: [] })),
        errors: {},
      };
    };
    const documents = library(aDocument('doc_1'), aDocument('doc_2'), aDocument('doc_3'));
    await ask({ documents, queryMany }, {}, { only: ['doc_1', 'doc_2'] });
    expect(asked).toEqual([['doc_1', 'doc_2']]);
    const other = await ask({ documents, queryMany }, { document_id: 'doc_3' }, { only: ['doc_1', 'doc_2'] });
    expect(other.result.isError).toBe(true);
    expect(other.text).toContain('no such document');
  });

  it('searches all ready documents where that is allowed', async () => {
    const queryMany: FakeSdk['queryMany'] = async ({ documentIds, query }) => ({
      query,
      documents: documentIds.map((documentId) => ({
        documentId,
        sections: [aQuerySection(`sec_${documentId}`)],
      })),
      errors: {},
    });
    const { found } = await ask({ documents: two, queryMany }, {}, { settings: { searchAll: true } });
    expect(found?.sections.map((section) => section.section_id)).toEqual(['sec_doc_1', 'sec_doc_2']);
  });

  it('never queries a document that is not ready', async () => {
    const documents = library(aDocument('doc_1', { status: 'parsing' }));
    const { found, text, result } = await ask({ documents }, { document_id: 'doc_1' });
    expect(result.isError).toBeUndefined();
    expect(found?.failed).toEqual([
      { document_id: 'doc_1', error: expect.stringContaining('still being processed') },
    ]);
    expect(text).toContain('still being processed');
  });

  it('names near matches for an id that does not exist', async () => {
    const documents = library(aDocument('doc_1', { title: 'Employee Handbook 2026' }), aDocument('doc_2'));
    const { result, text } = await ask({ documents }, { document_id: 'employee-handbok' });
    expect(result.isError).toBe(true);
    expect(text).toContain('did you mean doc_1 ("Employee Handbook 2026")');
  });

  it('takes an exact title for an id', async () => {
    const documents = library(aDocument('doc_1', { title: 'Handbook.pdf' }));
    const { found } = await ask({ documents, ...answering('sec_1') }, { document_id: 'handbook' });
    expect(found?.sections[0]?.document_id).toBe('doc_1');
  });

  it('orders the sections of several documents by score where there is one, else in turn', async () => {
    const scored = (documentId: string, ...scores: number[]) => ({
      documentId,
      sections: scores.map((score) => aQuerySection(`${documentId}-${score}`, { score })),
    });
    const queryMany =
      (...documents: ReturnType<typeof scored>[]): FakeSdk['queryMany'] =>
      async ({ query }) => ({ query, documents, errors: {} });
    const ids = { document_ids: ['doc_1', 'doc_2'] };
    const ranked = await ask(
      { documents: two, queryMany: queryMany(scored('doc_1', 9, 2), scored('doc_2', 5)) },
      ids,
    );
    expect(ranked.found?.sections.map(({ score }) => score)).toEqual([9, 5, 2]);
    const plain = (documentId: string, ...names: string[]) => ({
      documentId,
      sections: names.map((id) => aQuerySection(id)),
    });
    const fair = await ask(
      { documents: two, queryMany: queryMany(plain('doc_1', 'a', 'b'), plain('doc_2', 'c')) },
      ids,
    );
    expect(fair.found?.sections.map(({ section_id }) => section_id)).toEqual(['a', 'c', 'b']);
  });

  it('keeps what was found when one document fails', async () => {
    const queryMany: FakeSdk['queryMany'] = async ({ query }) => ({
      query,
      documents: [{ documentId: 'doc_1', sections: [aQuerySection('sec_1')] }],
      errors: { doc_2: 'boom at /srv/secret' },
    });
    const { found, text } = await ask({ documents: two, queryMany }, { document_ids: '["doc_1","doc_2"]' });
    expect(found?.sections).toHaveLength(1);
    expect(found?.failed?.[0]?.document_id).toBe('doc_2');
    expect(text).not.toContain('/srv/secret');
  });

  it('shares one budget out and names what did not fit', async () => {
    const long = 'A sentence of ordinary length about remote work. '.repeat(400);
    const query: FakeSdk['query'] = async ({ documentId, query: question }) => ({
      ...{ documentId, query: question, abstained: false },
      sections: Array.from({ length: 30 }, (_, index) =>
        aQuerySection(`sec_${index}`, { content: index === 0 ? 'Short.' : long }),
      ),
    });
    const args = { document_id: 'doc_1', max_sections: 30 };
    const { found, text } = await ask({ documents: two, query }, args, {
      settings: { maxResultTokens: 2000 },
    });
    expect(text.length / 4).toBeLessThan(2000);
    expect(JSON.stringify(found).length / 4).toBeLessThan(2000);
    expect(found?.sections[0]?.content).toBe('Short.');
    expect(found?.sections[1]?.next_offset).toBeGreaterThan(0);
    expect(text).toContain(
      `vectorless_get_section {"section_id":"sec_1","offset":${found?.sections[1]?.next_offset}}`,
    );
    expect(found?.not_shown?.length).toBeGreaterThan(0);
  });

  it('says what was searched when nothing is relevant', async () => {
    const { text, result } = await ask({ documents: two, ...answering() }, { document_id: 'doc_1' });
    expect(result.isError).toBeUndefined();
    expect(text).toContain('Nothing relevant was found in doc_1 ("Title of doc_1"). Try other words');
  });

  it('gives the embedded engine’s reason for it, and no other server’s, which may quote the document', async () => {
    const abstentionReason = 'the document never mentions Umbrella; ask without the name';
    const query: FakeSdk['query'] = async ({ documentId, query }) => ({
      ...{ documentId, query, sections: [], abstained: true, abstentionReason },
    });
    const one = { document_id: 'doc_1' };
    const local = await ask({ documents: two, query }, one, { settings: { local: true } });
    expect(local.text).toContain(`("Title of doc_1"): ${abstentionReason}. Try`);
    const hosted = await ask({ documents: two, query }, one);
    expect(hosted.text).not.toContain('Umbrella');
  });

  it('names a few of many documents in which nothing is relevant, and counts the others', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `doc_${index}`);
    const queryMany: FakeSdk['queryMany'] = async ({ documentIds, query }) => ({
      ...{ query, errors: {} },
      documents: documentIds.map((documentId) => ({ documentId, abstained: true, sections: [] })),
    });
    const documents = library(...ids.map((id) => aDocument(id)));
    const { text, found } = await ask({ documents, queryMany }, { document_ids: ids });
    expect(found).toMatchObject({ sections: [], searched: 12 });
    expect(text).toContain('doc_2 ("Title of doc_2") and 9 other documents. Try');
  });

  it('fills in heading paths and pages from the tree', async () => {
    const tree = async (documentId: string) => ({
      ...{ documentId, title: 'Doc' },
      sections: [aTreeSection('sec_0', 0, { title: 'Chapter' }), aTreeSection('sec_1', 1, { pageStart: 2 })],
    });
    const query: FakeSdk['query'] = async ({ documentId, query: question }) => ({
      ...{ documentId, query: question, abstained: false },
      sections: [aQuerySection('sec_1', { headingPath: undefined })],
    });
    const { found } = await ask({ documents: { ...two, tree }, query }, { document_id: 'doc_1' });
    expect(found?.sections[0]).toMatchObject({ heading_path: ['Chapter'], page_start: 2 });
  });

  it('shows found sections as progress where the server streams', async () => {
    const client = await connectDocuments(
      fakeSdk({
        documents: two,
        async *queryStream() {
          yield { type: 'section', section: aQuerySection('sec_1') } as const;
          yield { type: 'section', section: aQuerySection('sec_1') } as const;
          yield { type: 'completed', elapsedMs: 1 } as const;
        },
      }),
    );
    const messages: (string | undefined)[] = [];
    const result = await client.callTool(
      { name: 'vectorless_query', arguments: { query: 'x', document_id: 'doc_1' } },
      { onprogress: ({ message }) => messages.push(message) },
    );
    expect((result.structuredContent as Sections).sections).toHaveLength(1);
    expect(messages).toContain('found: Heading sec_1');
  });

  it('asks plainly where the stream breaks off', async () => {
    const client = await connectDocuments(
      fakeSdk({
        documents: two,
        ...answering('sec_1', 'sec_2'),
        async *queryStream() {
          yield { type: 'section', section: aQuerySection('sec_1') } as const;
          throw new VectorlessError({ code: 'bad_response', message: 'interrupted' });
        },
      }),
    );
    const result = await client.callTool(
      { name: 'vectorless_query', arguments: { query: 'x', document_id: 'doc_1' } },
      { onprogress: () => {} },
    );
    expect((result.structuredContent as Sections).sections).toHaveLength(2);
  });

  it('shows what a stream had found when the time is up', async () => {
    const client = await connectDocuments(
      fakeSdk({
        documents: two,
        async *queryStream() {
          yield { type: 'section', section: aQuerySection('sec_1') } as const;
          throw new VectorlessError({ code: 'timeout', message: 'too slow' });
        },
      }),
    );
    const result = await client.callTool(
      { name: 'vectorless_query', arguments: { query: 'x', document_id: 'doc_1' } },
      { onprogress: () => {} },
    );
    expect(result.structuredContent).toMatchObject({
      sections: [{ section_id: 'sec_1' }],
      failed: [{ document_id: 'doc_1', error: expect.stringContaining('only in part') }],
    });
  });

  it('searches the first fifty of more documents, names the others, and says what it found beside', async () => {
    const ids = Array.from({ length: 60 }, (_, index) => `doc_${index}`);
    const queryMany: FakeSdk['queryMany'] = async ({ documentIds, query }) => ({
      ...{ query, errors: {} },
      documents: documentIds.map((documentId) => ({
        ...{ documentId, query, abstained: false },
        sections: [aQuerySection(`sec_${documentId}`)],
      })),
    });
    const documents = library(...ids.map((id) => aDocument(id)));
    const { found, text } = await ask({ documents, queryMany }, { document_ids: ids, max_sections: 10 });
    expect(found?.searched).toBe(50);
    expect(found?.failed?.map(({ document_id }) => document_id)).toEqual(ids.slice(50));
    expect(text).toContain('doc_59: not searched: at most 50 documents at once');
    expect(found).toMatchObject({ more_found: 40 });
    expect(text).toContain('40 more were found: a narrower question');
  });

  it('says why a document could not be processed, without another call', async () => {
    const documents = library(aDocument('doc_1', { status: 'failed', errorMessage: 'parse: bad xref.' }));
    const { text } = await ask({ documents }, { document_id: 'doc_1' });
    expect(text).toContain('doc_1: it could not be processed: parse: bad xref\n');
  });

  it.each([
    [{ query: 'x'.repeat(10_001) }, '`query` may have at most 10000 characters'],
    [{ document_id: 'x'.repeat(2_001) }, '`document_id` may have at most 2000 characters'],
    [{ document_ids: Array(1_001).fill('x') }, '`document_ids` may have at most 1000 items'],
  ])('refuses what has no end before anything is sent', async (args, sentence) => {
    const { result, text } = await ask({}, args);
    expect(result.isError).toBe(true);
    expect(text).toContain(sentence);
  });

  it('keeps calls out of the fence, where only documents speak', async () => {
    const content = 'A sentence of ordinary length about remote work. '.repeat(400);
    const query: FakeSdk['query'] = async ({ documentId, query: question }) => ({
      ...{ documentId, query: question, abstained: false },
      sections: [aQuerySection('sec_1', { content })],
    });
    const { text } = await ask(
      { documents: two, query },
      { document_id: 'doc_1' },
      { settings: { maxResultTokens: 800 } },
    );
    const [, quoted = '', after = ''] = /<<<document \w+>>>([\s\S]*)<<<end \w+>>>([\s\S]*)$/.exec(text) ?? [];
    expect(quoted).not.toContain('vectorless_get_section');
    expect(after).toContain('vectorless_get_section {"section_id":"sec_1","offset":');
  });

  it('sends the agent to no tool that it does not have', async () => {
    const content = 'A sentence of ordinary length about remote work. '.repeat(400);
    const query: FakeSdk['query'] = async ({ documentId, query: question }) => ({
      ...{ documentId, query: question, abstained: false },
      sections: [aQuerySection('sec_1', { content })],
    });
    const setup = { settings: { maxResultTokens: 800 }, offered: new Set(['vectorless_query']) };
    const { text } = await ask({ documents: two, query }, { document_id: 'doc_1' }, setup);
    expect(text).not.toContain('vectorless_get_section');
    const none = await ask({ documents: library() }, {}, setup);
    expect(none.text).not.toContain('vectorless_ingest_document');
    const irrelevant = await ask({ documents: two, ...answering() }, { document_id: 'doc_1' }, setup);
    const unknown = await ask({ documents: two }, { document_id: 'doc_9x' }, setup);
    for (const result of [irrelevant, unknown])
      expect(result.text).not.toContain('vectorless_list_documents');
  });

  it.each([
    ['no documents at all', library(), 'vectorless_ingest_document'],
    ['none that is ready', library(aDocument('doc_1', { status: 'pending' })), 'still being processed'],
    ['only failed ones', library(aDocument('doc_1', { status: 'failed' })), 'all of them failed'],
  ])('says what to do when there are %s', async (_name, documents, sentence) => {
    const { result, text } = await ask({ documents }, {});
    expect(result.isError).toBe(true);
    expect(text).toContain(sentence);
  });
});
