/** How often words occur in a document: its own dictionary, for words that the layout has taken apart. */
import type { Line } from './layout.ts';

export type WordCounts = ReadonlyMap<string, number>;

export function countAllWords(lines: Iterable<Line>): WordCounts {
  const counts = new Map<string, number>();
  for (const { text } of lines) {
    for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? [])
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** No part of a word is longer. */
const LONGEST_PART = 60;

/** A hyphen at the end goes when the whole word occurs elsewhere, or when its second part does not. */
export function joinLines(text: string, next: string, counts: WordCounts): string {
  if (!/[-\u2010]$/.test(text)) return `${text} ${next}`;
  const before = /(\p{L}+)[-\u2010]$/u.exec(text.slice(-LONGEST_PART))?.[1];
  const after = /^\p{Ll}+/u.exec(next)?.[0];
  if (before === undefined || after === undefined) return `${text} ${next}`;
  const whole = (before + after).toLowerCase();
  const oneWord = counts.has(whole) || after.length < 4 || (counts.get(after) ?? 0) <= 1;
  return oneWord ? text.slice(0, -1) + next : text + next;
}

/** Puts together "Shee t" and "R EPORT", which some producers write: the whole must be far commoner than a part. */
export function mendWords(text: string, counts: WordCounts): string {
  const count = (word: string) => counts.get(word.toLowerCase()) ?? 0;
  // Single letters other than "a" and "I" are parts, however many of them there are.
  const asWord = (part: string) => (/^[^aio]$/i.test(part) ? 0 : count(part));
  return text
    .replace(/(?<=\p{L}['’]) s\b/gu, 's')
    .split(' ')
    .reduce((mended, token) => {
      const before = /(?<![\p{L}-])\p{L}+$/u.exec(mended)?.[0];
      const after = /^\p{L}+/u.exec(token)?.[0];
      if (before === undefined || after === undefined) return mended === '' ? token : `${mended} ${token}`;
      const parted = Math.min(asWord(before), asWord(after));
      const whole = count(before + after);
      return whole >= 2 && whole >= parted * 4 ? mended + token : `${mended} ${token}`;
    }, '');
}
