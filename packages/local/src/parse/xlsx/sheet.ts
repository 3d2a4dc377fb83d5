/** One worksheet as a grid of texts. */
import { cleanText, oneLine } from '../clean.ts';
import type { ParseLimits } from '../limits.ts';
import { tooManyRows } from '../table-rows.ts';
import { readXml } from '../zip/xml.ts';
import { type CellFormat, formatNumber } from './formats.ts';

export interface Workbook {
  readonly strings: readonly string[];
  readonly formats: readonly CellFormat[];
  readonly from1904: boolean;
}

const MAX_COLUMNS = 1_000;

/** Rows by number, each a list of texts by column. Throws `too_large` when its rows and those `before` exceed the limit. */
export function readSheet(
  source: string,
  workbook: Workbook,
  before: number,
  limits: ParseLimits,
): Map<number, string[]> {
  const rows = new Map<number, string[]>();
  let row: string[] = [];
  let number = 0;
  let column = 0;
  let type = '';
  let style = 0;
  let value = '';
  let inValue = false;
  readXml(source, limits, {
    open(name, attributes) {
      if (name === 'row') {
        number = Number(attributes.r ?? number + 1);
        row = [];
        column = 0;
        if (before + rows.size >= limits.rows) throw tooManyRows(limits.rows);
        if (attributes.hidden !== '1') rows.set(number, row);
      } else if (name === 'c') {
        column = attributes.r === undefined ? column : columnOf(attributes.r);
        type = attributes.t ?? 'n';
        style = Number(attributes.s ?? 0);
        value = '';
      } else if (name === 'v' || name === 't') inValue = true;
      else if (name === 'rPh') inValue = false;
    },
    close(name) {
      if (name === 'v' || name === 't') inValue = false;
      if (name !== 'c') return;
      if (column < MAX_COLUMNS) {
        while (row.length < column) row.push('');
        row[column] = textOf(value, type, style, workbook);
      }
      column++;
    },
    text(text) {
      if (inValue) value += text;
    },
  });
  return rows;
}

function textOf(
  value: string,
  type: string,
  style: number,
  { strings, formats, from1904 }: Workbook,
): string {
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type === 'n') return formatNumber(value, formats[style] ?? 'number', from1904);
  return oneLine(cleanText(value));
}

/** `AB12` is column 27, counted from 0. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]+/.exec(reference)?.[0] ?? 'A')
    column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

export function readSharedStrings(source: string | undefined, limits: ParseLimits): string[] {
  const strings: string[] = [];
  let text = '';
  let inText = false;
  let phonetic = false;
  readXml(source ?? '<sst/>', limits, {
    open(name) {
      if (name === 'si') text = '';
      if (name === 'rPh') phonetic = true;
      inText = name === 't' && !phonetic;
    },
    close(name) {
      inText = false;
      if (name === 'rPh') phonetic = false;
      if (name === 'si') strings.push(oneLine(cleanText(text)));
    },
    text(part) {
      if (inText) text += part;
    },
  });
  return strings;
}
