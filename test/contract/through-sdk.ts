import { randomUUID } from 'node:crypto';
import { Vectorless, VectorlessError } from '@vectorless/sdk';
import { expect } from 'vitest';
import type { Expectation } from './expectation.ts';
import type { Subject } from './subject.ts';

const filler = 'This paragraph keeps the section apart from its neighbours by its sheer length. '.repeat(30);

const manual = `# Pump manual

## Seals

The gasket is made of fluorosilicone – 氟硅. ${filler}

## Motor

Bearings are greased every four hundred hours. ${filler}
`;

function client({ baseUrl, credentials, embedded, fetch }: Subject): Vectorless {
  return new Vectorless({ baseUrl, ...credentials, ...(embedded ? { fetch } : {}) });
}

async function ingest(api: Vectorless, content = manual, filename = 'manual.md'): Promise<string> {
  const { documentId } = await api.documents.ingest({ content, filename, contentType: 'text/markdown' });
  await api.documents.waitUntilReady(documentId);
  return documentId;
}

const failure = (work: Promise<unknown>): Promise<VectorlessError> =>
  work.then(
    () => {
      throw new Error('it did not fail');
    },
    (error) => {
      expect(error).toBeInstanceOf(VectorlessError);
      return error;
    },
  );

export const sdkExpectations: readonly Expectation[] = [
  {
    says: 'SDK: health and version',
    async check(subject) {
      await client(subject).health();
      expect(await client(subject).version()).toEqual(expect.any(String));
    },
  },
  {
    says: 'SDK: a text is ingested, becomes ready, and comes back byte for byte',
    async check(subject) {
      const api = client(subject);
      const id = await ingest(api);
      const document = await api.documents.get(id);
      expect(document).toMatchObject({ id, title: 'Pump manual', status: 'ready', metadata: {} });
      expect(document.errorMessage).toBeUndefined();
      expect(document.byteSize).toBe(Buffer.byteLength(manual));
      expect(await (await api.documents.source(id)).text()).toBe(manual);
    },
  },
  {
    says: 'SDK: bytes, a blob and a stream arrive alike',
    async check(subject) {
      const api = client(subject);
      const bytes = new TextEncoder().encode(manual);
      const slice = Buffer.concat([Buffer.from('xxxx'), bytes]).subarray(4);
      for (const content of [
        slice,
        new Blob([bytes]),
        new Blob([bytes]).stream() as ReadableStream<Uint8Array>,
      ]) {
        const { documentId } = await api.documents.ingest({
          ...{ content, filename: 'Über "das".md', contentType: 'text/markdown' },
        });
        await api.documents.waitUntilReady(documentId);
        expect(await (await api.documents.source(documentId)).text()).toBe(manual);
      }
    },
  },
  {
    says: 'SDK: the same key is the same document',
    async check(subject) {
      const api = client(subject);
      const request = {
        ...{ content: manual, filename: 'a.md', contentType: 'text/markdown', idempotencyKey: randomUUID() },
      };
      const first = await api.documents.ingest(request);
      const second = await api.documents.ingest(request);
      expect(second.documentId).toBe(first.documentId);
      expect([first.replayed, second.replayed]).toEqual([false, subject.dialect === 'S']);
    },
  },
  {
    says: 'SDK: a document that cannot be read ends as document_failed with the reason',
    async check(subject) {
      const api = client(subject);
      const { documentId } = await api.documents.ingest({
        ...{ content: 'PK\u0003\u0004', filename: 'a.zip', contentType: 'application/zip' },
      });
      const error = await failure(api.documents.waitUntilReady(documentId));
      expect(error).toMatchObject({ code: 'document_failed', documentId });
      expect(error.message).toMatch(/\S/);
      expect((await api.documents.tree(documentId)).sections).toEqual([]);
    },
  },
  {
    says: 'SDK: pages of a list join without gaps or repeats',
    async check(subject) {
      const api = client(subject);
      const mine: string[] = [];
      for (const name of ['one', 'two', 'three']) mine.unshift(await ingest(api, `# ${name}\n\ntext`));
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await api.documents.list({ limit: 2, cursor });
        seen.push(...page.documents.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor !== undefined && seen.length < 1000);
      expect(seen.filter((id) => mine.includes(id))).toEqual(mine);
      expect(new Set(seen).size).toBe(seen.length);
    },
  },
  {
    says: 'SDK: the tree has no synthetic root, and its top level is depth 0',
    async check(subject) {
      const api = client(subject);
      const id = await ingest(api, `# One\n\n${filler}\n\n# Two\n\n${filler}\n`);
      const { sections } = await api.documents.tree(id);
      expect(sections.every((section) => section.id !== '')).toBe(true);
      expect(sections[0]).toMatchObject({ depth: 0, title: 'One' });
      expect(sections[0]?.parentId).toBeUndefined();
    },
  },
  {
    says: 'SDK: a query finds the section, which reads the same by its id',
    async check(subject) {
      const api = client(subject);
      const id = await ingest(api);
      const result = await api.query({ documentId: id, query: 'fluorosilicone gasket', maxSections: 1 });
      expect(result).toMatchObject({ documentId: id, abstained: false });
      const [hit] = result.sections;
      expect(hit?.content).toContain('fluorosilicone – 氟硅');
      const section = await api.sections.get(hit?.id ?? '');
      expect(section).toMatchObject({ documentId: id, title: hit?.title, content: hit?.content });
    },
  },
  {
    says: 'SDK: a question about something else has no sections',
    async check(subject) {
      const api = client(subject);
      const result = await api.query({ documentId: await ingest(api), query: 'zygomorphic quixotry' });
      expect([result.sections, result.abstained]).toEqual([[], subject.dialect === 'E']);
    },
  },
  {
    says: 'SDK: many documents answer in the order of the request, and a missing one is an error of its own',
    async check(subject) {
      const api = client(subject);
      const ids = [await ingest(api), await ingest(api), await ingest(api)];
      const result = await api.queryMany({ documentIds: [...ids, 'doc_missing'], query: 'gasket' });
      expect(result.documents.map(({ documentId }) => documentId)).toEqual(ids);
      expect(Object.keys(result.errors)).toEqual(['doc_missing']);
      const error = await failure(api.queryMany({ documentIds: ['doc_missing'], query: 'gasket' }));
      expect(error.code).toBe('not_found');
    },
  },
  {
    says: 'SDK: a stream gives the sections that a query gives, or says that it cannot',
    async check(subject) {
      const api = client(subject);
      const request = { documentId: await ingest(api), query: 'gasket bearings' };
      const streamed: string[] = [];
      const read = async () => {
        for await (const event of api.queryStream(request)) {
          if (event.type === 'section') streamed.push(event.section.id);
        }
      };
      if (subject.dialect === 'E') return void expect((await failure(read())).code).toBe('not_supported');
      try {
        await read();
      } catch (error) {
        // Not every strategy of S streams; the fake is set to one that does.
        if (!subject.fake) return expect(error).toMatchObject({ code: 'not_supported' });
        throw error;
      }
      const { sections } = await api.query(request);
      expect(new Set(streamed)).toEqual(new Set(sections.map(({ id }) => id)));
    },
  },
  {
    says: 'SDK: what does not exist is not_found, and names the document',
    async check(subject) {
      const api = client(subject);
      const missing = 'doc_missing';
      const attempts: Promise<unknown>[] = [
        api.documents.get(missing),
        api.documents.tree(missing),
        api.documents.source(missing),
        api.documents.delete(missing),
        api.query({ documentId: missing, query: 'x' }),
      ];
      for (const attempt of attempts) {
        expect(await failure(attempt)).toMatchObject({ code: 'not_found', status: 404, documentId: missing });
      }
      const error = await failure(api.sections.get('sec_missing'));
      expect(error).toMatchObject({ code: 'not_found', requestId: expect.any(String) });
    },
  },
  {
    says: 'SDK: a deleted document is gone',
    async check(subject) {
      const api = client(subject);
      const id = await ingest(api);
      await api.documents.delete(id);
      expect((await failure(api.documents.get(id))).code).toBe('not_found');
    },
  },
  {
    says: 'SDK: a wrong key is unauthorized',
    only: ({ dialect, fake }) => dialect === 'S' && fake,
    async check(subject) {
      const credentials = { ...subject.credentials, apiKey: 'wrong-key' };
      const error = await failure(client({ ...subject, credentials }).documents.list());
      expect(error).toMatchObject({ code: 'unauthorized', status: 401, requestId: expect.any(String) });
    },
  },
];
