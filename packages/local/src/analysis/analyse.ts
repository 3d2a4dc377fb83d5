import { getOrAdd } from '../get-or-add.ts';
import { ENGLISH, type Language } from './languages.ts';
import { ARABIC, foldText, stemArabic, UNSPACED } from './scripts.ts';

/** Raise when `analyse` gives other terms for the same text: stored documents are then indexed again. */
export const ANALYSER_VERSION = 2;

const MAX_WORD = 64;
const NEEDS_FOLDING = /[^\s -~]/;
const HAS_UNSPACED = new RegExp(UNSPACED.source, 'u');

/** Words of a text in order, folded, not yet stemmed; numbers as one word, fiscal years as the year too. */
export function words(text: string): string[] {
  const foreign = NEEDS_FOLDING.test(text);
  const folded = (foreign ? foldText(text.replace(/[\u2018\u2019]/g, "'")) : text.toLowerCase())
    .replace(/'s\b/g, '')
    .replace(/(?<=\d),(?=\d{3}\b)/g, '')
    .replace(/\bfy\s?((?:19|20)\d\d)\b/g, 'fy$1 $1')
    .replace(/\bfy\s?'?(\d\d)\b/g, '20$1')
    .replace(/\bu\.s\.?(?!\w)/g, 'us');
  const found = folded.match(foreign ? /[\p{L}\p{N}\p{M}]+/gu : /[a-z0-9]+/g) ?? [];
  if (!foreign) return found;
  return found.flatMap((word) => (HAS_UNSPACED.test(word) ? pairs(word) : [word]));
}

/** Index terms of a text, in order: stop words dropped, the rest stemmed. */
export function analyse(text: string, language: Language = ENGLISH): string[] {
  const terms: string[] = [];
  for (const word of words(text)) {
    if (!language.stopWords.has(word)) terms.push(stem(word, language));
  }
  return terms;
}

const stems = new Map<Language, Map<string, string>>();

export function stem(word: string, language: Language = ENGLISH): string {
  const known = getOrAdd(stems, language, () => new Map<string, string>());
  if (known.size > 50_000) known.clear();
  return getOrAdd(known, word, () => stemUncached(word, language));
}

function stemUncached(word: string, language: Language): string {
  if (word.length > MAX_WORD) return word.slice(0, MAX_WORD);
  if (ARABIC.test(word)) return stemArabic(word);
  return language.letters.test(word) ? language.stem(word) : word;
}

/** A run of an unspaced script as overlapping pairs; what stands beside it in the same run stays a word. */
function pairs(run: string): string[] {
  const out: string[] = [];
  let at = 0;
  for (const match of run.matchAll(UNSPACED)) {
    if (match.index > at) out.push(run.slice(at, match.index));
    const letters = [...match[0]];
    if (letters.length === 1) out.push(match[0]);
    for (let i = 0; i + 1 < letters.length; i++) out.push(`${letters[i]}${letters[i + 1]}`);
    at = match.index + match[0].length;
  }
  if (at < run.length) out.push(run.slice(at));
  return out;
}
