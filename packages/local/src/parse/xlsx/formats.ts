/** Cell values as people see them: dates and percentages are numbers with a format. */
import type { ParseLimits } from '../limits.ts';
import { readXml } from '../zip/xml.ts';

export type CellFormat = 'date' | 'time' | 'date-time' | 'percent' | 'number';

/** Format ids that every workbook knows without listing them (ECMA-376, 18.8.30). */
const BUILT_IN: Readonly<Record<number, CellFormat>> = {
  9: 'percent',
  10: 'percent',
  14: 'date',
  15: 'date',
  16: 'date',
  17: 'date',
  18: 'time',
  19: 'time',
  20: 'time',
  21: 'time',
  22: 'date-time',
  45: 'time',
  46: 'time',
  47: 'time',
};
const DAY_MS = 86_400_000;
/** Serial 0 of the two calendars; the first counts a 29 February 1900 that never was. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const MAX_SERIAL = 2_958_465;

/** The format of each cell style, by its index. */
export function readFormats(source: string | undefined, limits: ParseLimits): CellFormat[] {
  const custom = new Map<number, CellFormat>();
  const formats: CellFormat[] = [];
  let inCellStyles = false;
  readXml(source ?? '<styleSheet/>', limits, {
    open(name, { numFmtId, formatCode }) {
      if (name === 'numFmt') custom.set(Number(numFmtId), formatOf(formatCode ?? ''));
      else if (name === 'cellXfs') inCellStyles = true;
      else if (name === 'xf' && inCellStyles) {
        const id = Number(numFmtId ?? 0);
        formats.push(custom.get(id) ?? BUILT_IN[id] ?? 'number');
      }
    },
    close(name) {
      if (name === 'cellXfs') inCellStyles = false;
    },
  });
  return formats;
}

function formatOf(code: string): CellFormat {
  // Quoted text, escapes, colours and locales are no codes; of the sections only the first counts.
  const bare = code.replace(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '').split(';')[0] ?? '';
  if (bare.includes('%')) return 'percent';
  const date = /[dy]/i.test(bare);
  const time = /[hs]/i.test(bare);
  if (date && time) return 'date-time';
  if (date || (/m/i.test(bare) && !time)) return 'date';
  return time ? 'time' : 'number';
}

export function formatNumber(raw: string, format: CellFormat, from1904: boolean): string {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return raw;
  if (format === 'percent') return `${tidy(value * 100)}%`;
  if (format === 'number' || value < 0 || value > MAX_SERIAL) return tidy(value);
  const moment = new Date((from1904 ? EPOCH_1904 : EPOCH_1900) + Math.round((value * DAY_MS) / 1000) * 1000);
  const [date = '', time = ''] = moment.toISOString().slice(0, 19).split('T');
  const clock = time.endsWith(':00') ? time.slice(0, 5) : time;
  if (format === 'time' || value < 1) return clock;
  return format === 'date' || clock === '00:00' ? date : `${date} ${clock}`;
}

/** Fifteen digits are what a workbook holds; more is binary noise. */
function tidy(value: number): string {
  return String(Number(value.toPrecision(15)));
}
