import { analyse, stem, words } from '../analysis/analyse.ts';
import { STOP_WORDS } from '../analysis/stop-words.ts';
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

export function readQuestion(text: string): Question {
  const weights = new Map<string, number>();
  const phrases: string[][] = [];
  const otherTerms: string[] = [];
  let asksQuantity = false;
  const raise = (term: string, weight: number) => weights.set(term, Math.max(weights.get(term) ?? 0, weight));

  for (const { kind, text: clause } of clausesOf(text)) {
    const [wordWeight, instructionWeight] = CLAUSE_WEIGHT[kind];
    if (wordWeight === 0) continue;
    const phrase = analyse(clause);
    for (const term of phrase) raise(term, INSTRUCTION_TERMS.has(term) ? instructionWeight : wordWeight);
    if (wordWeight === 1) {
      const { terms, isFigure } = otherWordings(clause);
      otherTerms.push(...terms);
      phrases.push([...terms]);
      asksQuantity ||= isFigure;
    }
    phrases.push(phrase);
    asksQuantity ||= QUANTITY.test(clause);
  }
  for (const source of namedSources(text)) for (const term of analyse(source)) raise(term, SOURCE_WEIGHT);
  // Only words that were used can name a document.
  const names = namesIn(text, weights);
  for (const term of otherTerms) raise(term, WORDING_WEIGHT);
  return { weights, phrases, names, asksQuantity };
}

const JOINED_WEIGHT = 1.5;

function namesIn(text: string, weights: ReadonlyMap<string, number>): Map<string, number> {
  const names = new Map(weights);
  const kept = words(text).filter((word) => !STOP_WORDS.has(word));
  for (let i = 0; i + 1 < kept.length; i++) names.set(stem(`${kept[i]}${kept[i + 1]}`), JOINED_WEIGHT);
  return names;
}
