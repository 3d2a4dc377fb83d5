import { stem, words } from '../analysis/analyse.ts';
import { languageOfQuestion } from '../analysis/detect-language.ts';
import { ENGLISH, type Language } from '../analysis/languages.ts';
import { type Clause, clausesOf } from './clauses.ts';
import { INSTRUCTION_TERMS } from './instruction-terms.ts';
import { namedSources } from './named-sources.ts';
import { otherWordings } from './wordings.ts';

/** What a question asks for, as weighted index terms. */
export interface Question {
  readonly weights: ReadonlyMap<string, number>;
  /** Term sequences; neighbours within one are looked for near each other. */
  readonly phrases: readonly (readonly string[])[];
  /** Terms that may name a document: all of them, and neighbours written as one word, as file names do. */
  readonly names: ReadonlyMap<string, number>;
  /** It asks for a number: how much, which share, what change. */
  readonly asksQuantity: boolean;
}

/** Weight of each kind of clause, and of instruction words within it. Chosen on FinanceBench questions: docs/retrieval.md. */
const CLAUSE_WEIGHT: Readonly<Record<Clause['kind'], readonly [words: number, instructions: number]>> = {
  question: [1, 1],
  leadIn: [1, 0.02],
  context: [1, 0.2],
  definition: [1, 0.2],
  instruction: [0.1, 0.02],
  condition: [0, 0],
};
const SOURCE_WEIGHT = 2;
/** Another wording counts, but less than the words that were used. */
const WORDING_WEIGHT = 0.7;

const QUANTITY =
  /\bhow (?:much|many)\b|\b(?:amounts?|totals?|ratios?|margins?|rates?|percent(?:age)?s?|growth|averages?|numbers?|values?|sums?|changes?|increase[ds]?|decrease[ds]?|drop(?:ped|s)?|gr[eo]w|improv\w+|declin\w+|highest|lowest|largest|smallest|most|least|biggest|worst|compared?|costs?)\b|[%$€£¥]/i;
/** How much, how many, how high, in the languages whose documents are told apart. */
const HOW_MUCH =
  /(?<!\p{L})(?:wie ?(?:viele?|hoch|gro(?:ß|ss))|hoeveel|hur (?:mycket|många|stor[at]?|hög[at]?)|hvor (?:mange|meget|mye|stor[et]?|høy[et]?)|combien|cu[aá]nt[oa]s?|quant[oaie]s?|kuinka (?:paljon|monta|suuri)|mennyi|hány|c[aâ]t[eiă]?|ne kadar|kaç|сколько|каков[аоы]?|πόσ\p{L}+)(?!\p{L})/iu;

/**
 * A question in the terms of documents in `language`. The patterns that read a question by clause know English; one in another
 * language is taken as it stands.
 */
export function readQuestion(text: string, language: Language = ENGLISH): Question {
  const spoken = languageOfQuestion(text);
  const isStopWord = (word: string) => language.stopWords.has(word) || spoken.stopWords.has(word);
  const wordsOf = (part: string) => words(part).filter((word) => !isStopWord(word));
  const termsOf = (part: string) => wordsOf(part).map((word) => stem(word, language));
  const clauses: Clause[] = spoken === ENGLISH ? clausesOf(text) : [{ kind: 'question', text }];

  const weights = new Map<string, number>();
  const phrases: string[][] = [];
  const otherTerms: string[] = [];
  let asksQuantity = false;
  const raise = (term: string, weight: number) => weights.set(term, Math.max(weights.get(term) ?? 0, weight));

  for (const { kind, text: clause } of clauses) {
    const [wordWeight, instructionWeight] = CLAUSE_WEIGHT[kind];
    if (wordWeight === 0) continue;
    const asked = wordsOf(clause);
    const phrase = asked.map((word) => stem(word, language));
    phrase.forEach((term, i) => {
      raise(term, INSTRUCTION_TERMS.has(stem(asked[i] ?? '')) ? instructionWeight : wordWeight);
    });
    if (wordWeight === 1) {
      const { terms, isFigure } = otherWordings(clause, language);
      otherTerms.push(...terms);
      phrases.push([...terms]);
      asksQuantity ||= isFigure;
    }
    phrases.push(phrase);
    asksQuantity ||= QUANTITY.test(clause) || HOW_MUCH.test(clause);
  }
  for (const source of namedSources(text)) for (const term of termsOf(source)) raise(term, SOURCE_WEIGHT);
  // Only words that were used can name a document.
  const names = withJoined(wordsOf(text), weights, language);
  for (const term of otherTerms) raise(term, WORDING_WEIGHT);
  return { weights, phrases, names, asksQuantity };
}

const JOINED_WEIGHT = 1.5;

function withJoined(
  asked: readonly string[],
  weights: ReadonlyMap<string, number>,
  language: Language,
): Map<string, number> {
  const names = new Map(weights);
  for (let i = 0; i + 1 < asked.length; i++) {
    names.set(stem(`${asked[i]}${asked[i + 1]}`, language), JOINED_WEIGHT);
  }
  return names;
}
