/** A candidate with what stands around it: what the heading rules ask about. */
import type { BodyStyle } from './body-style.ts';
import { boxWidth, type Heading } from './candidates.ts';
import type { Line, Page } from './layout.ts';
import { countOfWords, endsSentence, isNamed, PERIOD, UNITS } from './patterns.ts';

export interface Context {
  readonly heading: Heading;
  readonly page: Page;
  readonly body: BodyStyle;
  readonly line: Line;
  readonly last: Line;
  readonly next: Line | undefined;
  /** The line above in the same column, running heads left out. */
  readonly previous: Line | undefined;
  readonly columnWidth: number;
  readonly width: number;
  readonly letters: number;
  readonly left: boolean;
  /** Gap above in usual line distances; 9 at the top of a column. */
  readonly gap: number;
  readonly sentence: boolean;
  /** Part, Item, Note, Chapter. */
  readonly named: boolean;
  readonly inTable: boolean;
  /** A table starts right below. */
  readonly aboveRow: boolean;
  readonly aboveTable: boolean;
  /** A full paragraph follows. */
  readonly aboveText: boolean;
}

export function contextOf(heading: Heading, page: Page, body: BodyStyle): Context | undefined {
  const line = heading.lines[0];
  const last = heading.lines.at(-1);
  if (!line || !last) return undefined;
  const next = page.lines[heading.last + 1];
  const columnWidth = boxWidth(line);
  const aboveRow = next !== undefined && (next.inTable || next.row === 'numeric' || next.row === 'cells');
  const secondNext = page.lines[heading.last + 2];
  const headOfTable =
    next !== undefined &&
    secondNext?.inTable === true &&
    (PERIOD.test(next.text) || UNITS.test(next.text) || next.x0 > line.box.left + columnWidth * 0.4);
  return {
    heading,
    page,
    body,
    line,
    last,
    next,
    previous: previousOf(heading, page, line),
    columnWidth,
    width: Math.max(...heading.lines.map((l) => l.x1)) - Math.min(...heading.lines.map((l) => l.x0)),
    letters: heading.text.match(/\p{L}/gu)?.length ?? 0,
    left: line.x0 < line.box.left + columnWidth * 0.16,
    gap: Number.isFinite(line.gap) ? line.gap / (page.leading * line.size) : 9,
    sentence: endsSentence(heading.text),
    named: isNamed(heading.numbering),
    inTable: heading.lines.some((l) => l.inTable),
    aboveRow,
    aboveTable: (aboveRow || headOfTable) && last.below < last.size * 3,
    aboveText: next !== undefined && next.cells.length === 1 && countOfWords(next.text) >= 8 && !next.inTable,
  };
}

function previousOf(heading: Heading, page: Page, line: Line): Line | undefined {
  let previous = page.lines[heading.first - 1];
  if (previous && previous.running !== '') previous = page.lines[heading.first - 2];
  return previous && previous.running === '' && previous.column === line.column ? previous : undefined;
}

export function isUnitsOrPeriod(line: Line): boolean {
  return UNITS.test(line.text) || PERIOD.test(line.text);
}
