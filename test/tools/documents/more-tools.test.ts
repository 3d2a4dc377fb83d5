import { VectorlessError } from '@vectorless/sdk';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../support/connect.ts';
import { connectDocuments, type Setup } from '../../support/documents.ts';
import { aDocument, aTreeSection, type FakeSdk, fakeSdk, library } from '../../support/fake-sdk.ts';

async function call(name: string, fake: FakeSdk, args: Record<string, unknown>, setup: Setup = {}) {
  const client = await connectDocuments(fakeSdk(fake), setup);
  const result = await client.callTool({ name: `vectorless_${name}`, arguments: args });
  return { result, text: textOf(result), output: result.structuredContent };
}

const book = Array.from({ length: 300 }, (_, index) =>
  aTreeSection(`sec_${index}`, index % 10 === 0 ? 0 : index % 10 === 1 ? 1 : 2, {
    pageStart: index + 1,
    pageEnd: index + 1,
  }),
);
const documents: FakeSdk['documents'] = {
  ...library(aDocument('doc_1', { title: 'Book' }), aDocument('doc_2')),
  tree: async (documentId) => ({ documentId, title: 'Book', sections: book }),
};

describe('vectorless_get_outline', () => {
  it('walks the whole tree in pages, each within the budget', async () => {
    const seen: string[] = [];
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const args = { document_id: 'doc_1', offset };
      const { output, text } = await call('get_outline', { documents }, args, {
        settings: { maxResultTokens: 1500 },
      });
      const page = output as { sections: { section_id: string }[]; next_offset?: number };
      expect(text.length / 4).toBeLessThan(1500);
      seen.push(...page.sections.map((section) => section.section_id));
      offset = page.next_offset;
    }
    expect(seen).toEqual(book.map((section) => section.id));
  });

  it('stops at a depth and counts what is below', async () => {
    const { output } = await call('get_outline', { documents }, { document_id: 'doc_1', depth: 1 });
    const { sections } = output as { sections: { section_id: string; hidden?: number }[] };
    expect(sections).toHaveLength(30);
    expect(sections[0]).toMatchObject({ section_id: 'sec_0', hidden: 9 });
  });

  it.each(['sec_11', '`sec_11`', 'vectorless://documents/doc_1/sections/sec_11'])(
    'opens one branch, named %s',
    async (section_id) => {
      const { output } = await call('get_outline', { documents }, { document_id: 'doc_1', section_id });
      const { sections } = output as { sections: { section_id: string; depth: number }[] };
      expect(sections[0]).toMatchObject({ section_id: 'sec_11', depth: 0 });
      expect(sections).toHaveLength(9);
    },
  );

  it('says that it has ended where nothing follows', async () => {
    const { text } = await call('get_outline', { documents }, { document_id: 'doc_1', offset: 5000 });
    expect(text).toContain('ends before offset 5000');
  });

  it('says why there is no outline yet', async () => {
    const fake = {
      documents: {
        ...library(aDocument('doc_1', { status: 'parsing' })),
        tree: async (documentId: string) => ({ documentId, title: '', sections: [] }),
      },
    };
    const { result, text } = await call('get_outline', fake, { document_id: 'doc_1' });
    expect(result.isError).toBe(true);
    expect(text).toBe('doc_1: it is still being processed; try again in a little while.');
  });

  it('refuses a section that is not there', async () => {
    const { result } = await call(
      'get_outline',
      { documents },
      { document_id: 'doc_1', section_id: 'sec_x' },
    );
    expect(result.isError).toBe(true);
  });
});

describe('vectorless_get_document', () => {
  it('says how many pages could be read', async () => {
    const fake = {
      documents: { ...documents, ...library(aDocument('doc_1', { pageCount: 312, pagesRead: 300 })) },
    };
    const { output, text } = await call('get_document', fake, { document_id: 'doc_1' });
    expect(output).toMatchObject({ status: 'ready', page_count: 312, pages_read: 300, section_count: 300 });
    expect(text).toContain('12 of 312 pages hold no readable text');
  });
});

