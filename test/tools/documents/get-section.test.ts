import { describe, expect, it } from 'vitest';
import { textOf } from '../../support/connect.ts';
import { connectDocuments } from '../../support/documents.ts';
import { aDocument, aSection, aTreeSection, fakeSdk, library, notFound } from '../../support/fake-sdk.ts';

const read = async (client: Awaited<ReturnType<typeof connectDocuments>>, args: Record<string, unknown>) =>
  client.callTool({ name: 'vectorless_get_section', arguments: args });

const paged = `${Array.from({ length: 900 }, (_, index) => `Sentence number ${index} ends here. 数字和🙂 表情。`).join(' ')}\n\nEnd.`;

describe('vectorless_get_section', () => {
  it('gives the section with its place and a URI to cite', async () => {
    const client = await connectDocuments(
      fakeSdk({ sections: { get: async (id) => aSection(id, 'doc_1', { pageStart: 3, pageEnd: 4 }) } }),
    );
    const result = await read(client, { section_id: 'sec_1' });
    expect(result.structuredContent).toEqual({
      section_id: 'sec_1',
      uri: 'vectorless://documents/doc_1/sections/sec_1',
      document_id: 'doc_1',
      title: 'Heading sec_1',
      heading_path: ['Part 1'],
      page_start: 3,
      page_end: 4,
      content: 'Text of sec_1.',
      offset: 0,
      total_chars: 14,
    });
    expect(textOf(result)).toMatch(/<<<document (\w+)>>>[\s\S]*Part 1 · pages 3–4[\s\S]*<<<end \1>>>/);
  });

  it('takes the URI of a section for its id', async () => {
    const asked: string[] = [];
    const get = async (id: string) => {
      asked.push(id);
      return aSection(id, 'doc_1');
    };
    const client = await connectDocuments(fakeSdk({ sections: { get } }));
    await read(client, { uri: 'vectorless://documents/doc_1/sections/sec%201' });
    expect(asked).toEqual(['sec 1']);
  });

  it('pages a long section so that the pieces joined are the section', async () => {
    const client = await connectDocuments(
      fakeSdk({ sections: { get: async (id) => aSection(id, 'doc_1', { content: paged }) } }),
      { settings: { maxResultTokens: 1000 } },
    );
    let joined = '';
    let pages = 0;
    for (let offset: number | undefined = 0; offset !== undefined; pages++) {
      const result = await read(client, { section_id: 'sec_1', offset });
      const { content, next_offset } = result.structuredContent as { content: string; next_offset?: number };
      if (next_offset !== undefined) expect(textOf(result)).toContain(`"offset":${next_offset}`);
      joined += content;
      offset = next_offset;
    }
    expect(joined).toBe(paged);
    expect(pages).toBeGreaterThan(5);
  });

  it('finds heading path and pages in the tree where the server does not send them', async () => {
    const client = await connectDocuments(
      fakeSdk({
        sections: { get: async (id) => aSection(id, 'doc_1', { headingPath: undefined }) },
        documents: {
          tree: async (documentId) => ({
            documentId,
            title: 'Doc',
            sections: [
              aTreeSection('sec_0', 0, { title: 'Chapter' }),
              aTreeSection('sec_a', 1),
              aTreeSection('sec_1', 1, { pageStart: 9, pageEnd: 9 }),
            ],
          }),
        },
      }),
    );
    const { structuredContent } = await read(client, { section_id: 'sec_1' });
    expect(structuredContent).toMatchObject({ heading_path: ['Chapter'], page_start: 9, page_end: 9 });
  });

  it('answers without a heading path when the tree cannot be had', async () => {
    const client = await connectDocuments(
      fakeSdk({
        sections: { get: async (id) => aSection(id, 'doc_1', { headingPath: undefined }) },
        documents: { tree: () => Promise.reject(notFound()) },
      }),
    );
    const result = await read(client, { section_id: 'sec_1' });
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).not.toHaveProperty('heading_path');
  });

  it('does not show a section of another document than the default ones', async () => {
    const client = await connectDocuments(
      fakeSdk({ sections: { get: async (id) => aSection(id, 'doc_secret') } }),
      { only: ['doc_1'] },
    );
    const result = await read(client, { section_id: 'sec_1' });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain('Text of');
  });

  it.each(['doc_1', '`doc_1`', 'vectorless://documents/doc_1'])(
    'knows %s for a document',
    async (section_id) => {
      const sdk = fakeSdk({
        sections: { get: () => Promise.reject(notFound()) },
        documents: library(aDocument('doc_1', { title: 'Handbook' })),
      });
      const result = await read(await connectDocuments(sdk), { section_id });
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain(
        'is a document, not a section: search it with vectorless_query {"document_id":"doc_1"',
      );
      expect(textOf(result)).not.toContain('vectorless_get_outline');
    },
  );

  it('does not tell that a document exists which this server does not show', async () => {
    const sdk = fakeSdk({
      sections: { get: () => Promise.reject(notFound()) },
      documents: library(aDocument('doc_secret')),
    });
    const result = await read(await connectDocuments(sdk, { only: ['doc_1'] }), { section_id: 'doc_secret' });
    expect(textOf(result)).not.toContain('is a document');
  });

  it.each([
    ['quotes', '"sec_1"'],
    ['a Markdown link', '[Leave](vectorless://documents/doc_1/sections/sec_1), page 3.'],
    ['a sentence', 'see vectorless://documents/doc_1/sections/sec_1.'],
    ['a fragment', 'vectorless://documents/doc_1/sections/sec_1#page=3'],
  ])('finds the id in %s', async (_name, section_id) => {
    const sdk = fakeSdk({ sections: { get: async (id) => aSection(id, 'doc_1') } });
    const { structuredContent } = await read(await connectDocuments(sdk), { section_id });
    expect(structuredContent).toMatchObject({ section_id: 'sec_1' });
  });

  it('says of a bare heading that its text is below it', async () => {
    const sdk = fakeSdk({ sections: { get: async (id) => aSection(id, 'doc_1', { content: '' }) } });
    const offered = new Set(['vectorless_get_section', 'vectorless_get_outline']);
    const text = textOf(await read(await connectDocuments(sdk, { offered }), { section_id: 'sec_1' }));
    expect(text).toContain(
      'no text of its own; the sections below it have. vectorless_get_outline {"document_id":"doc_1","section_id":"sec_1"}',
    );
    expect(textOf(await read(await connectDocuments(sdk), { section_id: 'sec_1' }))).not.toContain('outline');
  });

  it('says what to do about an id that does not exist', async () => {
    const none = { sections: { get: () => Promise.reject(notFound()) }, documents: library() };
    const result = await read(await connectDocuments(fakeSdk(none)), { section_id: 'sec_x' });
    expect(result).toMatchObject({
      isError: true,
      _meta: { 'dev.vectorless/error': { code: 'not_found', request_id: 'req_1' } },
    });
    expect(result.structuredContent).toBeUndefined();
    expect(textOf(result)).toContain('vectorless_query for section ids');
  });
});
