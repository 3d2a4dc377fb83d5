import type { Document, Documents } from '@vectorless/sdk';
import type { Call } from '../tool.ts';
import { type Filter, matches } from './filter.ts';
import type { Position } from './list-cursor.ts';

export interface Walked {
  readonly documents: readonly Document[];
  readonly next?: Position | undefined;
}

const pageSize = 200;
/** A filter that matches little must not walk a huge library in one call. */
const maxPages = 10;

/**
 * Goes through the upstream's pages until `limit` documents match. A server that repeats a page (it answers an
 * unknown cursor with the first one) ends the walk instead of looping it.
 */
export async function walk(
  documents: Documents,
  filter: Filter,
  from: Position,
  limit: number,
  { signal, deadline }: Call,
): Promise<Walked> {
  const found: Document[] = [];
  const seen = new Set<string>();
  let { upstream, after, at } = from;
  // Filtering by status is the upstream's where it knows the state; `processing` is several of its states.
  const status = filter.status === 'processing' ? undefined : filter.status;
  for (let pages = 0; pages < maxPages && deadline - Date.now() > 1_000; pages++) {
    const page = await documents.list(
      {
        limit: pageSize,
        ...(status !== undefined && { status }),
        ...(upstream !== undefined && { cursor: upstream }),
      },
      { signal, timeoutMs: deadline - Date.now() },
    );
    const fresh = rest(page.documents, after, at).filter((document) => !seen.has(document.id));
    for (const document of fresh) {
      seen.add(document.id);
      after = document.id;
      at = document.createdAt;
      if (!matches(document, filter)) continue;
      found.push(document);
      if (found.length === limit) {
        const isLast = document.id === page.documents.at(-1)?.id && page.nextCursor === undefined;
        return isLast ? { documents: found } : { documents: found, next: { upstream, after, at } };
      }
    }
    const isStuck = page.nextCursor === upstream || (fresh.length === 0 && after === undefined);
    if (page.nextCursor === undefined || isStuck) return { documents: found };
    upstream = page.nextCursor;
    after = undefined;
  }
  return { documents: found, next: { upstream, after, at } };
}

/**
 * What follows the document that was looked at last. Lists run from new to old, so what is newer than it was seen
 * before: the document may be gone, and a server that does not know its cursor any more starts from the top.
 */
function rest(
  documents: readonly Document[],
  after: string | undefined,
  at: string | undefined,
): readonly Document[] {
  const index = documents.findIndex((document) => document.id === after);
  if (index >= 0) return documents.slice(index + 1);
  const limit = Date.parse(at ?? '');
  return Number.isNaN(limit)
    ? documents
    : documents.filter(({ createdAt }) => !(Date.parse(createdAt) > limit));
}
