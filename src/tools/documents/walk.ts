import type { Document, DocumentPage, Documents } from '@vectorless/sdk';
import type { Call } from '../tool.ts';
import { withinCall } from '../within-call.ts';
import { type Filter, matches } from './filter.ts';
import type { Position } from './list-cursor.ts';

export interface Walked {
  readonly documents: readonly Document[];
  readonly next?: Position | undefined;
}

const pageSize = 200;
/** A filter that matches little must not walk a huge library in one call. */
const maxPages = 10;
/** With less time than this left another page is not asked for. */
const leastMs = 1_000;

/** How much one page of the listing holds. */
export interface Page {
  readonly limit: number;
  /** Whether there is room for one more; asked once for each document that matches. */
  fits(document: Document): boolean;
}

/**
 * Goes through the upstream's pages until the page is full. A server that repeats a page (it answers an unknown cursor
 * with the first one) ends the walk instead of looping it.
 */
export async function walk(
  documents: Documents,
  filter: Filter,
  from: Position,
  { limit, fits }: Page,
  call: Call,
): Promise<Walked> {
  const found: Document[] = [];
  const seen = new Set<string>();
  let { upstream, after, at } = from;
  // Filtering by status is the upstream's where it knows the state; `processing` is several of its states.
  const status = filter.status === 'processing' ? undefined : filter.status;
  for (let pages = 0; pages < maxPages && call.deadline - Date.now() > leastMs; pages++) {
    const page = await documents.list(
      {
        limit: pageSize,
        ...(status !== undefined && { status }),
        ...(upstream !== undefined && { cursor: upstream }),
      },
      withinCall(call),
    );
    const fresh = rest(page.documents, after, at).filter((document) => !seen.has(document.id));
    for (const document of fresh) {
      const isWanted = matches(document, filter);
      const isFull = isWanted && (found.length === limit || !fits(document));
      if (isFull && found.length > 0) return { documents: found, next: { upstream, after, at } };
      seen.add(document.id);
      after = document.id;
      at = document.createdAt;
      if (isWanted) found.push(document);
    }
    const next = nextCursor(page, upstream);
    if (next === undefined || (fresh.length === 0 && next === upstream)) return { documents: found };
    upstream = next;
    if (found.length === limit) break;
  }
  return { documents: found, next: { upstream, after, at } };
}

/**
 * The upstream's cursor is the time of its page's last document, and what was created at that very time but did not fit
 * on the page would be skipped. So the walk goes on a microsecond later: the same documents come once more and are
 * known by their ids. Databases keep no less than a microsecond. A page that holds nothing but one moment is left as the upstream says.
 */
function nextCursor(
  { documents, nextCursor: given }: DocumentPage,
  current: string | undefined,
): string | undefined {
  if (given === undefined || given === current) return undefined;
  const later = documents[0]?.createdAt === documents.at(-1)?.createdAt ? undefined : microsecondLater(given);
  return later === undefined || later === current ? given : later;
}

function microsecondLater(time: string): string | undefined {
  const [, second, fraction = '', zone] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(time) ?? [];
  const nanoseconds = Number(fraction.padEnd(9, '0')) + 1_000;
  if (second === undefined || nanoseconds >= 1e9) return undefined;
  return `${second}.${String(nanoseconds).padStart(9, '0')}${zone}`;
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
