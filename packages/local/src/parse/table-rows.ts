/** Cells to the rows that a table block holds. */
import { isNumeric } from '../row-label.ts';

const MAX_HEADER_ROWS = 5;

/** One row as it is read: signs glued to their number, `|` between cells. */
export function joinCells(cells: readonly string[]): string {
  const out: string[] = [];
  let sign = '';
  for (const raw of cells) {
    let cell = raw.trim();
    if (cell === '') continue;
    if (/^[$€£¥(]+$/.test(cell)) {
      sign += cell;
      continue;
    }
    if (/^[)%]+[*†‡]*$/.test(cell) && out.length > 0) {
      out[out.length - 1] += cell;
      continue;
    }
    // "1,234 $" of a cell that caught the sign of the next one.
    const trailing = /^(.*\d.*?)\s+([$€£¥])$/.exec(cell);
    if (trailing) cell = trailing[1] ?? cell;
    out.push(sign + cell.replace(/([$€£¥(])\s+(?=[\d(.—–-])/g, '$1').replace(/(\d)\s+(?=[)%])/g, '$1'));
    sign = trailing?.[2] ?? '';
  }
  if (sign) out.push(sign);
  return out.join(' | ');
}

/** How many leading rows are the header: those before the first row of numbers, at most five; else the first. */
export function headerRows(rows: readonly (readonly string[])[]): number {
  const numeric = rows.findIndex((cells) =>
    cells.some((cell, i) => i > 0 && isNumeric(cell) && !isYear(cell)),
  );
  if (numeric >= 0 && numeric <= MAX_HEADER_ROWS) return numeric;
  return rows.length > 1 ? 1 : 0;
}

function isYear(cell: string): boolean {
  return /^(?:19|20)\d\d$/.test(cell.trim());
}
