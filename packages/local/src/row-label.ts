/** The label of a numeric table row: what row centrality counts (which tables does the document talk about?). */

const NUMBER = /^[$€£¥(+\-–—]*\s*\d[\d.,'\s]*\)?\s*(?:%|x|bps|pts?)?\)?[*†‡]*$/i;
/** Dashes, "n/a" and lone signs stand for numbers in a table. */
const FILLER = /^(?:[$€£¥%()\-–—*†‡\s]+|n\/?[am]\.?|nil)$/i;
const MIN_NUMERIC = 0.8;

export function isNumeric(cell: string): boolean {
  return NUMBER.test(cell.trim());
}

/** The first cell of a row, when the row from its first number on is numbers; else the empty string. */
export function rowLabel(row: string): string {
  const cells = row.split(' | ').map((cell) => cell.trim());
  const first = cells.findIndex((cell) => isNumeric(cell));
  if (first < 1) return '';
  const rest = cells.slice(first).filter((cell) => cell !== '');
  const numeric = rest.filter((cell) => isNumeric(cell) || FILLER.test(cell)).length;
  if (numeric < rest.length * MIN_NUMERIC) return '';
  const label = cells.slice(0, first).find((cell) => /\p{L}{2}/u.test(cell) && !FILLER.test(cell));
  return label ?? '';
}
