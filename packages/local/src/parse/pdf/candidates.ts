/** Lines that may be headings, joined where one runs over several lines. */
import { type BodyStyle, sizeStep } from './body-style.ts';
import type { Line, Page } from './layout.ts';
import { countOfWords, isCapitals, type Numbering, numbering, PERIOD, UNITS } from './patterns.ts';

const MAX_LINES = 6;

/** A heading, or what may become one. */
export interface Heading {
  text: string;
  /** Counts from 0. */
  readonly page: number;
  /** Its first and last line on the page; the first line alone decides its style. */
  readonly first: number;
  readonly last: number;
  readonly lines: readonly Line[];
  /** Size against the running text. */
  readonly ratio: number;
  readonly words: number;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly capitals: boolean;
  readonly centred: boolean;
  readonly numbering: Numbering | undefined;
  /** Level in the outline or in the structure tree, where it has one. */
  outlineLevel: number | undefined;
  tagLevel: number | undefined;
  /** An outline entry that no line matches. */
  readonly virtual: boolean;
  continued: boolean;
}

export function findCandidates(page: Page, pageIndex: number, body: BodyStyle): Heading[] {
  const out: Heading[] = [];
  for (let i = 0; i < page.lines.length; ) {
    const line = page.lines[i];
    if (!line) break;
    if (line.running !== '' || line.contentsEntry || (page.contents && /\d$/.test(line.text))) {
      i++;
      continue;
    }
    const last = isStyled(line, body) ? lastLineOf(page, i, body) : i;
    out.push(toHeading(page, pageIndex, i, last, body));
    i = last + 1;
  }
  return out;
}

export function toHeading(
  page: Page,
  pageIndex: number,
  first: number,
  last: number,
  body: BodyStyle,
): Heading {
  const lines = page.lines.slice(first, last + 1);
  const [line] = lines;
  if (!line) throw new RangeError('a heading has at least one line');
  const text = lines
    .map((part) => part.text)
    .join(' ')
    .replace(/-\s(?=\p{Ll})/gu, '-')
    .replace(/\s+/g, ' ');
  return {
    text,
    page: pageIndex,
    first,
    last,
    lines,
    ratio: line.size / body.size,
    words: countOfWords(text),
    bold: line.bold > 0.85 && !body.bold,
    italic: line.italic > 0.85 && !body.italic,
    capitals: (text.match(/\p{L}/gu)?.length ?? 0) >= 4 && isCapitals(text),
    centred: isCentred(line, page),
    numbering: numbering(text),
    outlineLevel: undefined,
    tagLevel: undefined,
    virtual: false,
    continued: false,
  };
}

/** In the middle of its column, or of the page: a table's lines may reach further to one side. */
function isCentred(line: Line, page: Page): boolean {
  const width = boxWidth(line);
  const middle = (line.x0 + line.x1) / 2;
  if (line.x0 <= line.box.left + width * 0.08) return false;
  if (Math.abs(middle - (line.box.left + line.box.right) / 2) < width * 0.04) return true;
  return line.column === 0 && Math.abs(middle - page.width / 2) < page.width * 0.01;
}

export function boxWidth(line: Line): number {
  return Math.max(60, line.box.right - line.box.left);
}

function isStyled(line: Line, body: BodyStyle): boolean {
  return (
    line.size >= body.size * 1.1 || (line.bold > 0.85 && !body.bold) || (line.italic > 0.85 && !body.italic)
  );
}

function lastLineOf(page: Page, first: number, body: BodyStyle): number {
  let last = first;
  while (last - first < MAX_LINES - 1) {
    const line = page.lines[last];
    const next = page.lines[last + 1];
    if (!line || !next || !sameBlock(line, next, page)) break;
    if (!runsOn(line, next, body, last === first)) break;
    last++;
  }
  return last;
}

/** Same style, same column, normal distance. */
function sameBlock(line: Line, next: Line, page: Page): boolean {
  return (
    styleOf(line) === styleOf(next) &&
    next.column === line.column &&
    next.running === '' &&
    !next.contentsEntry &&
    next.gap <= Math.max(line.size * 1.55, page.leading * line.size * 1.12) &&
    next.cells.length <= 2 &&
    !UNITS.test(next.text) &&
    !PERIOD.test(next.text)
  );
}

function styleOf(line: Line): string {
  return `${sizeStep(line.size)}|${line.bold > 0.85}|${line.italic > 0.85}`;
}

/** Whether the line goes on in the next: it fills the column, or both are large, or the next starts small. */
function runsOn(line: Line, next: Line, body: BodyStyle, isFirst: boolean): boolean {
  const number = numbering(next.text);
  const weak = number?.kind === 'number' || number?.kind === 'letter';
  if (isFirst && number && number.kind !== 'roman' && (!weak || line.size >= body.size * 1.1)) return false;
  const column = line.box.right - line.box.left;
  const width = line.x1 - line.x0;
  if (line.x1 >= line.box.left + column * 0.68 || line.size >= body.size * 1.3) return true;
  if (/^[a-z(&]/.test(next.text) && width > column * 0.35) return true;
  if (isFirst && numbering(line.text)?.kind === 'chapter') return true;
  const aligned = Math.abs((line.x0 + line.x1) / 2 - (next.x0 + next.x1) / 2) < 8;
  if (!aligned) return false;
  return width > column * 0.5 || (line.size >= body.size * 1.25 && !areTwoTitles(line.text, next.text));
}

/** Two short centred lines, one in capitals, are two headings. */
function areTwoTitles(a: string, b: string): boolean {
  const short = countOfWords(a) <= 4 && countOfWords(b) <= 4 && /^[\p{Lu}\d]/u.test(b);
  return short && (a === a.toUpperCase()) !== (b === b.toUpperCase());
}
