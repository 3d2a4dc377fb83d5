import {
  type DocumentDetail,
  type QuerySection,
  type Section,
  type TreeSection,
  type VectorlessClient,
  VectorlessError,
} from '@vectorless/sdk';

/** What a fake client answers; what is left out fails the test that calls it. */
export interface FakeSdk {
  readonly documents?: Partial<VectorlessClient['documents']>;
  readonly sections?: Partial<VectorlessClient['sections']>;
  readonly query?: VectorlessClient['query'];
  readonly queryMany?: undefined | VectorlessClient['queryMany'];
  readonly queryStream?: VectorlessClient['queryStream'];
  readonly answer?: VectorlessClient['answer'];
  readonly answerTreewalk?: VectorlessClient['answerTreewalk'];
}

const unexpected = (name: string) => () => {
  throw new Error(`the tool called ${name}, which this test does not expect`);
};

const cannotStream: VectorlessClient['queryStream'] = () => ({
  async *[Symbol.asyncIterator]() {
    yield* [];
    throw new VectorlessError({ code: 'not_supported', message: 'no streaming' });
  },
});

/** A client for tests, typed as the real one. */
export function fakeSdk(fake: FakeSdk): VectorlessClient {
  return {
    documents: {
      ingest: unexpected('documents.ingest'),
      list: unexpected('documents.list'),
      get: unexpected('documents.get'),
      delete: unexpected('documents.delete'),
      tree: unexpected('documents.tree'),
      source: unexpected('documents.source'),
      waitUntilReady: unexpected('documents.waitUntilReady'),
      ...fake.documents,
    },
    sections: { get: unexpected('sections.get'), ...fake.sections },
    query: fake.query ?? unexpected('query'),
    queryMany: fake.queryMany ?? unexpected('queryMany'),
    queryStream: fake.queryStream ?? cannotStream,
    answer: fake.answer ?? unexpected('answer'),
    answerTreewalk: fake.answerTreewalk ?? unexpected('answerTreewalk'),
    health: unexpected('health'),
    version: unexpected('version'),
  };
}

export function notFound(): VectorlessError {
  return new VectorlessError({ code: 'not_found', status: 404, message: 'not found', requestId: 'req_1' });
}

export function aDocument(id: string, fields: Partial<DocumentDetail> = {}): DocumentDetail {
  return {
    id,
    title: `Title of ${id}`,
    contentType: 'text/markdown',
    status: 'ready',
    byteSize: 100,
    createdAt: '2026-01-02T03:04:05Z',
    updatedAt: '2026-01-02T03:04:05Z',
    metadata: {},
    ...fields,
  };
}

/** `documents.get` over a fixed library. */
export function library(...documents: DocumentDetail[]): Pick<VectorlessClient['documents'], 'get' | 'list'> {
  return {
    async get(id) {
      const found = documents.find((document) => document.id === id);
      if (found === undefined) throw notFound();
      return found;
    },
    async list(params = {}) {
      const { status } = params;
      return {
        documents: documents.filter((document) => status === undefined || document.status === status),
      };
    },
  };
}

export function aQuerySection(id: string, fields: Partial<QuerySection> = {}): QuerySection {
  return {
    id,
    title: `Heading ${id}`,
    tokenCount: 10,
    content: `Text of ${id}.`,
    headingPath: ['Part 1'],
    ...fields,
  };
}

export function aSection(id: string, documentId: string, fields: Partial<Section> = {}): Section {
  return {
    ...{ id, documentId, depth: 0, title: `Heading ${id}`, tokenCount: 10, content: `Text of ${id}.` },
    headingPath: ['Part 1'],
    ...fields,
  };
}

export function aTreeSection(id: string, depth: number, fields: Partial<TreeSection> = {}): TreeSection {
  return { id, depth, title: `Heading ${id}`, tokens: 10, children: [], ...fields };
}
