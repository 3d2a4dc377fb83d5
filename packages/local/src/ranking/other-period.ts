import { languageOfQuestion } from '../analysis/detect-language.ts';
import { ENGLISH } from '../analysis/languages.ts';
import { type Segment, sectionsWith } from '../store/segment-reader.ts';

/** A period of reporting: FY2022, FY22, fiscal year 2022, Q3 2022, H1 FY2022. */
const PERIOD =
  /\b(?:(?:Q[1-4]|H[12])\W{0,2}(?:of\s+)?(?:FY|fiscal(?:\s+year)?)?|FY|fiscal(?:\s+year)?)\s?'?((?:19|20)?\d\d)\b(?!\s*(?:weeks?|months?|days?|%))/gi;
const ANY_YEAR = /\b(?:19|20)\d\d\b/g;
/** Years to come stand once, in a table of what is due: to be rare there says nothing. */
const ABOUT_LATER =
  /\b(?:due|matur\w+|expir\w+|estimat\w+|expect\w*|forecast\w*|future|plan(?:s|ned)?|targets?|goals?|outlook|guidance|project(?:s|ed|ions?)|commitments?|obligations?|remaining|until|subsequent\w*|declared|announced)\b/i;

const FIRST_YEAR = 1950;
const LAST_YEAR = 2099;
/** A report has its own year in so many sections, and in that share of them. Of 35 filings the lowest share is .26. */
const REPORT = { sections: 10, share: 0.2 };
/** A year that so few sections hold, as a share of those with the report's own, is not reported on. */
const RARE = 0.1;
/** Tables of five years reach back as far. */
const YEARS_BACK = 4;

/** The period that a question asks for and the year that the document reports on, where that excludes an answer. */
export function otherPeriod(
  question: string,
  segment: Segment,
): { readonly asked: string; readonly about: number } | undefined {
  const periods = [...question.matchAll(PERIOD)];
  if (periods.length === 0 || ABOUT_LATER.test(question) || languageOfQuestion(question) !== ENGLISH)
    return undefined;
  const asked = [
    ...periods.map(([, year = '']) => inFull(year)),
    ...(question.match(ANY_YEAR) ?? []).map(Number),
  ];

  const counts = new Map<number, number>();
  for (let year = FIRST_YEAR; year <= LAST_YEAR; year++)
    counts.set(year, sectionsWith(segment, `${year}`).length);
  const [about, most] = [...counts].reduce((top, next) => (next[1] >= top[1] ? next : top));
  if (most < REPORT.sections || most < REPORT.share * segment.textCount) return undefined;
  const isOther = (year: number) =>
    (year > about || year < about - YEARS_BACK) && (counts.get(year) ?? 0) < RARE * most;
  return asked.every(isOther) ? { asked: periods.map(([text]) => text).join(', '), about } : undefined;
}

function inFull(year: string): number {
  return year.length === 2 ? 2000 + Number(year) : Number(year);
}
