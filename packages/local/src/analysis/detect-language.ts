import type { ParsedSection } from '../document.ts';
import { getOrAdd } from '../get-or-add.ts';
import { words } from './analyse.ts';
import { ENGLISH, LANGUAGES, type Language } from './languages.ts';

/** How sure to be. */
interface Clarity {
  /** Function words of the language, at least. */
  readonly hits: number;
  /** Of all words, at least. */
  readonly share: number;
  /** Times as much as the next language. */
  readonly lead: number;
}

/** Prose has 25 to 55 % function words, tables fewer. Danish and Norwegian share most of theirs. */
const DOCUMENT: Clarity = { hits: 8, share: 0.2, lead: 1.15 };
const QUESTION: Clarity = { hits: 2, share: 0.2, lead: 1.5 };
/** As many words of a document as show its language. */
const SAMPLE_WORDS = 20_000;
const LETTERS = /^\p{L}+$/u;

/** The language that most of a document is written in; none when it is short, mixed, or in one that is not known here. */
export function languageOfDocument(sections: readonly ParsedSection[]): Language | undefined {
  const texts = sections.map(({ text }) => text).filter((text) => text.trim());
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  // Every n-th section: a report may begin with a page in another language.
  const step = Math.ceil(length / (SAMPLE_WORDS * 6));
  const sample = texts.filter((_, i) => i % step === 0).flatMap(words);
  return clearest(sample.slice(0, SAMPLE_WORDS), DOCUMENT);
}

/** The language a question is put in: English unless another is clear. */
export function languageOfQuestion(text: string): Language {
  return clearest(words(text), QUESTION) ?? ENGLISH;
}

/** Languages by function word. */
const speakers = new Map<string, Language[]>();
for (const language of LANGUAGES) {
  for (const word of language.stopWords) getOrAdd(speakers, word, () => [] as Language[]).push(language);
}

/** Counts function words, each divided among the languages that have it. */
function clearest(found: readonly string[], { hits, share, lead }: Clarity): Language | undefined {
  const counts = new Map<Language, { hits: number; weight: number }>();
  let total = 0;
  for (const word of found) {
    if (LETTERS.test(word)) total++;
    const languages = speakers.get(word) ?? [];
    for (const language of languages) {
      const count = getOrAdd(counts, language, () => ({ hits: 0, weight: 0 }));
      count.hits++;
      count.weight += 1 / languages.length;
    }
  }
  const [first, second] = [...counts].sort(([, a], [, b]) => b.weight - a.weight);
  if (!first) return undefined;
  const [language, best] = first;
  const isClear =
    best.hits >= hits && best.hits >= share * total && best.weight >= lead * (second?.[1].weight ?? 0);
  return isClear ? language : undefined;
}
