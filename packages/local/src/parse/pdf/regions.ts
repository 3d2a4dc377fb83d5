/** Regions of a page that are not running text: footnotes, contents, tables. */
import type { BodyStyle } from './body-style.ts';
import type { Line, Page } from './layout.ts';
import { CONTENTS_TITLE, countOfWords, DOT_LEADER, NUMERIC_CELL, PERIOD, UNITS } from './patterns.ts';

/** Small lines at the foot of a column, from the lowest one that starts with a mark. */
export function markFootnotes(page: Page, body: BodyStyle): void {
  const hasText = page.lines.some((line) => line.size >= body.size * 0.97 && line.text.length > 30);
  if (!hasText) return;
  for (const column of new Set(page.lines.map((line) => line.column))) {
    const upward = page.lines
      .filter((line) => line.column === column && line.running === '')
      .sort((a, b) => a.y - b.y);
    const end = upward.findIndex((line) => line.size > body.size * 0.92 || line.y >= page.height * 0.6);
    const small = end < 0 ? upward : upward.slice(0, end);
    const first = small.findLastIndex((line) => /^(?:\(?\d{1,3}\)?[\s.]?\s*\p{L}|[*†‡§])/u.test(line.text));
    for (const line of small.slice(0, first + 1)) line.footnote = true;
  }
}

/** A page of contents has dot leaders, or page numbers that only grow. */
export function markContents(page: Page, pageIndex: number, pageCount: number): void {
  const entries = page.lines.filter(isContentsEntry);
  const leaders = entries.filter((line) => DOT_LEADER.test(line.text)).length;
  let growing = 0;
  let last = 0;
  for (const entry of entries) {
    const number = Number(/(\d+)$/.exec(entry.text)?.[1] ?? Number.NaN);
    if (number >= last) growing++;
    if (number) last = number;
  }
  const named = page.lines
    .slice(0, 12)
    .some((line) => /^(?:table of )?contents$|^index$/i.test(line.text.trim()));
  const mostly = named || entries.length >= page.lines.length * 0.4;
  const listed = entries.length >= 5 && growing >= entries.length * 0.8 && mostly && last <= pageCount + 60;
  page.contents = (leaders >= 5 || listed) && (pageIndex < 25 || leaders >= 8);
  if (page.contents) for (const entry of entries) entry.contentsEntry = true;
}

function isContentsEntry(line: Line): boolean {
  if (/(?:\.\s?){4,}\s*[\divx]+$/.test(line.text)) return true;
  const [last, before] = [line.cells.at(-1)?.text, line.cells.at(-2)?.text];
  if (last === undefined || before === undefined || line.cells.length > 4) return false;
  return (
    /^(?:[A-Z]-)?\d{1,3}$|^[ivxl]{1,6}$/.test(last) &&
    /\p{L}{3}/u.test(line.text) &&
    !NUMERIC_CELL.test(before)
  );
}

/** A table runs from its first numeric row to its last, with at most so many other short lines between two. */
const MAX_BETWEEN = 5;
const MAX_CAPTIONS = 2;

export function markTables(page: Page, body: BodyStyle): void {
  if (page.contents) return;
  let first = -1;
  let last = -1;
  const close = () => {
    const region = first < 0 ? [] : page.lines.slice(first, last + 1);
    if (region.filter(isNumericRow).length >= 2) for (const line of region) line.inTable = true;
  };
  page.lines.forEach((line, i) => {
    if (line.running !== '' || !isNumericRow(line)) return;
    if (first < 0 || endsTable(page, last, i, body)) {
      close();
      first = i;
    }
    last = i;
  });
  close();
}

export function isNumericRow(line: Line): boolean {
  return line.row === 'numeric' || line.row === 'numbers';
}

/** Whether what stands between two numeric rows parts them: long text, or a heading. */
function endsTable(page: Page, from: number, to: number, body: BodyStyle): boolean {
  const row = page.lines[from];
  if (!row || row.column !== page.lines[to]?.column) return true;
  const between = page.lines.slice(from + 1, to).filter((line) => line.running === '');
  if (between.length > MAX_BETWEEN) return true;
  const sameTable = isYearRow(row) || sameColumns(row, page.lines[to]);
  if (sameTable && between.length <= MAX_CAPTIONS && between.every(isCaption)) return false;
  let text = 0;
  for (const line of between) {
    const words = countOfWords(line.text);
    const alone = line.cells.length === 1;
    if (alone && line.x1 - line.x0 > (line.box.right - line.box.left) * 0.8) text++;
    if (alone && words >= 8 && /[.:]$/.test(line.text)) text += 2;
    if (isHeadingBetween(line, row.size, page, body)) return true;
  }
  return text > 1;
}

/** "2024 | 2023" heads columns and is no row of numbers itself. */
export function isYearRow(line: Line): boolean {
  return line.cells.every((cell) => /^(?:.*,? ?(?:19|20)\d\d|\D*)$/.test(cell.text)) && /\d/.test(line.text);
}

/** Rows whose last numbers end at the same place. */
function sameColumns(a: Line | undefined, b: Line | undefined): boolean {
  const [end, other] = [a?.cells.at(-1)?.x1, b?.cells.at(-1)?.x1];
  return end !== undefined && other !== undefined && Math.abs(end - other) <= 3;
}

/** "Current liabilities": a line that parts the rows of one table, which goes on without a new head. */
function isCaption(line: Line): boolean {
  return (
    line.cells.length === 1 &&
    countOfWords(line.text) <= 6 &&
    !PERIOD.test(line.text) &&
    !UNITS.test(line.text)
  );
}

function isHeadingBetween(line: Line, rowSize: number, page: Page, body: BodyStyle): boolean {
  if (line.size >= body.size * 1.25) return true;
  if (line.size >= rowSize * 1.12 && line.bold > 0.85 && line.x0 < line.box.left + 20) return true;
  if (line.bold > 0.8 && /^(?:note\s+\d|item\s+\d|part\s+[iv])/i.test(line.text)) return true;
  const styled = line.bold > 0.85 || line.italic > 0.85;
  const apart = Number.isFinite(line.gap) && line.gap > page.leading * line.size * 1.75;
  if (line.cells.length !== 1 || line.x0 >= line.box.left + 8 || !styled || !apart) return false;
  const next = page.lines[line.index + 1];
  return countOfWords(line.text) >= 2 && !PERIOD.test(line.text) && next?.row !== 'numeric';
}

export function isContentsTitle(line: Line): boolean {
  return CONTENTS_TITLE.test(line.text.trim());
}
