/** Text items to lines: items of one row, with a space or a new cell where there is a gap. */
import { cleanText } from '../clean.ts';
import type { Cell, FontStyle, Line, TextItem } from './layout.ts';
import { ROW_NUMBER } from './patterns.ts';

/** Gaps in sizes of the line. Numbers stand in columns, so less of a gap makes them cells. */
const SPACE = 0.14;
const SPACE_ITEM = 0.04;
const CELL = 1.6;
const CELL_BETWEEN_NUMBERS = 0.45;
const CELL_AFTER_NUMBER = 0.75;
const CELL_BEFORE_NUMBER = 0.9;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/g;

/** An item with the place in the stream and whether white space came before it. */
export interface Glyphs extends TextItem {
  readonly order: number;
  readonly afterSpace: boolean;
}

export interface Row {
  y: number;
  size: number;
  readonly items: Glyphs[];
}

/** Cleans the items and drops those of white space, which only carry the spaces. */
export function toGlyphs(items: readonly TextItem[]): Glyphs[] {
  const out: Glyphs[] = [];
  let afterSpace = false;
  for (const item of items) {
    const text = cleanText(item.text);
    if (text.trim() === '') {
      if (item.width > 0) afterSpace = true;
      continue;
    }
    out.push({ ...item, text, size: item.size || 1, order: out.length, afterSpace });
    afterSpace = false;
  }
  return out;
}

/** Rows from top to bottom. Raised and lowered small text stays on the row it belongs to. */
export function toRows(glyphs: readonly Glyphs[]): Row[] {
  const rows: Row[] = [];
  let row: Row | undefined;
  for (const glyph of [...glyphs].sort((a, b) => b.y - a.y || a.x - b.x)) {
    if (row && onRow(row, glyph)) {
      row.items.push(glyph);
      if (glyph.size > row.size * 1.01) {
        row.size = glyph.size;
        row.y = glyph.y;
      }
    } else {
      row = { y: glyph.y, size: glyph.size, items: [glyph] };
      rows.push(row);
    }
  }
  return rows;
}

function onRow(row: Row, glyph: Glyphs): boolean {
  const drop = row.y - glyph.y;
  const smaller = Math.min(row.size, glyph.size);
  if (Math.abs(drop) <= Math.max(1.5, 0.35 * smaller)) return true;
  const lowered = glyph.size < 0.8 * row.size && drop > 0 && drop < 0.62 * row.size;
  const raised = row.size < 0.8 * glyph.size && drop < 0.55 * glyph.size;
  return lowered || raised;
}

export function toLine(items: readonly Glyphs[], fonts: ReadonlyMap<string, FontStyle>): Line {
  const right = Math.max(...items.map((item) => item.x + item.width));
  const left = Math.min(...items.map((item) => item.x));
  if (!isRightToLeft(items)) return buildLine(items, fonts, left, right);
  // Mirrored, the line reads from left to right like any other.
  const mirrored = items.map((item) => ({ ...item, x: right - item.x - item.width }));
  return buildLine(mirrored, fonts, left, right);
}

function isRightToLeft(items: readonly Glyphs[]): boolean {
  let reversed = 0;
  let letters = 0;
  for (const { text } of items) {
    reversed += text.match(RIGHT_TO_LEFT)?.length ?? 0;
    letters += text.match(/\p{L}/gu)?.length ?? 0;
  }
  return reversed > 2 && reversed > letters * 0.5;
}

interface OpenCell extends Cell {
  last: string;
  spaceAfter: boolean;
}

function buildLine(
  unordered: readonly Glyphs[],
  fonts: ReadonlyMap<string, FontStyle>,
  left: number,
  right: number,
): Line {
  const items = [...unordered].sort((a, b) => a.x - b.x || a.order - b.order);
  const size = commonest(items.map((item) => [item.size, item.text.trim().length])) ?? 1;
  const baseline = items.find((item) => item.size >= size * 0.85)?.y ?? items[0]?.y ?? 0;
  const cells: OpenCell[] = [];
  const byFont = new Map<string, number>();
  let letters = 0;
  let bold = 0;
  let italic = 0;
  let end = Number.NEGATIVE_INFINITY;
  let numberBefore = false;
  for (const item of items) {
    const text = item.text.trim();
    let cell = cells.at(-1);
    // Bold faked by printing twice.
    if (cell && item.x < end - Math.max(1, item.width * 0.6) && text === cell.last) continue;
    const gap = cell ? item.x - end : 0;
    const raised =
      item.size <= size * 0.8 && item.y > baseline + size * 0.15 && /^[\d*†‡§(),a-z]{1,4}$/.test(text);
    const spaced =
      cell !== undefined &&
      (gap > size * SPACE ||
        (item.afterSpace && gap > size * SPACE_ITEM) ||
        cell.spaceAfter ||
        item.text.startsWith(' '));
    const number = ROW_NUMBER.test(text);
    if (!cell || startsCell(gap / size, number, numberBefore, cell.text)) {
      cell = { text: '', x0: item.x, x1: item.x + item.width, last: '', spaceAfter: false };
      cells.push(cell);
    }
    // A footnote mark must not become part of the number or word before it.
    const mark = raised && /\d/.test(text) && /[\p{L}\d)]$/u.test(cell.text);
    cell.text += (cell.text !== '' && (spaced || mark) ? ' ' : '') + text;
    cell.x1 = Math.max(cell.x1, item.x + item.width);
    cell.last = text;
    cell.spaceAfter = item.text.endsWith(' ');
    numberBefore = number;
    end = Math.max(end, item.x + item.width);
    if (raised) continue;
    const count = text.replace(/\s/g, '').length;
    const style = fonts.get(item.font);
    letters += count;
    if (style?.bold) bold += count;
    if (style?.italic) italic += count;
    byFont.set(item.font, (byFont.get(item.font) ?? 0) + count);
  }
  const filled = cells
    .map(({ text, x0, x1 }) => ({ text: text.replace(/\s+/g, ' ').trim(), x0, x1 }))
    .filter((cell) => cell.text !== '');
  const font = commonest([...byFont]) ?? '';
  return {
    text: filled.map((cell) => cell.text).join(' '),
    cells: filled,
    x0: left,
    x1: right,
    y: baseline,
    size,
    bold: letters ? bold / letters : 0,
    italic: letters ? italic / letters : 0,
    font: fonts.get(font)?.name ?? font,
    tags: [...new Set(items.flatMap((item) => (item.tag ? [item.tag] : [])))],
    column: 0,
    index: 0,
    gap: Number.POSITIVE_INFINITY,
    below: Number.POSITIVE_INFINITY,
    box: { left, right },
    row: '',
    running: '',
    inTable: false,
    footnote: false,
    contentsEntry: false,
  };
}

function startsCell(gap: number, number: boolean, numberBefore: boolean, before: string): boolean {
  if (gap > CELL) return true;
  if (number) return gap > (numberBefore ? CELL_BETWEEN_NUMBERS : CELL_BEFORE_NUMBER);
  return numberBefore && gap > CELL_AFTER_NUMBER && /^\d[\d,.]*\)?$/.test(before);
}

/** The key with the largest sum of weights; the first one of equals. */
export function commonest<Key>(weighed: Iterable<readonly [Key, number]>): Key | undefined {
  const sums = new Map<Key, number>();
  for (const [key, weight] of weighed) sums.set(key, (sums.get(key) ?? 0) + weight);
  let best: Key | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const [key, sum] of sums) {
    if (sum <= most) continue;
    best = key;
    most = sum;
  }
  return best;
}
