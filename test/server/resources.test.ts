import { describe, expect, it } from 'vitest';
import { connectDocuments } from '../support/documents.ts';
import { aDocument, aSection, aTreeSection, type FakeSdk, fakeSdk, library } from '../support/fake-sdk.ts';

const handbook = aDocument('doc_1', { title: 'Employee Handbook' });
const other = aDocument('doc_2', { title: 'Price list' });

const fake: FakeSdk = {
  documents: {
    ...library(handbook, other),
    tree: async (documentId) => ({
      documentId,
      title: 'Employee Handbook',
      sections: [
        aTreeSection('sec_1', 0, { title: 'Working hours' }),
        aTreeSection('sec_2', 1, { title: 'Remote work', pageStart: 4 }),
      ],
    }),
  },
  sections: { get: async (id) => aSection(id, 'doc_1') },
};

const connect = (setup = {}) => connectDocuments(fakeSdk(fake), setup);
const textOf = (result: { contents: readonly { text?: string }[] }) => result.contents[0]?.text ?? '';
const reference = {
  type: 'ref/resource',
  uri: 'vectorless://documents/{document_id}/sections/{section_id}',
} as const;

describe('resources', () => {
  it('offers the list of documents and the outline of each', async () => {
    const client = await connect();
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      'vectorless://documents',
      'vectorless://documents/doc_1',
      'vectorless://documents/doc_2',
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'vectorless://documents/{document_id}',
      'vectorless://documents/{document_id}/sections/{section_id}',
    ]);
  });

  it('names the call that goes on where an outline is cut', async () => {
    const sections = Array.from({ length: 200 }, (_, index) => aTreeSection(`sec_${index}`, index % 3));
    const client = await connectDocuments(
      fakeSdk({
        documents: {
          ...library(handbook),
          tree: async (documentId) => ({ documentId, title: '', sections }),
        },
      }),
      {
        settings: { maxResultTokens: 1000 },
        offered: new Set(['vectorless_query', 'vectorless_get_outline']),
      },
    );
    const { contents } = await client.readResource({ uri: 'vectorless://documents/doc_1' });
    const text = textOf({ contents: contents as { text?: string }[] });
    const [, call = ''] = /vectorless_get_outline (\{.*\})/.exec(text) ?? [];
    const args = JSON.parse(call) as { offset: number };
    expect(text).toContain(`sec_${args.offset - 1}`);
    expect(text).not.toContain(`sec_${args.offset}`);
  });

  it('reads the list, an outline and a section', async () => {
    const client = await connect();
    const read = async (uri: string) =>
      textOf((await client.readResource({ uri })) as { contents: { text?: string }[] });
    expect(await read('vectorless://documents')).toContain(
      'Employee Handbook · ready · vectorless://documents/doc_1',
    );
    expect(await read('vectorless://documents/doc_1')).toContain(
      '  - Remote work · page 4 · 10 tokens · sec_2',
    );
    const section = await read('vectorless://documents/doc_1/sections/sec_1');
    expect(section).toMatch(/<<<document (\w+)>>>[\s\S]*Text of sec_1\.[\s\S]*<<<end \1>>>/);
  });

  it.each([
    'vectorless://documents/doc_9',
    'vectorless://documents/doc_2/sections/sec_1',
    'vectorless://elsewhere',
  ])('says that %s does not exist', async (uri) => {
    const client = await connect();
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
  });

  it('completes documents by title and sections by heading', async () => {
    const client = await connect();
    const documents = await client.complete({
      ref: reference,
      argument: { name: 'document_id', value: 'handb' },
    });
    expect(documents.completion.values).toEqual(['doc_1']);
    const sections = await client.complete({
      ref: reference,
      argument: { name: 'section_id', value: 'remote' },
      context: { arguments: { document_id: 'doc_1' } },
    });
    expect(sections.completion.values).toEqual(['sec_2']);
  });

  it('shows nothing beside the default documents', async () => {
    const client = await connect({ only: ['doc_2'] });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      'vectorless://documents',
      'vectorless://documents/doc_2',
    ]);
    for (const uri of ['vectorless://documents/doc_1', 'vectorless://documents/doc_1/sections/sec_1']) {
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
    }
    const sections = await client.complete({
      ref: reference,
      argument: { name: 'section_id', value: '' },
      context: { arguments: { document_id: 'doc_1' } },
    });
    expect(sections.completion.values).toEqual([]);
  });

  it('still lists what is fixed when the documents cannot be had', async () => {
    const client = await connectDocuments(
      fakeSdk({ documents: { list: () => Promise.reject(new Error('down')) } }),
    );
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['vectorless://documents']);
  });

  it('says that the time is up, counted from when the request came in', async () => {
    const never = () => new Promise<never>(() => {});
    const client = await connectDocuments(
      fakeSdk({ documents: { list: never } }),
      {},
      // All but a moment of the 49 seconds has been spent waiting for a place.
      Date.now() - 48_900,
    );
    const reading = client.readResource({ uri: 'vectorless://documents' });
    await expect(reading).rejects.toThrow(/in time/);
    expect((await client.listResources()).resources).toHaveLength(1);
  });
});

describe('prompts', () => {
  it('offers two, with completion of documents', async () => {
    const client = await connect();
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['summarize-document', 'answer-with-sources']);
    const completed = await client.complete({
      ref: { type: 'ref/prompt', name: 'answer-with-sources' },
      argument: { name: 'document_id', value: 'price' },
    });
    expect(completed.completion.values).toEqual(['doc_2']);
  });

  it('says which tools to use and to cite', async () => {
    const client = await connect();
    const { messages } = await client.getPrompt({
      name: 'answer-with-sources',
      arguments: { question: 'Who pays?' },
    });
    const text = JSON.stringify(messages);
    expect(text).toContain('Who pays?');
    expect(text).toContain('vectorless_query');
    expect(text).toContain('Cite');
  });
});
