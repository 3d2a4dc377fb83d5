import { analyse } from '../analysis/analyse.ts';
import { languageOfQuestion } from '../analysis/detect-language.ts';
import { ENGLISH } from '../analysis/languages.ts';
import { type Segment, sectionsWith } from '../store/segment-reader.ts';
import { clausesOf } from './clauses.ts';
import { INSTRUCTION_TERMS } from './instruction-terms.ts';
import { otherPeriod } from './other-period.ts';
import { FEW_SECTIONS } from './parameters.ts';
import { standTogether } from './proximity.ts';

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
/** Capitalised too, and no names: places in a document, dates, and abbreviations of what a document may write out. */
const NO_NAMES = new Set(
  `section clause article chapter appendix annex exhibit schedule note notes table figure part item page paragraph
   january february march april may june july august september october november december
   monday tuesday wednesday thursday friday saturday sunday
   ceo cfo coo cto cio hr it pr vp usd eur gbp us usa uk eu vat gst id pdf url faq api ai kpi sla nda esg ipo
   gaap ifrs ebit ebitda eps cogs capex opex fcf ppe pp&e ppne r&d sg&a m&a roa roe roi dpo dso dio ccc fx ytd yoy`
    .split(/\s+/)
    .filter(Boolean),
);
/** Words that show a sentence to be English, where few others would. */
const ENGLISH_WORD = /\b(?:the|of|is|are|does|did|how|what|which|and|has|have|were)\b/i;
/** In a title capitals mean nothing. */
const TITLE_CASE_SHARE = 0.5;
/** The share of its names that may be missing. */
const MOST_ABSENT = 0.5;
/** Terms of a name stand within so many words of each other. */
const NAME_WINDOW = 8;
/** Where more sections hold both, it is taken to be mentioned. */
const MOST_READ = 200;

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
      const words = (match[1] ?? '')
        .split(/\s+/)
        .filter((word) => !PERIOD.test(word) && !NO_NAMES.has(word.toLowerCase()));
      const text = words.join(' ');
      const terms = analyse(text);
      if (terms.some((term) => !INSTRUCTION_TERMS.has(term))) names.set(text, { text, terms });
    }
  }
  const capitalised = [...names.values()].reduce((sum, { terms }) => sum + terms.length, 0);
  return capitalised > analyse(question).length * TITLE_CASE_SHARE ? [] : [...names.values()];
}

/**
 * Why none of the documents can answer, each for itself: it never mentions more than half of the names, or reports on other
 * years. Undefined when one may well answer. What this catches and loses: docs/retrieval.md.
 */
export function whyUnrelated(question: string, segments: readonly Segment[]): string | undefined {
  const textCount = segments.reduce((sum, segment) => sum + segment.textCount, 0);
  // An abstract answers about things that it calls otherwise.
  if (segments.length > 1 && textCount <= FEW_SECTIONS * segments.length) return undefined;
  const names = namesIn(question);
  let reason: string | undefined;
  for (const segment of segments) {
    reason = aboutOthers(question, names, segment) ?? aboutAnotherPeriod(question, segment);
    if (reason === undefined) return undefined;
  }
  return reason;
}

function aboutOthers(question: string, names: readonly Name[], segment: Segment): string | undefined {
  if (!isInEnglish(question, names, segment)) return undefined;
  const absent = names.filter(({ terms }) => !isMentioned(terms, segment));
  if (absent.length <= names.length * MOST_ABSENT) return undefined;
  const listed = absent.map(({ text }) => text.slice(0, 80)).slice(0, 5);
  return `the document never mentions ${listed.join(', ')}; ask without the name if the question is not about it`;
}

/**
 * A document in another language may write names its own way. Where the language is not clear, as in tables, the document is
 * in that of the question if it holds another word of it.
 */
function isInEnglish(question: string, names: readonly Name[], segment: Segment): boolean {
  const { language } = segment.meta;
  if (language !== undefined) return language === ENGLISH.code;
  const inNames = new Set(names.flatMap(({ terms }) => terms));
  return analyse(question).some(
    (term) => /^[a-z]/.test(term) && !inNames.has(term) && sectionsWith(segment, term).length > 0,
  );
}

function aboutAnotherPeriod(question: string, segment: Segment): string | undefined {
  const other = otherPeriod(question, segment);
  return (
    other &&
    `the document reports on ${other.about} and hardly mentions ${other.asked}; ask another document, or without the year`
  );
}

/** All of its terms occur, and two neighbours of them stand together somewhere: "best" and "buy" alone are no Best Buy. */
function isMentioned(terms: readonly string[], segment: Segment): boolean {
  const isInName = (term: string) => segment.meta.identity?.name.includes(term) ?? false;
  const places = terms.map((term) => sectionsWith(segment, term));
  if (!terms.every((term, i) => places[i]?.length || isInName(term))) return false;
  if (terms.length === 1 || terms.every(isInName)) return true;
  return terms.slice(1).some((second, i) => {
    const others = new Set(places[i + 1]);
    const both = (places[i] ?? []).filter((number) => others.has(number));
    return both.length > MOST_READ || standTogether(segment, both, [terms[i] ?? '', second], NAME_WINDOW);
  });
}
