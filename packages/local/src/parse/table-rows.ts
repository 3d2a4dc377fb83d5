/** Cells to the rows that a table block holds. */
import { type Block, ParseError } from '../document.ts';
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

/** A table from a grid: empty rows and columns go, empty cells between stay, so that columns line up. */
export function gridBlock(grid: readonly (readonly string[])[], headers?: number): Block | undefined {
  const used = new Set<number>();
  for (const cells of grid) {
    cells.forEach((cell, i) => {
      if (cell !== '') used.add(i);
    });
  }
  const kept = grid
    .map((cells, i) => ({
      cells: cells.filter((_, column) => used.has(column)),
      header: headers !== undefined && i < headers,
    }))
    .filter((row) => row.cells.some((cell) => cell !== ''));
  if (kept.length === 0) return undefined;
  const rows = kept.map(({ cells }) => {
    const last = cells.findLastIndex((cell) => cell !== '');
    return cells.slice(0, last + 1).join(' | ');
  });
  const headerCount =
    headers === undefined
      ? headerRows(kept.map((row) => row.cells))
      : kept.filter((row) => row.header).length;
  return { kind: 'table', rows, headerRows: Math.min(MAX_HEADER_ROWS, headerCount) };
}

export function tooManyRows(limit: number): ParseError {
  return new ParseError(
    'too_large',
    `This file has more than ${limit} table rows. Split it and ingest the parts.`,
  );
}
