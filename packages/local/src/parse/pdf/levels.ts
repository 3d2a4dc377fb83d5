/** Levels of headings: from the outline or the tags where they count, else from numbering, wording and style. */
import type { BodyStyle } from './body-style.ts';
import type { Heading } from './candidates.ts';
import { REPORT, STATEMENT } from './patterns.ts';
import { rankStyles, styleKey } from './style-ranks.ts';

export interface LevelSources {
  readonly outlineCounts: boolean;
  readonly tagsCount: boolean;
}

/** Styles rank below PART and ITEM, and everything found by layout below an outline's entries. */
const STYLE_BASE = 10;
const LISTED_STEP = 0.01;
const BELOW_LISTED = 5;
/** Statements and reports stand right under an Item, whatever they look like. */
const STATEMENT_RANK = 8;
/** So many pages after its last number a sequence of notes has ended. */
const SEQUENCE_PAGES = 15;
const AFTER_NOTES =
  /^(?:signatures?|index|exhibits?|schedule|supplementary|selected|management|power of attorney|financial highlights)/i;

/** The level of each heading, 1 the outermost: ranks nest as they come. */
export function levelsOf(headings: readonly Heading[], body: BodyStyle, sources: LevelSources): number[] {
  const rankOf = ranker(headings, body);
  const open: number[] = [];
  return headings.map((heading) => {
    let rank = rankOf(heading);
    if (sources.outlineCounts) rank = listed(heading.outlineLevel) ?? BELOW_LISTED + rank;
    else if (sources.tagsCount) rank = listed(heading.tagLevel) ?? BELOW_LISTED + rank;
    while (open.length > 0 && (open.at(-1) ?? 0) >= rank - 1e-6) open.pop();
    open.push(rank);
    return open.length;
  });
}

function listed(level: number | undefined): number | undefined {
  return level === undefined ? undefined : level * LISTED_STEP;
}

/** Smaller ranks are further out. Must be asked in reading order: numbering depends on what came before. */
function ranker(headings: readonly Heading[], body: BodyStyle): (heading: Heading) => number {
  const styleRanks = rankStyles(headings, body);
  const sequences = sequenceStyles(headings);
  const items = headings.filter((heading) => heading.numbering?.kind === 'item').length >= 3;
  const sequenceAt = new Map<string, number>();
  let firstNumber = Number.POSITIVE_INFINITY;

  const numbered = (heading: Heading, rank: number): number => {
    const { kind, depth } = heading.numbering ?? { kind: '', depth: 0 };
    if (kind === 'letter') return rank + 0.3;
    if (kind !== 'decimal' && kind !== 'number') return rank;
    if (depth > 1) {
      const base = Number.isFinite(firstNumber) ? firstNumber : rank - 0.2 * (depth - 1);
      return Math.max(rank, base + 0.2 * depth);
    }
    firstNumber = Math.min(firstNumber, rank);
    return sequences.has(styleKey(heading)) ? rank : rank + 0.2;
  };

  return (heading) => {
    const style = styleKey(heading);
    const kind = heading.numbering?.kind;
    if (kind === 'item' || kind === 'part') sequenceAt.clear();
    if ((kind === 'note' || kind === 'number') && sequences.has(style)) sequenceAt.set(style, heading.page);
    const rank = STYLE_BASE + (styleRanks.get(style) ?? 8);
    if (heading.virtual) return rank;
    if (kind === 'part' && heading.text.length < 60 && (items || heading.ratio >= 1.1 || heading.bold))
      return 0;
    if (kind === 'item' && items) return 1;
    const placed = numbered(heading, rank) + indent(heading) + sentencePenalty(heading);
    if (heading.numbering) return placed;
    if (items && isStatement(heading)) return Math.min(placed, STATEMENT_RANK);
    const started = sequenceAt.get(style);
    const within = started !== undefined && heading.page - started < SEQUENCE_PAGES;
    return within && !AFTER_NOTES.test(heading.text) ? placed + 0.4 : placed;
  };
}

function isStatement({ text, words, ratio, page }: Heading): boolean {
  if (ratio < 0.9 || page <= 3) return false;
  if (REPORT.test(text)) return true;
  return STATEMENT.test(text) && /consolidated|condensed|combined/i.test(text) && words <= 14;
}

/** An indented heading is further in. */
function indent(heading: Heading): number {
  const line = heading.lines[0];
  if (!line || heading.centred || line.x0 <= line.box.left + 12) return 0;
  return 0.05 * Math.min(4, Math.round((line.x0 - line.box.left) / 18));
}

/** A heading that is a sentence (a risk) stands below one of the same style that is a title. */
function sentencePenalty({ text, words }: Heading): number {
  return (text.endsWith('.') && words > 8 ? 0.5 : 0) - (REPORT.test(text) ? 0.3 : 0);
}

/** Styles whose numbers count up: 1, 2, 3. Other headings of that style stand below them. */
function sequenceStyles(headings: readonly Heading[]): Set<string> {
  const numbers = new Map<string, number[]>();
  for (const heading of headings) {
    const kind = heading.numbering?.kind;
    if (heading.virtual || (kind !== 'note' && kind !== 'number')) continue;
    const style = styleKey(heading);
    numbers.set(style, [...(numbers.get(style) ?? []), Number(/\d+/.exec(heading.text)?.[0])]);
  }
  const sequences = new Set<string>();
  for (const [style, list] of numbers) {
    const steps = list.slice(1).map((number, i) => number - (list[i] ?? 0));
    if (steps.filter((step) => step >= 0 && step <= 2).length >= 2) sequences.add(style);
  }
  return sequences;
}
