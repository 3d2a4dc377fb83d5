/**
 * How much of a model's context a text costs, and where to cut it. Four Latin letters make about one token of
 * o200k, digits and punctuation come two to a token, and other scripts one character each: an estimate that errs
 * on the high side for tables, measured against the real tokenizer in the tests.
 */
export function estimateTokens(text: string): number {
  let quarters = 0;
  for (let index = 0; index < text.length; index++) quarters += cost(text.charCodeAt(index));
  return Math.ceil(quarters / 4);
}

/** Quarter tokens of one UTF-16 unit, as it stands in JSON (where a line break or a quote is two characters). */
function cost(unit: number): number {
  if (unit === 0x20 || (unit >= 0x61 && unit <= 0x7a)) return 1;
  if (unit >= 0x41 && unit <= 0x5a) return 1.5;
  if (unit < 0x20) return unit === 0x0a ? 2 : 8;
  if (unit < 0x80) return 2;
  if (unit < 0x250) return 2;
  return 4;
}

export interface Piece {
  readonly content: string;
  /** UTF-16 offset of what follows; absent when the text ends here. */
  readonly nextOffset?: number;
}

/**
 * The piece of `text` from `offset` that costs at most `tokens`, cut after a paragraph, a sentence or a word.
 * Pieces joined are the text, unit by unit; a surrogate pair is never split. Always makes progress.
 */
export function pieceOf(text: string, offset: number, tokens: number): Piece {
  let end = offset;
  let quarters = 0;
  while (end < text.length) {
    quarters += cost(text.charCodeAt(end));
    if (quarters > tokens * 4 && end > offset) break;
    end++;
  }
  if (end >= text.length) return { content: text.slice(offset) };
  const cut = wholeCharacters(text, offset, niceCut(text, offset, end));
  return { content: text.slice(offset, cut), nextOffset: cut };
}

const boundaries = [/\n{2,}/g, /\n/g, /[.!?…]["'”’)\]]*\s+|[。！？]/g, /\s+/g];

/** The last good place to cut in the second half of the piece; `end` itself when there is none. */
function niceCut(text: string, offset: number, end: number): number {
  const from = offset + Math.floor((end - offset) / 2);
  const half = text.slice(from, end);
  for (const boundary of boundaries) {
    let last = -1;
    for (const match of half.matchAll(boundary)) last = match.index + match[0].length;
    if (last > 0) return from + last;
  }
  return end;
}

function wholeCharacters(text: string, offset: number, cut: number): number {
  const unit = text.charCodeAt(cut - 1);
  const splitsPair = unit >= 0xd800 && unit <= 0xdbff;
  if (!splitsPair) return cut;
  return cut - 1 > offset ? cut - 1 : cut + 1;
}

/**
 * Shares `total` tokens among texts that want `wanted` each: nobody gets more than they want, and what the small
 * ones leave goes to the large ones in equal parts.
 */
export function shareFairly(wanted: readonly number[], total: number): number[] {
  const shares = wanted.map(() => 0);
  let left = total;
  const byWant = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  byWant.forEach((index, position) => {
    const equal = Math.floor(left / (byWant.length - position));
    const share = Math.min(wanted[index] ?? 0, equal);
    shares[index] = share;
    left -= share;
  });
  return shares;
}
