/** Data shapes of the Vectorless API in camelCase. Optional means "absent on some servers": see the README. */

/** Options that every call takes. */
export interface CallOptions {
  /** Aborts the call, including its retries and an upload in progress. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline for the whole call, retries included, in milliseconds. Default: the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
}

/** `pending`, `parsing`, `summarizing`, `ready` and `failed` are known; a server may add others. */
export type DocumentStatus = 'pending' | 'parsing' | 'summarizing' | 'ready' | 'failed' | (string & {});

export interface Document {
  readonly id: string;
  readonly title: string;
  readonly contentType: string;
  readonly sourceType?: string | undefined;
  readonly status: DocumentStatus;
  readonly byteSize: number;
  /** RFC 3339, possibly with a numeric offset. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface DocumentDetail extends Document {
  readonly sectionCount?: number | undefined;
  /** `<stage>: <cause>` when `status` is `failed`; absent otherwise. */
  readonly errorMessage?: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  /** Pages in the file and pages whose text was read; only the embedded engine says so. */
  readonly pageCount?: number | undefined;
  readonly pagesRead?: number | undefined;
}

export interface DocumentPage {
  /** Newest first. */
  readonly documents: readonly Document[];
  /** Opaque; absent on the last page. */
  readonly nextCursor?: string | undefined;
}

export interface ListParams {
  /** 1 to 200; the server's default is 50. */
  readonly limit?: number | undefined;
  readonly status?: DocumentStatus | undefined;
  readonly cursor?: string | undefined;
}

/** A body that can be opened again for a retry: a `Blob`, an `fs.openAsBlob()`, or anything shaped like one. */
export interface BlobLike {
  readonly size: number;
  stream(): AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;
}

export interface IngestRequest {
  /** Text, bytes, a reopenable body, or a one-shot stream (which is never retried once reading has begun). */
  readonly content: string | Uint8Array | BlobLike | ReadableStream<Uint8Array>;
  readonly filename: string;
  /** Sent as given; the server guesses badly without it. */
  readonly contentType: string;
  /** The same key names the same document for as long as it exists, whatever the new body. */
  readonly idempotencyKey?: string | undefined;
}

export interface IngestReceipt {
  readonly documentId: string;
  readonly status: DocumentStatus;
  /** The server answered from its idempotency cache. */
  readonly replayed: boolean;
}

export interface TreeSection {
  readonly id: string;
  readonly parentId?: string | undefined;
  /** 0 for a top-level section. */
  readonly depth: number;
  readonly title: string;
  readonly tokens: number;
  readonly summary?: string | undefined;
  readonly children: readonly string[];
  /** Pages count from 1. */
  readonly pageStart?: number | undefined;
  readonly pageEnd?: number | undefined;
}

export interface DocumentTree {
  readonly documentId: string;
  readonly title: string;
  /** Depth-first, without the synthetic root; empty until the document is parsed. */
  readonly sections: readonly TreeSection[];
}

export interface Section {
  readonly id: string;
  readonly documentId: string;
  readonly parentId?: string | undefined;
  readonly depth: number;
  readonly title: string;
  readonly summary?: string | undefined;
  readonly tokenCount: number;
  readonly content: string;
  readonly pageStart?: number | undefined;
  readonly pageEnd?: number | undefined;
  /** Titles of the ancestors, outermost first, without the section's own; only where the server sends it. */
  readonly headingPath?: readonly string[] | undefined;
}

export interface QuerySection {
  readonly id: string;
  readonly parentId?: string | undefined;
  readonly title: string;
  readonly summary?: string | undefined;
  readonly tokenCount: number;
  readonly content: string;
  readonly pageStart?: number | undefined;
  readonly pageEnd?: number | undefined;
  readonly headingPath?: readonly string[] | undefined;
  /** Higher is better; the scale is the server's own. Absent where the server does not rank. */
  readonly score?: number | undefined;
}

export interface QueryRequest {
  readonly documentId: string;
  readonly query: string;
  readonly maxSections?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly model?: string | undefined;
  readonly strategy?: string | undefined;
}

export interface QueryResult {
  readonly documentId: string;
  readonly query: string;
  /** In the server's order, which not every strategy makes an order of relevance. */
  readonly sections: readonly QuerySection[];
  readonly strategy?: string | undefined;
  /** The server looked and decided that nothing answers the question. */
  readonly abstained: boolean;
  readonly abstentionReason?: string | undefined;
  readonly elapsedMs?: number | undefined;
  readonly usage?: Usage | undefined;
  readonly traceToken?: string | undefined;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly llmCalls: number;
  readonly costUsd: number;
}

export interface QueryManyRequest {
  readonly documentIds: readonly string[];
  readonly query: string;
  /** Per document. */
  readonly maxSections?: number | undefined;
  readonly model?: string | undefined;
}

export interface QueryManyResult {
  readonly query: string;
  /** In the order of the request. */
  readonly documents: readonly { readonly documentId: string; readonly sections: readonly QuerySection[] }[];
  /** By document id: what went wrong with the documents that are missing above. */
  readonly errors: Readonly<Record<string, string>>;
  readonly elapsedMs?: number | undefined;
}

export type QueryEvent =
  | { readonly type: 'started'; readonly totalSlices: number }
  | { readonly type: 'section'; readonly section: QuerySection }
  | { readonly type: 'progress'; readonly sliceIndex: number; readonly totalSlices: number }
  | { readonly type: 'completed'; readonly elapsedMs: number };

export interface AnswerRequest {
  readonly documentId: string;
  readonly query: string;
  readonly maxSections?: number | undefined;
  readonly maxAnswerTokens?: number | undefined;
  readonly model?: string | undefined;
}

/** Reading page by page: only useful for documents with pages. */
export interface TreewalkRequest {
  readonly documentId: string;
  readonly query: string;
  readonly model?: string | undefined;
  /** Rounds of reading; the server's default is 8. */
  readonly maxHops?: number | undefined;
  /** Characters (not pages) read in one round; the server's default is 16,000. */
  readonly maxCharactersPerHop?: number | undefined;
}

export interface Citation {
  /** Empty where the server cites pages that belong to no section. */
  readonly sectionIds: readonly string[];
  readonly title?: string | undefined;
  readonly pageStart?: number | undefined;
  readonly pageEnd?: number | undefined;
  readonly quote?: string | undefined;
  /** Where the quote is, as UTF-8 byte offsets (not string indices): end exclusive. Of a treewalk, into the cited sections joined. */
  readonly quoteBytes?: { readonly start: number; readonly end: number } | undefined;
}

export interface AnswerResult {
  readonly documentId: string;
  readonly query: string;
  readonly answer: string;
  readonly citations: readonly Citation[];
  readonly abstained: boolean;
  readonly strategy?: string | undefined;
  /** Of a treewalk: 0 to 1. */
  readonly confidence?: number | undefined;
  readonly traceToken?: string | undefined;
  readonly elapsedMs?: number | undefined;
  readonly usage?: Usage | undefined;
}

/** An answer that the server gave before. All three must be those of that call. */
export interface ReplayRequest {
  readonly traceToken: string;
  readonly documentId: string;
  readonly query: string;
}

export interface WaitOptions extends CallOptions {
  /** Called after each look at the document. */
  readonly onStatus?: ((document: DocumentDetail) => void) | undefined;
}