describe('vectorless_get_document of pages that nobody counted', () => {
  it.each([
    ['before it is processed', { status: 'parsing' }],
    ['whose sections have no pages', { status: 'ready' }],
  ])('does not call pages unreadable %s', async (_when, { status }) => {
    const fake = {
      documents: {
        ...library(aDocument('doc_1', { status, pageCount: 312 })),
        tree: async (documentId: string) => ({ documentId, title: '', sections: [aTreeSection('sec_1', 0)] }),
      },
    };
    const { text } = await call('get_document', fake, { document_id: 'doc_1' });
    expect(text).toContain('page_count: 312');
    expect(text).not.toContain('no readable text');
  });
});

describe('vectorless_delete_document', () => {
  it('says what it deleted, and takes no title for an id', async () => {
    const removed: string[] = [];
    const fake = {
      documents: {
        ...documents,
        delete: async (id: string) => {
          removed.push(id);
        },
      },
    };
    const { output } = await call('delete_document', fake, { document_id: 'doc_1' });
    expect(output).toEqual({ document_id: 'doc_1', title: 'Book', deleted: true });
    const { result, text } = await call('delete_document', fake, { document_id: 'Book' });
    expect(result.isError).toBe(true);
    expect(text).toContain('did you mean doc_1');
    expect(removed).toEqual(['doc_1']);
  });

  it('deletes nothing beside the default documents', async () => {
    const { result } = await call(
      'delete_document',
      { documents },
      { document_id: 'doc_1' },
      { only: ['doc_2'] },
    );
    expect(result.isError).toBe(true);
  });
});

describe('vectorless_answer', () => {
  const answering: FakeSdk = {
    documents,
    answer: async ({ documentId, query }) => ({
      ...{ documentId, query, answer: 'Up to 45 days.', abstained: false },
      citations: [
        { sectionIds: ['sec_1'], title: 'Remote work', pageStart: 4, quote: 'up to 45 days a year' },
      ],
    }),
    answerTreewalk: async ({ documentId, query }) => ({
      ...{ documentId, query, answer: '', abstained: false, citations: [] },
    }),
  };
  const args = { query: 'How long?', document_id: 'doc_1' };

  it('gives the answer with quotes, pages and URIs', async () => {
    const { output, text } = await call('answer', answering, args);
    expect(output).toMatchObject({
      answer: 'Up to 45 days.',
      answered: true,
      citations: [
        { uri: 'vectorless://documents/doc_1/sections/sec_1', page_start: 4, quote: 'up to 45 days a year' },
      ],
    });
    expect(text).toContain('page 4 · vectorless://documents/doc_1/sections/sec_1: “up to 45 days a year”');
  });

  it('marks an answer that was cut, and one without sources', async () => {
    const long: FakeSdk['answer'] = async ({ documentId, query }) => ({
      ...{ documentId, query, answer: 'It goes on. '.repeat(2_000), abstained: false, citations: [] },
    });
    const { text } = await call('answer', { documents, answer: long }, args, {
      settings: { maxResultTokens: 500 },
    });
    expect(text).toContain('It goes on. […]');
    expect(text).toContain('No sources were given');
  });

  it('is not offered where the embedded engine answers', async () => {
    const client = await connectDocuments(fakeSdk({ documents }), { settings: { local: true } });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('vectorless_answer');
    expect(
      await client.callTool({ name: 'vectorless_answer', arguments: args }).catch(() => ({ isError: true })),
    ).toMatchObject({ isError: true });
  });

  it('walks the pages when asked, and says when there is no answer', async () => {
    const { output, text } = await call('answer', answering, { ...args, by_pages: true });
    expect(output).toMatchObject({ answered: false });
    expect(text).toContain('vectorless_query');
  });

  it('says what to do where the server writes no answers', async () => {
    const answer = () =>
      Promise.reject(new VectorlessError({ code: 'not_supported', status: 501, message: 'no LLM' }));
    const { result, text } = await call('answer', { documents, answer }, args);
    expect(result.isError).toBe(true);
    expect(text).toContain('Use vectorless_query');
  });
});
