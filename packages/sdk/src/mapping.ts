import type {
  Citation,
  Document,
  DocumentDetail,
  DocumentTree,
  IngestReceipt,
  QuerySection,
  Section,
  TreeSection,
  Usage,
} from './types.ts';

/** From the wire's snake_case to the types: lenient about what is missing, silent about what is new. */

/** An answer lacks what every server sends. */
export class ShapeError extends Error {}

/** Its own error does not quote the text, which may be a document's. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ShapeError(`it is not JSON (${body.length} characters).`);
  }
}

export type Wire = Readonly<Record<string, unknown>>;

export function wire(value: unknown, what: string): Wire {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Wire;
  throw new ShapeError(`${what} is not an object.`);
}

/** Servers write an empty string where there is nothing. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Pages count from 1; servers leave them out or write 0 where a format has none. */
function page(value: unknown): number | undefined {
  const number = count(value);
  return number !== undefined && number > 0 ? number : undefined;
}

function required(value: unknown, name: string): string {
  const found = text(value);
  if (found === undefined) throw new ShapeError(`"${name}" is missing.`);
  return found;
}

/** Lists are `null` on some servers where they are empty. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function texts(value: unknown): string[] {
  return list(value).filter((item) => typeof item === 'string');
}

export function toReceipt(value: unknown, replayed: boolean): IngestReceipt {
  const from = wire(value, 'The receipt');
  return {
    documentId: required(from.document_id, 'document_id'),
    status: text(from.status) ?? 'pending',
    replayed,
  };
}

export function toDocument(value: unknown): Document {
  const from = wire(value, 'A document');
  return {
    id: required(from.id ?? from.doc_id, 'id'),
    title: text(from.title) ?? '',
    contentType: text(from.content_type) ?? 'application/octet-stream',
    sourceType: text(from.source_type),
    status: required(from.status, 'status'),
    byteSize: count(from.byte_size) ?? 0,
    createdAt: text(from.created_at) ?? '',
    updatedAt: text(from.updated_at) ?? '',
  };
}

export function toDocumentDetail(value: unknown): DocumentDetail {
  const from = wire(value, 'A document');
  const metadata = typeof from.metadata === 'object' && from.metadata !== null ? from.metadata : {};
  return {
    ...toDocument(value),
    sectionCount: count(from.section_count),
    errorMessage: text(from.error_message),
    metadata: Object.fromEntries(Object.entries(metadata).filter(([, entry]) => typeof entry === 'string')),
    pageCount: count(from.page_count),
    pagesRead: count(from.pages_read),
  };
}

/** A document with several top-level sections gets a synthetic root with the id "": it is dropped, its children rise. */
export function toTree(value: unknown): DocumentTree {
  const from = wire(value, 'A tree');
  const sections = list(from.sections).map((item) => wire(item, 'A tree section'));
  const rooted = sections[0]?.id === '';
  return {
    documentId: required(from.document_id, 'document_id'),
    title: text(from.title) ?? '',
    sections: (rooted ? sections.slice(1) : sections).map((section) =>
      toTreeSection(section, rooted ? 1 : 0),
    ),
  };
}

function toTreeSection(from: Wire, rootDepth: number): TreeSection {
  return {
    id: required(from.id, 'id'),
    parentId: text(from.parent_id),
    depth: Math.max(0, (count(from.depth) ?? 0) - rootDepth),
    title: text(from.title) ?? '',
    tokens: count(from.tokens) ?? 0,
    summary: text(from.summary),
    children: texts(from.children),
    pageStart: page(from.page_start),
    pageEnd: page(from.page_end),
  };
}

export function toSection(value: unknown): Section {
  const from = wire(value, 'A section');
  return {
    id: required(from.id, 'id'),
    documentId: required(from.document_id, 'document_id'),
    depth: count(from.depth) ?? 0,
    ...sectionBody(from),
  };
}

export function toQuerySection(value: unknown): QuerySection {
  const from = wire(value, 'A section');
  return { id: required(from.id, 'id'), ...sectionBody(from), score: count(from.score) };
}

function sectionBody(from: Wire) {
  return {
    parentId: text(from.parent_id),
    title: text(from.title) ?? '',
    summary: text(from.summary),
    tokenCount: count(from.token_count) ?? 0,
    content: text(from.content) ?? '',
    pageStart: page(from.page_start),
    pageEnd: page(from.page_end),
    headingPath: Array.isArray(from.heading_path) ? texts(from.heading_path) : undefined,
  };
}

export function toUsage(value: unknown): Usage | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const from = value as Wire;
  return {
    inputTokens: count(from.input_tokens) ?? 0,
    outputTokens: count(from.output_tokens) ?? 0,
    totalTokens: count(from.total_tokens) ?? 0,
    llmCalls: count(from.llm_calls) ?? 0,
    costUsd: count(from.cost_usd) ?? 0,
  };
}

/** A citation of either kind: of one section, or of pages (whose names for them differ). */
export function toCitation(value: unknown): Citation {
  const from = wire(value, 'A citation');
  const id = text(from.section_id);
  const start = count(from.quote_start);
  const end = count(from.quote_end);
  const located = start !== undefined && end !== undefined && start >= 0 && end >= start;
  return {
    sectionIds: id === undefined ? texts(from.section_ids) : [id],
    title: text(from.title) ?? texts(from.title_path).at(-1),
    pageStart: page(from.page_start ?? from.start_page),
    pageEnd: page(from.page_end ?? from.end_page),
    quote: text(from.quote),
    quoteBytes: located ? { start, end } : undefined,
  };
}
