/** The label of a numeric table row: what row centrality counts (which tables does the document talk about?). */

const NUMBER = /^[$€£¥(+\-–—]*\s*\d[\d.,'\s]*\)?\s*(?:%|x|bps|pts?)?\)?[*†‡]*$/i;
/** Text up to the first digit. A label that starts with a number ("4.2% notes due 2028") is a list's, not a statement's. */
const LABEL = /^\D{3,}?(?=[\s.|$€£¥(+\-–—]*\d)/;
const NUMERIC_TOKEN = /^[$€£¥(+\-–—]*\d[\d.,]*[)%]*$|^[$€£¥()%\-–—|]+$|^\d{4}-\d\d-\d\d$/;
/** A footnote's mark is no quantity. */
const FOOTNOTE = /^\(\d\)$/;
const MIN_NUMERIC = 0.8;

export function isNumeric(cell: string): boolean {
  return NUMBER.test(cell.trim());
}

/** Text before the first number of a row, when the rest of the row is numbers; else the empty string. */
export function rowLabel(row: string): string {
  const label = LABEL.exec(row)?.[0];
  if (label === undefined) return '';
  const rest = row
    .slice(label.length)
    .split(/\s+/)
    .filter((token) => token !== '' && token !== '|');
  const numeric = rest.filter((token) => NUMERIC_TOKEN.test(token)).length;
  if (numeric < rest.length * MIN_NUMERIC || rest.every((token) => FOOTNOTE.test(token))) return '';
  const text = label.replaceAll('|', ' ').replace(/\s+/g, ' ').trim();
  return /\p{L}{2}/u.test(text) ? text : '';
}
