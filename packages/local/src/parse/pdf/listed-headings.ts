/** Headings that the document itself lists: in its outline, and on its contents pages. */
import type { BodyStyle } from './body-style.ts';
import { type Heading, toHeading } from './candidates.ts';
import type { OutlineEntry, Page } from './layout.ts';
import { titleKey, withoutContinued } from './patterns.ts';
import { type Match, type TitleFinder, titleFinder } from './title-match.ts';

const NO_TITLE = /^(?:untitled|page \d+|slide \d+|\d+|_[a-z0-9]+)$/i;
const MIN_OUTLINE = 3;

export interface Listed {
  readonly headings: Heading[];
  /** The outline's levels count: enough of its titles stand on its pages. */
  readonly outlineCounts: boolean;
}

/** Adds what is listed to the headings that were found by layout. */
export function addListed(
  found: readonly Heading[],
  pages: readonly Page[],
  outline: readonly OutlineEntry[],
  body: BodyStyle,
): Listed {
  const headings = [...found];
  const find = titleFinder(pages, body);
  const require = (match: Match): Heading => {
    const known = headings.find(
      (h) => h.page === match.page && h.first <= match.first && h.last >= match.first,
    );
    const page = pages[match.page];
    const heading = known ?? (page ? toHeading(page, match.page, match.first, match.last, body) : undefined);
    if (!heading) throw new RangeError('a match is on a page');
    if (!known) headings.push(heading);
    for (const line of heading.lines) line.running = '';
    return heading;
  };
  const outlineCounts = addOutline(headings, usable(outline, pages.length), pages, find, require);
  for (const match of printedContents(pages, find)) require(match);
  headings.sort((a, b) => a.page - b.page || a.first - b.first);
  return { headings: withoutContentsEntries(headings, pages), outlineCounts };
}

function usable(outline: readonly OutlineEntry[], pageCount: number): readonly OutlineEntry[] {
  const named = outline.filter(
    (entry) => titleKey(entry.title).length >= 2 && !NO_TITLE.test(entry.title.trim()),
  );
  return named.length >= MIN_OUTLINE && named.length <= Math.max(60, pageCount * 12) ? named : [];
}

function addOutline(
  headings: Heading[],
  outline: readonly OutlineEntry[],
  pages: readonly Page[],
  find: TitleFinder,
  require: (match: Match) => Heading,
): boolean {
  const virtual: Heading[] = [];
  let matched = 0;
  for (const entry of outline) {
    const match = find(entry.title, entry.page, 1, entry.y);
    if (!match) {
      virtual.push(virtualHeading(entry, pages[entry.page]));
      continue;
    }
    matched++;
    const heading = require(match);
    heading.outlineLevel ??= entry.level;
  }
  const counts = outline.length > 0 && matched >= outline.length * 0.4;
  if (counts) headings.push(...virtual);
  return counts;
}

/** A title that stands nowhere still names what begins at its place. */
function virtualHeading(entry: OutlineEntry, page: Page | undefined): Heading {
  const { y } = entry;
  const at = y === undefined ? 0 : Math.max(0, page?.lines.findIndex((line) => line.y <= y) ?? 0);
  return {
    text: entry.title,
    page: entry.page,
    first: at - 0.5,
    last: at - 1,
    lines: [],
    ratio: 1,
    words: 0,
    bold: false,
    italic: false,
    capitals: false,
    centred: false,
    numbering: undefined,
    outlineLevel: entry.level,
    tagLevel: undefined,
    virtual: true,
    continued: false,
  };
}

interface PrintedEntry {
  readonly title: string;
  readonly label: number;
}

/** Entries of contents pages, found where their page numbers say, once the offset of those numbers is known. */
function printedContents(pages: readonly Page[], find: TitleFinder): Match[] {
  const entries = pages.filter((page) => page.contents).flatMap((page) => page.lines.flatMap(entryOf));
  const offset = pageOffset(entries, pages);
  if (offset === undefined && entries.length > 4) return [];
  return entries.flatMap((entry) => find(entry.title, entry.label + (offset ?? 0) - 1, 1) ?? []);
}

function entryOf(line: Page['lines'][number]): PrintedEntry[] {
  if (!line.contentsEntry) return [];
  const parts = /^(.*?)[\s.·…_]*\s((?:[A-Z]-)?\d{1,3})$/.exec(line.text.replace(/(?:\.\s?){3,}/g, ' . '));
  const title = parts?.[1]?.replace(/[\s.·…]+$/, '') ?? '';
  if (titleKey(title).length < 4) return [];
  return [{ title, label: Number(parts?.[2]?.replace(/\D/g, '')) }];
}

/** The difference between printed and counted page numbers that most entries agree on, at least three. */
function pageOffset(entries: readonly PrintedEntry[], pages: readonly Page[]): number | undefined {
  const keysOf = new Map<Page, string[]>();
  const votes = new Map<number, number>();
  for (const entry of entries.slice(0, 80)) {
    const want = titleKey(entry.title);
    for (let offset = -3; offset <= 40; offset++) {
      const page = pages[entry.label + offset - 1];
      if (!page || page.contents) continue;
      const keys = keysOf.get(page) ?? page.lines.map((line) => titleKey(line.text));
      keysOf.set(page, keys);
      const stands = keys.some((key) => key === want || (want.length > 12 && key.startsWith(want)));
      if (stands) votes.set(offset, (votes.get(offset) ?? 0) + 1);
    }
  }
  const [best] = [...votes].sort((a, b) => b[1] - a[1]);
  return best && best[1] >= 3 ? best[0] : undefined;
}

/** On contents pages without page numbers, an entry that comes back later as a heading is none itself. */
function withoutContentsEntries(headings: readonly Heading[], pages: readonly Page[]): Heading[] {
  const contents = new Set<number>();
  pages.slice(0, 12).forEach((page, i) => {
    const titled = page.lines.some(
      (line) => line.running === '' && /^(?:table of )?contents$/i.test(line.text.trim()),
    );
    if (titled) contents.add(i).add(i + 1);
  });
  const lastAt = new Map(headings.map((heading, i) => [titleKey(heading.text), i]));
  return headings.filter((heading, i) => {
    if (!contents.has(heading.page) || heading.outlineLevel !== undefined) return true;
    return (lastAt.get(titleKey(heading.text)) ?? i) <= i || /^(?:table of )?contents$/i.test(heading.text);
  });
}

export function markContinued(headings: readonly Heading[]): void {
  for (const heading of headings) {
    const text = withoutContinued(heading.text);
    if (text === heading.text || text === '') continue;
    heading.text = text;
    heading.continued = true;
  }
}
