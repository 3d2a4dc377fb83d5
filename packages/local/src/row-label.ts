/** The label of a numeric table row: what row centrality counts (which tables does the document talk about?). */

const NUMBER = /^[$€£¥(+\-–—]*\s*\d[\d.,'\s]*\)?\s*(?:%|x|bps|pts?)?\)?[*†‡]*$/i;
/** Dashes, "n/a" and lone signs stand for numbers in a table. */
const FILLER = /^(?:[$€£¥%()\-–—*†‡\s]+|n\/?[am]\.?|nil)$/i;
/** A footnote's mark, or the year that heads a column. */
const NO_QUANTITY = /^(?:\(\d\)|(?:19|20)\d\d)$/;
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
  const numbers = rest.filter(isNumeric);
  const fillers = rest.filter((cell) => FILLER.test(cell)).length;
  if (numbers.length + fillers < rest.length * MIN_NUMERIC) return '';
  if (numbers.every((cell) => NO_QUANTITY.test(cell))) return '';
  const label = cells.slice(0, first).find((cell) => /\p{L}{2}/u.test(cell) && !FILLER.test(cell));
  return label ?? '';
}
