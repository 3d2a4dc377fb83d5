import { randomUUID } from 'node:crypto';
import type { Reply } from './reply.ts';
import { cutSections, type FakeSection } from './sections.ts';
import { parserFor, unreadable } from './types.ts';

/** `S`: the multi-tenant server. `E`: the single-tenant engine: no authentication, no organisations. */
export type Dialect = 'S' | 'E';

/** How a document walks `pending → parsing → summarizing → ready` (or `failed`). Default: ready at the first look. */
export interface Lifecycle {
  /** How many `GET /v1/documents/{id}` see it unfinished. */
  readonly polls?: number;
  /** How long it is unfinished. */
  readonly ms?: number;
  /** Never gets further than this. */
  readonly stuckIn?: 'pending' | 'parsing' | 'summarizing';
  /** `false`: the deployment skips `summarizing`. */
  readonly summarizing?: boolean;
}

export interface FakeDocument {
  readonly id: string;
  readonly org: string;
  readonly store: string;
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly idempotencyKey: string;
  readonly lifecycle: Lifecycle;
  readonly createdMs: number;
  /** RFC 3339 with nine digits and a numeric offset, unique, in order of creation. */
  readonly createdAt: string;
  readonly parsedTitle: string;
  readonly sections: readonly FakeSection[];
  /** Why it ends as `failed`; empty when it ends as `ready`. */
  readonly reason: string;
  polls: number;
  /** Set by a test: overrides the lifecycle. */
  forced?: { readonly status: string; readonly error: string };
}

export interface NewDocument {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly org: string;
  readonly store: string;
  readonly idempotencyKey: string;
  readonly lifecycle: Lifecycle;
  /** Default: now. */
  readonly createdAt?: string | undefined;
}

/** What the fake remembers between requests. */
export interface World {
  readonly documents: Map<string, FakeDocument>;
  /** The idempotency cache of S: outcomes by method, path, organisation and key, errors included. */
  readonly outcomes: Map<string, Reply>;
  /** The retrieval cache: section ids by document, question, strategy and model. */
  readonly retrievals: Map<string, readonly string[]>;
  /** Answers that `/v1/replay` of E can give again. */
  readonly traces: Map<
    string,
    { readonly documentId: string; readonly query: string; readonly reply: Reply }
  >;
  add(document: NewDocument): FakeDocument;
}

export const noStore = '00000000-0000-0000-0000-000000000000';

export function createWorld(): World {
  const documents = new Map<string, FakeDocument>();
  let serial = 0;
  return {
    documents,
    outcomes: new Map(),
    retrievals: new Map(),
    traces: new Map(),
    add(given) {
      serial += 1;
      const id = `doc_${randomUUID()}`;
      const createdMs = Date.now();
      const reason = unreadable(given);
      const fallback = given.filename === '' ? id : given.filename;
      const { title, sections } =
        reason === ''
          ? cutSections(new TextDecoder().decode(given.bytes), fallback)
          : { title: fallback, sections: [] };
      const document: FakeDocument = {
        ...given,
        ...{ id, createdMs, reason, sections, polls: 0 },
        createdAt: given.createdAt ?? timestamp(createdMs, serial),
        parsedTitle: parserFor(given) === 'csv' ? fallback : title,
      };
      documents.set(id, document);
      return document;
    },
  };
}

export interface Progress {
  readonly status: string;
  readonly error: string;
  /** Its sections exist. */
  readonly parsed: boolean;
}

/** Where the document is now. Looking does not count as a poll; the caller counts. */
export function progressOf(document: FakeDocument): Progress {
  if (document.forced !== undefined) {
    const { status, error } = document.forced;
    return { status, error, parsed: status === 'ready' || status === 'summarizing' };
  }
  const { polls = 0, ms = 0, stuckIn, summarizing = true } = document.lifecycle;
  if (stuckIn !== undefined) return { status: stuckIn, error: '', parsed: stuckIn === 'summarizing' };
  const byPolls = polls > 0 ? document.polls / polls : 1;
  const byTime = ms > 0 ? (Date.now() - document.createdMs) / ms : 1;
  const done = Math.min(byPolls, byTime);
  if (done >= 1) {
    const failed = document.reason !== '';
    return { status: failed ? 'failed' : 'ready', error: document.reason, parsed: !failed };
  }
  const stages =
    summarizing && document.reason === '' ? ['pending', 'parsing', 'summarizing'] : ['pending', 'parsing'];
  const status = stages[Math.floor(done * stages.length)] ?? 'pending';
  return { status, error: '', parsed: status === 'summarizing' };
}

/** Two documents of one millisecond differ in the nanoseconds. */
function timestamp(ms: number, serial: number): string {
  const local = new Date(ms + 2 * 3_600_000).toISOString().slice(0, -1);
  return `${local}${String(serial % 1_000_000).padStart(6, '0')}+02:00`;
}
