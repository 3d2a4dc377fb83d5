import type { Exchange, Handler } from './exchange.ts';
import { failure, json, type Reply } from './reply.ts';
import { type FakeSection, tokenCount } from './sections.ts';
import { parserFor } from './types.ts';
import { type FakeDocument, progressOf } from './world.ts';

const notFound = failure(404, 'document not found');

/** The document, unless it is another organisation's or in another store. */
export function find({ world, org, store }: Exchange, id: string): FakeDocument | undefined {
  const document = world.documents.get(id);
  if (document === undefined || document.org !== org) return undefined;
  return store === undefined || document.store === store ? document : undefined;
}

export const listDocuments: Handler = (exchange) => {
  const { dialect, url, world } = exchange;
  const asked = Number(url.searchParams.get('limit') ?? '');
  const limit = Number.isInteger(asked) && asked > 0 ? Math.min(asked, 200) : 50;
  const status = url.searchParams.get('status') ?? '';
  // A cursor that cannot be read is ignored, and the list begins again: the server does so too.
  const before = instant(url.searchParams.get('cursor') ?? '');
  const matching = [...world.documents.values()]
    .filter((document) => find(exchange, document.id) !== undefined)
    .filter((document) => status === '' || progressOf(document).status === status)
    .filter((document) => before === undefined || (instant(document.createdAt) ?? '') < before)
    .reverse();
  const page = matching.slice(0, limit);
  const more = matching.length > limit;
  const items = page.map((document) => item(document, dialect));
  const next = more ? page.at(-1)?.createdAt : undefined;
  if (dialect === 'E') return json(200, { items, ...(next === undefined ? {} : { next_cursor: next }) });
  return json(200, { documents: items, items, has_more: more, next_cursor: next ?? null });
};

export const getDocument: Handler = (exchange, id) => {
  const document = find(exchange, id);
  if (document === undefined) return notFound;
  const { error, parsed } = progressOf(document);
  const detail = {
    ...item(document, exchange.dialect),
    ...(exchange.dialect === 'S' ? { section_count: parsed ? document.sections.length : 0 } : {}),
    error_message: error,
    metadata: {},
  };
  document.polls += 1;
  return json(200, detail);
};

export const deleteDocument: Handler = (exchange, id): Reply => {
  const document = find(exchange, id);
  if (document === undefined) return notFound;
  exchange.world.documents.delete(document.id);
  return { status: 204 };
};

export const getTree: Handler = (exchange, id) => {
  const document = find(exchange, id);
  if (document === undefined) return notFound;
  const { parsed } = progressOf(document);
  const sections = parsed && document.sections.length > 0 ? treeOf(document) : null;
  return json(200, { document_id: document.id, title: titleOf(document), sections });
};

export const getSource: Handler = (exchange, id): Reply => {
  const document = find(exchange, id);
  if (document === undefined) return notFound;
  const headers = {
    'content-type': document.contentType || 'application/octet-stream',
    'content-length': String(document.bytes.byteLength),
  };
  const named = `inline; filename="${titleOf(document).replace(/[^\x20-\x7e]/g, '?')}"`;
  const extra =
    exchange.dialect === 'S'
      ? { 'content-disposition': named }
      : { 'content-disposition': 'inline', 'cache-control': 'private, max-age=300' };
  return { status: 200, headers: { ...headers, ...extra }, body: document.bytes };
};

export const getOutline: Handler = (exchange, id): Reply => {
  const document = find(exchange, id);
  if (document === undefined) return notFound;
  const { parsed } = progressOf(document);
  const lines = parsed
    ? document.sections.map(({ depth, title }) => `${'#'.repeat(depth + 2)} ${title}`)
    : [];
  return {
    status: 200,
    headers: { 'content-type': 'text/markdown; charset=utf-8' },
    body: `# ${titleOf(document)}\n\n${lines.join('\n')}\n`,
  };
};

export const getSection: Handler = (exchange, id) => {
  const owner = [...exchange.world.documents.values()].find(
    (document) => find(exchange, document.id) && document.sections.some((section) => section.id === id),
  );
  const section = owner?.sections.find((candidate) => candidate.id === id);
  if (owner === undefined || section === undefined || !progressOf(owner).parsed) {
    return failure(404, 'section not found');
  }
  const { parentId, ordinal, depth, title, content } = section;
  return json(200, {
    ...{ id, document_id: owner.id, parent_id: parentId, ordinal, depth, title, summary: '' },
    ...{ token_count: tokenCount(content), metadata: {}, content },
    ...(exchange.dialect === 'E' ? pagesOf(section) : {}),
  });
};

/** Page fields as the server writes them: left out when unknown. */
export function pagesOf({ pageStart, pageEnd }: FakeSection): { page_start?: number; page_end?: number } {
  return {
    ...(pageStart === undefined ? {} : { page_start: pageStart }),
    ...(pageEnd === undefined ? {} : { page_end: pageEnd }),
  };
}

function item(document: FakeDocument, dialect: Exchange['dialect']): Record<string, unknown> {
  const { id, contentType, createdAt, bytes } = document;
  return {
    ...{ id, title: titleOf(document), content_type: contentType, status: progressOf(document).status },
    ...(dialect === 'S' ? { doc_id: id, source_type: parserFor(document) ?? 'file' } : {}),
    ...{ byte_size: bytes.byteLength, created_at: createdAt, updated_at: createdAt },
  };
}

/** The file name until the document is parsed. */
function titleOf(document: FakeDocument): string {
  return progressOf(document).parsed ? document.parsedTitle : document.filename || document.id;
}

/** Depth-first; several top-level sections get a synthetic root without an id, which nobody names as parent. */
function treeOf(document: FakeDocument): Record<string, unknown>[] {
  const { sections } = document;
  const tops = sections.filter(({ parentId }) => parentId === '');
  const isRooted = tops.length > 1;
  const views = sections.map((section) => {
    const children = sections.filter(({ parentId }) => parentId === section.id).map(({ id }) => id);
    return {
      ...{ id: section.id, depth: section.depth + (isRooted ? 1 : 0) },
      ...(section.parentId === '' ? {} : { parent_id: section.parentId }),
      ...{ title: section.title, tokens: tokenCount(section.content) },
      ...(children.length === 0 ? {} : { children }),
      ...pagesOf(section),
    };
  });
  if (!isRooted) return views;
  const root = {
    id: '',
    depth: 0,
    title: document.parsedTitle,
    tokens: 0,
    children: tops.map(({ id }) => id),
  };
  return [root, ...views];
}

/** RFC 3339 as text that sorts; undefined for what Go would not parse. All of the fake's times share one offset. */
function instant(timestamp: string): string | undefined {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(timestamp)
    ? timestamp
    : undefined;
}
