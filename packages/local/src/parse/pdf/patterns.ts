/** Wordings that tell what a line is. English ones are hints only: layout decides where they say nothing. */

/** A number as a line holds it between gaps, or what stands for one. */
export const ROW_NUMBER =
  /^[$€£¥(]*\s*[-–—+]?\s*[$€£¥(]*\s*\d[\d,]*(?:\.\d+)?\s*\)?\s*%?\)?\s*[$€£¥]?$|^[$€£¥]$|^[-–—]+\s*%?$/;

/** A cell of a numeric column: numbers, signs, dashes, "n/a", footnote marks. */
export const NUMERIC_CELL =
  /^[(\-–—$€£¥]*\s*[$€£¥]?\s*\(?[-–—+]?\s*\d[\d,.]*\s*\)?\s*(?:%|x|bps|pts?)?\)?[*†‡]*$|^[-–—]+\s*%?$|^\$$|^n\/?[ma]\.?$|^nm$|^[$€£¥]\s*[—–-]+$|^\(?[A-Za-z]\)$|^\*+$|^%$/i;
export const ONLY_NUMBERS = /^[\d,.()$%\s—–-]+$/;
const SIGNED_NUMBERS = /^[$€£¥(]?\s*[\d,.()$%\s—–-]+$/;

export function isNumericCell(text: string): boolean {
  const cell = text.trim();
  return NUMERIC_CELL.test(cell) || SIGNED_NUMBERS.test(cell);
}

/** "(in millions, except per share)": stands above a table. */
export const UNITS =
  /^[[(]?\s*(?:unaudited|audited|dollars?|amounts?|in (?:thousands|millions|billions)|\$ ?(?:and shares )?in|u\.?s\.? ?\$|figures? in|all amounts|except (?:per|share)|shares? in|percent(?:age)? of|tabular|in \$|(?:millions|thousands|billions) of)\b/i;

const MONTH = '(?:january|february|march|april|may|june|july|august|september|october|november|december)';
const SPAN =
  '(?:three|six|nine|twelve|thirteen|thirty-nine|twenty-six|fifty-two|13|26|39|52|53|first|second|third|fourth)';
/** "Year ended December 31, 2023": stands above a column or a table. */
export const PERIOD = new RegExp(
  [
    '^(?:for the )?(?:fiscal |calendar )?(?:years?|quarters?|periods?|half)(?:-| )?(?:(?:ended|ending|to)\\b.{0,40}|\\d{4}|)$',
    `^(?:for the |as of(?: and for)?(?: the)?|at|as at|in)?\\s*${SPAN}\\b.{0,25}(?:months?|weeks?|quarters?|years?)(?: ended| ending)?.{0,30}$`,
    `^(?:as of |at |as at )?(?:/ ?years? ended )?${MONTH}\\.? ?\\d{0,2},?(?: ?\\d{4})?,?$`,
    '^\\d{4}(?: (?:compared|vs\\.?|versus) (?:to|with)? ?\\d{4})?$',
    '^(?:as of|as of/|at) ?(?:/|years?|december|june|september|march).*$',
    '^(?:year|quarter|month)s? ended.*$',
    '^page(?: no\\.?)?(?: \\d+)?$',
    '^table of contents$',
  ].join('|'),
  'i',
);

/** Words that head a column. */
export const COLUMN_HEAD =
  /^(?:gross|net)?\s*(?:carrying|fair|unrealized|amortized|accumulated|total|balance|amount|average|number|increase|change|percent)\b[\w\s,&/()%-]{0,30}$/i;
export const MONOSPACE = /courier|mono|consol|typewriter|cmtt|lettergoth|menlo|fira ?code/i;
export const CAPTION =
  /^(?:figure|fig\.?|table|chart|exhibit|algorithm|listing|example|box|photo|plate|scheme|source|graph|illustration)s?\s*[A-Z]?\d+(?:[-.–]\d+)*[a-z]?[.:)]?(?:\s|$)/i;
/** The name of a financial statement. */
export const STATEMENT =
  /^(?:the )?(?:condensed |unaudited |interim )*(?:consolidated|combined)?\s*(?:condensed )?(?:(?:statements?|balance sheets?)\s*of\s+(?:operations|(?:comprehensive )?(?:income|loss|earnings)|cash ?flows?|financial (?:position|condition)|(?:changes in )?(?:(?:share|stock)(?:holders|owners)|equity|members|total equity)|net income|stockholders|shareowners|profit)|balance sheets?|income statements?|cash ?flows? statements?)/i;
export const REPORT =
  /^(?:reports? of (?:independent|management)|notes to (?:the )?(?:condensed |unaudited |interim )*(?:consolidated )?(?:financial )?statements?|management.s report)/i;
export const BULLET = /^(?:[•·▪■□●○◦‣–—*➢➤✓\uf0b7\uf0a7§]|o |-\s|\([a-z0-9ivx]{1,4}\)\s|[a-z]\)\s)/;
export const CONTENTS_TITLE = /^(?:table of )?contents$/i;
export const DOT_LEADER = /(?:\.\s?){4,}/;

/** How a heading is numbered. `depth` counts the parts of a decimal number. */
export interface Numbering {
  readonly kind: 'part' | 'item' | 'note' | 'chapter' | 'decimal' | 'roman' | 'letter' | 'number';
  readonly depth: number;
}

const CHAPTER =
  /^(?:chapter|article|section|title|schedule|annex|appendix|attachment|module|unit|lesson|book|volume)\s+(?:[\divxlc]+|[a-z])\b/i;

export function numbering(text: string): Numbering | undefined {
  if (/^part\s+(?:[ivx]+|\d+|one|two|three|four)\b/i.test(text) && text.length < 90)
    return { kind: 'part', depth: 0 };
  if (/^items?\s+\d+[a-c]?\b/i.test(text)) return { kind: 'item', depth: 0 };
  if (/^note\s+\d+[a-z]?\b/i.test(text)) return { kind: 'note', depth: 1 };
  if (CHAPTER.test(text)) return { kind: 'chapter', depth: 0 };
  const decimal = /^(\d{1,2}(?:\.\d{1,3}){1,5})\.?\s+\S/.exec(text)?.[1];
  if (decimal) return { kind: 'decimal', depth: decimal.split('.').length };
  if (/^[IVX]{1,5}[.)]\s+\S/.test(text)) return { kind: 'roman', depth: 0 };
  if (/^[A-Z][.)]\s+\S/.test(text)) return { kind: 'letter', depth: 0 };
  if (/^\d{1,2}[.)]?\s+\p{Lu}/u.test(text)) return { kind: 'number', depth: 1 };
  return undefined;
}

/** Part, Item, Note, Chapter: a heading by its wording alone. */
export function isNamed(number: Numbering | undefined): boolean {
  return number !== undefined && /^(?:item|note|part|chapter)$/.test(number.kind);
}

const CONTINUED = /\s*[-–—]?\s*[[(]?\s*cont(?:inued|['’]?d|\.)?\.?\s*[\])]?\s*:?\s*$/i;

/** A heading without its "(continued)". */
export function withoutContinued(text: string): string {
  return /cont(?:inued|['’]?d)\b/i.test(text) ? text.replace(CONTINUED, '').trim() : text;
}

/** Letters and digits only, lower case: what titles are compared by. */
export function titleKey(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

export function countOfWords(text: string): number {
  return text.split(' ').length;
}

/** Ends like a sentence, not like an abbreviation. */
export function endsSentence(text: string): boolean {
  return /[.;,:]$/.test(text) && !/\b(?:inc|co|corp|ltd|no|u\.s|etc|\d)\.$/i.test(text);
}

export function isCapitals(text: string): boolean {
  return text === text.toUpperCase() && /\p{Lu}/u.test(text);
}
