/** Lines of a table to its rows. */
import type { Block } from '../../document.ts';
import { joinCells } from '../table-rows.ts';
import type { Line, Page } from './layout.ts';
import { countOfWords, UNITS } from './patterns.ts';
import { isNumericRow } from './regions.ts';

const MAX_HEADER_ROWS = 5;
/** So many short lines above a numeric row may be its header. */
const MAX_HEAD_LINES = 6;
const MAX_HEAD_WORDS = 14;

export interface OpenTable {
  readonly rows: { readonly text: string; readonly numeric: boolean; readonly page: number }[];
  readonly column: number;
}

export function addRow(table: OpenTable, line: Line, page: number): void {
  const text = joinCells(line.cells.map((cell) => cell.text));
  // "2024 | 2023" heads columns.
  const years = line.cells.every((cell) => /^(?:\D*|(?:19|20)\d\d)$/.test(cell.text));
  if (text !== '') table.rows.push({ text, numeric: isNumericRow(line) && !years, page });
}

export function tableBlock({ rows }: OpenTable): Block | undefined {
  const [first] = rows;
  if (!first) return undefined;
  const numeric = rows.findIndex((row) => row.numeric);
  return {
    kind: 'table',
    rows: rows.map((row) => row.text),
    headerRows: Math.min(MAX_HEADER_ROWS, Math.max(0, numeric)),
    page: first.page,
    rowPages: rows.map((row) => row.page),
  };
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
