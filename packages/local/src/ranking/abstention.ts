import { analyse } from '../analysis/analyse.ts';
import { languageOfQuestion } from '../analysis/detect-language.ts';
import { ENGLISH } from '../analysis/languages.ts';
import { findTerm, type Segment } from '../store/segment-reader.ts';
import { hashTerm } from '../store/term-hash.ts';
import { clausesOf } from './clauses.ts';
import { INSTRUCTION_TERMS } from './instruction-terms.ts';

/** A name in a question, as it stands there and as index terms. */
export interface Name {
  readonly text: string;
  readonly terms: readonly string[];
}

/** Runs of capitalised words that do not begin a sentence; a digit may come first, as in 3M. */
const CAPITALISED =
  /(?<=[\p{Ll}\p{N},;:'’)]\s)[“"'(]?((?:\p{N}?\p{Lu})[\p{L}\p{N}&-]*(?:\s+\p{Lu}[\p{L}\p{N}&-]*)*)/gu;
/** Periods are capitalised like names. */
const PERIOD = /^(?:(?:FY|Q|H)\d.*|FY)$/u;
/** Words that show a sentence to be English, where few others would. */
const ENGLISH_WORD = /\b(?:the|of|is|are|does|did|how|what|which|and|has|have|were)\b/i;
/** In a title capitals mean nothing. */
const TITLE_CASE_SHARE = 0.5;
/** The share of its names that may be missing. */
const MOST_ABSENT = 0.5;

/**
 * Names in what an English question asks, not in how it wants to be answered. Capitals mean names in English; in German they
 * mean nouns.
 */
export function namesIn(question: string): Name[] {
  if (!ENGLISH_WORD.test(question) || languageOfQuestion(question) !== ENGLISH) return [];
  const names = new Map<string, Name>();
  for (const { kind, text: clause } of clausesOf(question)) {
    if (kind === 'instruction' || kind === 'condition' || kind === 'definition') continue;
    for (const match of clause.matchAll(CAPITALISED)) {
      const words = (match[1] ?? '').split(/\s+/).filter((word) => !PERIOD.test(word));
      const text = words.join(' ');
      const terms = analyse(text);
      if (terms.some((term) => !INSTRUCTION_TERMS.has(term))) names.set(text, { text, terms });
    }
  }
  const capitalised = [...names.values()].reduce((sum, { terms }) => sum + terms.length, 0);
  return capitalised > analyse(question).length * TITLE_CASE_SHARE ? [] : [...names.values()];
}

/**
 * The names that a document never mentions, when they are more than half: the question is then about somebody else.
 * Empty when the document may well answer. What this catches and loses: docs/retrieval.md.
 */
export function strangersIn(names: readonly Name[], segment: Segment): Name[] {
  // A document in another language may write them its own way.
  if (segment.meta.language !== ENGLISH.code) return [];
  const absent = names.filter(({ terms }) => !terms.every((term) => isKnown(term, segment)));
  return absent.length > names.length * MOST_ABSENT ? absent : [];
}

function isKnown(term: string, segment: Segment): boolean {
  return findTerm(segment, ...hashTerm(term)) >= 0 || (segment.meta.identity?.name.includes(term) ?? false);
}
