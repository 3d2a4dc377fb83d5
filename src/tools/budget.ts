import { createMeter } from './token-meter.ts';

/**
 * Tokens that a text costs a model, at least about so many. Reading stops above `atMost`: whoever shares out a budget
 * need not know by how much a text exceeds it.
 */
export function estimateTokens(text: string, atMost = Number.POSITIVE_INFINITY): number {
  const meter = createMeter();
  let quarters = 0;
  for (let index = 0; index < text.length && quarters <= atMost * 4; index++) {
    quarters += meter(text.charCodeAt(index));
  }
  return Math.ceil(quarters / 4);
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
  const meter = createMeter();
  let end = offset;
  let quarters = 0;
  while (end < text.length) {
    quarters += meter(text.charCodeAt(end));
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
