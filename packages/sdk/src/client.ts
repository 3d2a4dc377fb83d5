import type {
  AnswerRequest,
  AnswerResult,
  CallOptions,
  DocumentDetail,
  DocumentPage,
  DocumentTree,
  IngestReceipt,
  IngestRequest,
  ListParams,
  QueryEvent,
  QueryManyRequest,
  QueryManyResult,
  QueryRequest,
  QueryResult,
  Section,
  TreewalkRequest,
  WaitOptions,
} from './types.ts';

export interface Documents {
  ingest(request: IngestRequest, options?: CallOptions): Promise<IngestReceipt>;
  list(params?: ListParams, options?: CallOptions): Promise<DocumentPage>;
  get(documentId: string, options?: CallOptions): Promise<DocumentDetail>;
  delete(documentId: string, options?: CallOptions): Promise<void>;
  tree(documentId: string, options?: CallOptions): Promise<DocumentTree>;
  /** The original bytes. */
  source(documentId: string, options?: CallOptions): Promise<Response>;
  /** Polls, first at once, until the document is `ready`; throws `document_failed` when it ends as `failed`. */
  waitUntilReady(documentId: string, options?: WaitOptions): Promise<DocumentDetail>;
}

export interface Sections {
  get(sectionId: string, options?: CallOptions): Promise<Section>;
}

/** A Vectorless API, as tools see it: the real client, the embedded engine behind it, or a fake in a test. */
export interface VectorlessClient {
  readonly documents: Documents;
  readonly sections: Sections;
  query(request: QueryRequest, options?: CallOptions): Promise<QueryResult>;
  queryMany(request: QueryManyRequest, options?: CallOptions): Promise<QueryManyResult>;
  /** Sections as they are found. Throws `not_supported` before the first event where the server cannot stream. */
  queryStream(request: QueryRequest, options?: CallOptions): AsyncIterable<QueryEvent>;
  answer(request: AnswerRequest, options?: CallOptions): Promise<AnswerResult>;
  answerTreewalk(request: TreewalkRequest, options?: CallOptions): Promise<AnswerResult>;
  health(options?: CallOptions): Promise<void>;
  version(options?: CallOptions): Promise<string>;
}

export interface VectorlessOptions {
  readonly apiKey?: string | undefined;
  /** Default `https://api.vectorless.dev`. */
  readonly baseUrl?: string | undefined;
  readonly org?: string | undefined;
  readonly store?: string | undefined;
  /** Lets the key travel over plain http beyond this machine. */
  readonly allowHttp?: boolean | undefined;
  /**
   * Deadline of a call in milliseconds, retries included. Default 30,000; 120,000 for queries, answers and downloads. An
   * upload gets what a slow line needs on top.
   */
  readonly timeoutMs?: number | undefined;
  /** Tries after the first one; default 2. */
  readonly maxRetries?: number | undefined;
  /** Replaces the network: gets every request, answers like the API. Used by the embedded engine. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Sees every answer before it is read, errors and retried ones included. `header` takes lower-case names. */
  readonly onAnswer?:
    | ((answer: { readonly status: number; header(name: string): string | undefined }) => void)
    | undefined;
}
