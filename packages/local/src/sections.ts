/**
 * Cuts a parsed document into the sections that are indexed and cited.
 *
 * Headings make a tree. Each heading's own text is cut into sections of at most about 350 words, near page ends where
 * that costs little, and small neighbours under one parent are merged, because a section of two lines answers nothing.
 * A heading with no text of its own takes in its first child when that child is small and whole; otherwise it stays as
 * a section with an empty `text`, so that every `headingPath` entry is a section and `parent` always finds it.
 */
import type { ParsedDocument, ParsedSection } from './document.ts';
import { buildTree, type HeadingNode } from './heading-tree.ts';
import { MAX_WORDS, type Part, partsOf } from './section-parts.ts';
import { countWords } from './words.ts';

/** Past this a section ends where its page ends, so that page ranges stay narrow. */
const PAGE_BREAK_WORDS = 210;
/** A section takes in neighbours smaller than this, until it is that long; a mere heading takes in what fits. */
const NEIGHBOUR_WORDS = 150;
const MERGE_UNTIL_WORDS = 240;
const MERE_HEADING_WORDS = 40;
/** A rest shorter than this joins the part before it, and an introduction shorter than this stays with its table. */
const SMALL_WORDS = 90;
const MAX_WITH_REST = 415;
/** A table of this size starts a section of its own: it is what people look for by its title. */
const TABLE_WORDS = 120;
/** Parts that a document counts off by name are looked for by that name, however short they are. */
const NAMED_PART = /^(?:items?|chapter|article)\s+(?:\d+|[ivxlc]+\b)/i;

interface Draft {
  /** The heading whose text this is; after a merge the first one. */
  node: HeadingNode;
  readonly titles: string[];
  readonly lines: string[];
  readonly rowLabels: string[];
  words: number;
  tableWords: number;
  pageStart: number | undefined;
  pageEnd: number | undefined;
}

/** Sections in reading order; `parent` is an index into the same list. */
export function cutSections(parsed: ParsedDocument): ParsedSection[] {
  const root = buildTree(parsed.blocks);
  const drafts = layOut(root);
  const indexOf = new Map<HeadingNode, number>();
  drafts.forEach((draft, i) => {
    if (!indexOf.has(draft.node)) indexOf.set(draft.node, i);
  });
  return drafts.map((draft) => toSection(draft, indexOf));
}

function toSection(draft: Draft, indexOf: ReadonlyMap<HeadingNode, number>): ParsedSection {
  const path: string[] = [];
  for (let node = draft.node.parent; node?.parent; node = node.parent) path.unshift(node.title);
  const parent = draft.node.parent?.parent ? (indexOf.get(draft.node.parent) ?? -1) : -1;
  const leaf = draft.node.children.length === 0;
  const text = draft.lines.length === 0 && leaf ? headingLine(draft.node) : draft.lines.join('\n\n');
  return {
    title: draft.node.title,
    headingPath: path,
    depth: path.length,
    parent,
    ...(draft.pageStart === undefined ? {} : { pageStart: draft.pageStart }),
    ...(draft.pageEnd === undefined ? {} : { pageEnd: draft.pageEnd }),
    text,
    rowLabels: draft.rowLabels,
    titles: draft.titles.filter((title) => title !== ''),
  };
}

/** The sections of a heading and everything under it. Depth is bounded by the tree's levels. */
function layOut(node: HeadingNode): Draft[] {
  const drafts = ownDrafts(node);
  let last = drafts.at(-1);
  for (const child of node.children) {
    const below = layOut(child);
    const whole = below.length === 1 ? below[0] : undefined;
    if (last && whole && canMerge(last, whole)) {
      merge(last, whole);
    } else {
      drafts.push(...below);
      // Only a whole neighbour may take in the next one: a cut heading's last part belongs to another parent.
      last = whole;
    }
  }
  return drafts;
}

function ownDrafts(node: HeadingNode): Draft[] {
  const drafts: Draft[] = [];
  let draft = startDraft(node, node.page);
  for (const part of node.blocks.flatMap(partsOf)) {
    if (draft.lines.length > 0 && endsBefore(draft, part)) {
      drafts.push(draft);
      // A continuation starts where its text does, not where its heading stands.
      draft = startDraft(node, undefined);
    }
    append(draft, part);
  }
  const before = drafts.at(-1);
  if (before && draft.words < SMALL_WORDS && before.words + draft.words <= MAX_WITH_REST) {
    absorb(before, draft);
  } else if (draft.lines.length > 0 || (drafts.length === 0 && node.parent)) {
    drafts.push(draft);
  }
  return drafts;
}

function endsBefore(draft: Draft, part: Part): boolean {
  const total = draft.words + part.words;
  if (total > MAX_WORDS) {
    const introduction = part.kind !== 'text' && draft.words < SMALL_WORDS && total <= MAX_WITH_REST;
    return !introduction;
  }
  const turned = (part.pageStart ?? 0) > (draft.pageEnd ?? Number.POSITIVE_INFINITY);
  return turned && draft.words > PAGE_BREAK_WORDS;
}

function startDraft(node: HeadingNode, page: number | undefined): Draft {
  return {
    node,
    titles: [node.title],
    lines: [],
    rowLabels: [],
    words: countWords(node.title),
    tableWords: 0,
    pageStart: page,
    pageEnd: page,
  };
}

function append(draft: Draft, part: Part): void {
  draft.lines.push(part.text);
  draft.rowLabels.push(...part.rowLabels);
  draft.words += part.words;
  if (part.kind === 'table') draft.tableWords += part.words;
  widen(draft, part);
}

function canMerge(into: Draft, next: Draft): boolean {
  const gap = (next.pageStart ?? 0) - (into.pageEnd ?? next.pageStart ?? 0);
  if (NAMED_PART.test(next.node.title)) return false;
  if (gap > 1 || next.tableWords >= TABLE_WORDS) return false;
  if (next.lines.length === 0) return into.words + next.words <= MAX_WITH_REST;
  const small = next.words < NEIGHBOUR_WORDS || into.words < MERE_HEADING_WORDS;
  return small && into.words < MERGE_UNTIL_WORDS && into.words + next.words <= MAX_WORDS;
}

function merge(into: Draft, next: Draft): void {
  if (into.node.parent) into.lines.push(headingLine(next.node));
  else into.node = next.node;
  into.titles.push(...next.titles);
  absorb(into, next);
}

function absorb(into: Draft, next: Draft): void {
  into.lines.push(...next.lines);
  into.rowLabels.push(...next.rowLabels);
  into.words += next.words;
  into.tableWords += next.tableWords;
  widen(into, next);
}

function widen(
  draft: Draft,
  range: { readonly pageStart: number | undefined; readonly pageEnd: number | undefined },
): void {
  if (range.pageStart !== undefined)
    draft.pageStart = Math.min(draft.pageStart ?? range.pageStart, range.pageStart);
  if (range.pageEnd !== undefined) draft.pageEnd = Math.max(draft.pageEnd ?? range.pageEnd, range.pageEnd);
}

function headingLine(node: HeadingNode): string {
  return `${'#'.repeat(Math.min(6, node.depth))} ${node.title}`;
}
