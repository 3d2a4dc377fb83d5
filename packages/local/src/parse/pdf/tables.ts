/** Lines of a table to its rows. */
import type { Block } from '../../document.ts';
import { joinCells } from '../table-rows.ts';
import type { Line, Page } from './layout.ts';
import { countOfWords, titleKey, UNITS } from './patterns.ts';
import { isNumericRow, isYearRow } from './regions.ts';

const MAX_HEADER_ROWS = 5;
/** So many short lines above a numeric row may be its header. */
const MAX_HEAD_LINES = 6;
const MAX_HEAD_WORDS = 14;

export interface OpenTable {
  /** The last one may still be going on. */
  readonly rows: { readonly text: string; readonly numeric: boolean; readonly page: number }[];
  readonly column: number;
}

export function addRow(table: OpenTable, line: Line, page: number): void {
  const text = joinCells(line.cells.map((cell) => cell.text));
  if (text === '') return;
  const numeric = isNumericRow(line) && !isYearRow(line);
  const last = table.rows.at(-1);
  const glue = last && last.page === page && !last.numeric ? continuation(last.text, text, line) : undefined;
  if (last && glue) table.rows[table.rows.length - 1] = { text: last.text + glue + text, numeric, page };
  else table.rows.push({ text, numeric, page });
}

/** How a line goes on the label above it: with its second part, or with numbers set a little lower. */
function continuation(label: string, text: string, line: Line): string | undefined {
  if (label.includes(' | ') || label.endsWith(':') || line.gap > line.size * 1.6) return undefined;
  if (/^\p{Ll}/u.test(text)) return ' ';
  return line.gap < line.size * 0.8 && line.row === 'numeric' && /^[$€£(]?\d/.test(text) ? ' | ' : undefined;
}

/** Undefined for a list of contents: it names every title and would answer each question. */
export function tableBlock({ rows }: OpenTable, titles: ReadonlySet<string>): Block | undefined {
  const [first] = rows;
  if (!first || isContents(rows, titles)) return undefined;
  const numeric = rows.findIndex((row) => row.numeric);
  return {
    kind: 'table',
    rows: rows.map((row) => row.text),
    headerRows: Math.min(MAX_HEADER_ROWS, Math.max(0, numeric)),
    page: first.page,
    rowPages: rows.map((row) => row.page),
  };
}

const MIN_ENTRIES = 4;
const LONG_LIST = 10;
const MIN_TITLE = 8;

/** Rows of a title and a page number that grows, where many of the titles are headings, or the rows are many. */
function isContents(rows: OpenTable['rows'], titles: ReadonlySet<string>): boolean {
  let known = 0;
  let growing = 0;
  let last = 0;
  const entries = rows.flatMap(
    ({ text }) => /^(.*\p{L}.*?) \|? ?(?:[A-Z]{1,2}-)?(\d{1,3})$/u.exec(text) ?? [],
  );
  const count = entries.length / 3;
  if (count < MIN_ENTRIES || count < rows.length * 0.6) return false;
  for (let i = 0; i < entries.length; i += 3) {
    const key = titleKey(entries[i + 1] ?? '');
    const page = Number(entries[i + 2]);
    if (isTitle(key, titles)) known++;
    if (page >= last) growing++;
    last = page;
  }
  if (count >= LONG_LIST && growing === count) return known >= count * 0.1;
  return known >= count * 0.4 && growing >= count * 0.8;
}

function isTitle(key: string, titles: ReadonlySet<string>): boolean {
  if (titles.has(key)) return true;
  for (const title of titles) {
    if (Math.min(title.length, key.length) < MIN_TITLE) continue;
    if (title.startsWith(key) || key.startsWith(title)) return true;
  }
  return false;
}

/** Whether a line is part of a table by itself. */
export function isTableLine(line: Line): boolean {
  return line.inTable || line.row !== '';
}

/** Whether a line belongs to the head of the table that starts within the next lines. */
export function isTableHead(
  page: Page,
  line: Line,
  headingAt: ReadonlySet<number>,
  inTable: boolean,
): boolean {
  if (line.footnote) return false;
  let i = line.index;
  for (let below = page.lines[i]; below && !isTableLine(below); below = page.lines[++i]) {
    const words = countOfWords(below.text);
    if (i - line.index >= MAX_HEAD_LINES - 1 || words > MAX_HEAD_WORDS || below.column !== line.column)
      return false;
    if ((below.text.endsWith('.') && words > 6) || (i > line.index && headingAt.has(i))) return false;
  }
  const above = i - line.index;
  if (i >= page.lines.length || above === 0 || headingAt.has(i)) return false;
  return (
    UNITS.test(line.text) ||
    line.x0 > line.box.left + 40 ||
    (inTable && above <= 3) ||
    line.cells.length > 1 ||
    (line.bold > 0.8 && countOfWords(line.text) <= 8)
  );
}
