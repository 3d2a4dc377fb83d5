import type { Indexer } from '../indexing/indexer.ts';
import type { StoredDocument } from '../store/catalog.ts';
import { sectionId } from '../store/document-id.ts';
import type { DocumentStore } from '../store/document-store.ts';
import { DamagedFile, errorCode } from '../store/errors.ts';
import { json, Refused } from './answers.ts';
import { readingDocument } from './reading.ts';
import { readUpload } from './upload.ts';

export interface Engine {
  readonly store: DocumentStore;
  readonly indexer: Indexer;
  /** Largest request body in bytes. */
  readonly maxBodyBytes: number;
  /** Takes a sentence without document text. */
  warn(message: string): void;
}

const DEFAULT_PAGE = 50;
const LARGEST_PAGE = 200;

export async function postDocument(
  { store, indexer, maxBodyBytes }: Engine,
  request: Request,
): Promise<Response> {
  const file = await readUpload(request, maxBodyBytes);
  const key = request.headers.get('idempotency-key') ?? '';
  const document = await store.add(key ? { ...file, key } : file);
  const status = statusOf(document, indexer);
  indexer.wake();
  return json(202, { document_id: document.id, status });
}

/** Newest first. The cursor is `created at~id` of the page's last document; one that is not understood starts over. */
export function listDocuments({ store, indexer }: Engine, query: URLSearchParams): Response {
  const status = query.get('status') ?? '';
  const wanted = Number(query.get('limit') ?? DEFAULT_PAGE);
  const limit = wanted >= 1 ? Math.min(Math.floor(wanted), LARGEST_PAGE) : DEFAULT_PAGE;
  const after = /^\d{4}-\d\d-\d\dT[^~]+~doc_/.test(query.get('cursor') ?? '') ? query.get('cursor') : null;

  const listed = store
    .all()
    .map((document) => ({ document, place: `${document.head.createdAt}~${document.id}` }))
    .filter(({ place }) => after === null || place < after)
    .filter(({ document }) => !status || statusOf(document, indexer) === status)
    .sort((a, b) => (a.place < b.place ? 1 : -1));
  const page = listed.slice(0, limit);
  const warnings = store.warnings();
  return json(200, {
    items: page.map(({ document }) => summaryOf(document, indexer)),
    ...(listed.length > limit && { next_cursor: page.at(-1)?.place }),
    ...(warnings.length > 0 && { warnings }),
  });
}

export function getDocument({ indexer }: Engine, document: StoredDocument): Response {
  const { segment, failure } = document;
  const meta = segment?.meta;
  return json(200, {
    ...summaryOf(document, indexer),
    section_count: segment?.sectionCount ?? 0,
    error_message: failure
      ? `${failure.code === 'storage' ? 'persist tree' : 'parse'}: ${failure.message}`
      : '',
    metadata: {},
    ...(meta?.pageCount !== undefined && { page_count: meta.pageCount }),
    ...(meta?.pagesRead !== undefined && { pages_read: meta.pagesRead }),
  });
}

export async function deleteDocument({ store }: Engine, document: StoredDocument): Promise<Response> {
  if (!(await store.remove(document.id))) throw new Refused(404, 'document not found');
  return new Response(null, { status: 204 });
}

export function getSource({ store }: Engine, document: StoredDocument): Response {
  try {
    const { bytes } = store.source(document.id);
    return new Response(bytes, {
      headers: {
        'content-type': document.head.contentType || 'application/octet-stream',
        'content-length': String(bytes.length),
        'content-disposition': 'inline',
        'cache-control': 'private, max-age=300',
      },
    });
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && !(error instanceof DamagedFile)) throw error;
    throw new Refused(404, 'source object not found');
  }
}

/** Several top-level sections hang under a root with an empty id, as the API has it. */
export function getTree(engine: Engine, document: StoredDocument): Response {
  const { id, segment } = document;
  if (!segment) return json(200, { document_id: id, title: titleOf(document), sections: null });
  const outline = readingDocument(engine, id, (current) => current.outline());
  const children = outline.map((): string[] => []);
  const top: string[] = [];
  outline.forEach(({ parent }, number) => {
    (children[parent] ?? top).push(sectionId(id, number));
  });
  const rooted = top.length > 1;
  const views = outline.map(({ title, depth, parent, tokens, pageStart, pageEnd }, number) => ({
    id: sectionId(id, number),
    ...(parent >= 0 && { parent_id: sectionId(id, parent) }),
    depth: depth + (rooted ? 1 : 0),
    title,
    tokens,
    ...(children[number]?.length && { children: children[number] }),
    ...(pageStart !== undefined && { page_start: pageStart }),
    ...(pageEnd !== undefined && { page_end: pageEnd }),
  }));
  const root = { id: '', depth: 0, title: titleOf(document), tokens: 0, children: top };
  return json(200, {
    document_id: id,
    title: titleOf(document),
    sections: rooted ? [root, ...views] : views,
  });
}

function summaryOf(document: StoredDocument, indexer: Indexer): Record<string, unknown> {
  const { id, head, segment, failure } = document;
  return {
    id,
    title: titleOf(document),
    content_type: head.contentType,
    status: statusOf(document, indexer),
    byte_size: head.byteSize,
    created_at: head.createdAt,
    updated_at: segment?.meta.updatedAt ?? failure?.at ?? head.createdAt,
  };
}

export function titleOf({ id, head, segment }: StoredDocument): string {
  return segment?.meta.title || head.filename || id;
}

function statusOf({ id, segment, failure }: StoredDocument, indexer: Indexer): string {
  if (segment) return 'ready';
  if (failure) return 'failed';
  return indexer.isBusyWith(id) ? 'parsing' : 'pending';
}
