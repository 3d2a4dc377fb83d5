import type { Language } from '../analysis/languages.ts';
import { FIELD_COUNT } from '../store/segment-format.ts';
import { findTerm, type Segment } from '../store/segment-reader.ts';
import { hashTerm } from '../store/term-hash.ts';
import type { RankingParameters } from './parameters.ts';
import { type Question, readQuestion } from './question.ts';

/** The sections of some documents as one list: section `n` of segment `s` is number `bases[s] + n`. */
export interface Collection {
  readonly segments: readonly Segment[];
  /** The question in the terms of each language that the documents are in. */
  readonly readings: readonly Question[];
  /** Which of them is each segment's. */
  readonly readingOf: Uint8Array;
  readonly bases: readonly number[];
  readonly size: number;
  /** Sections that hold text. */
  readonly textCount: number;
  /** Mean length of each field. */
  readonly averages: readonly number[];
}

export function collect(segments: readonly Segment[], question: string): Collection {
  const languages: Language[] = [...new Set(segments.map(({ language }) => language))];
  const totals = new Array<number>(FIELD_COUNT).fill(0);
  const bases: number[] = [];
  let size = 0;
  let textCount = 0;
  for (const segment of segments) {
    bases.push(size);
    size += segment.sectionCount;
    textCount += segment.textCount;
    for (let field = 0; field < FIELD_COUNT; field++) {
      totals[field] = (totals[field] ?? 0) + (segment.totals[field] ?? 0);
    }
  }
  return {
    segments,
    readings: languages.map((language) => readQuestion(question, language)),
    readingOf: Uint8Array.from(segments, ({ language }) => languages.indexOf(language)),
    bases,
    size,
    textCount,
    averages: totals.map((total) => total / textCount || 1),
  };
}

export interface Scored {
  readonly scores: Float64Array;
  /** Of each term of the question that occurs. */
  readonly idf: ReadonlyMap<string, number>;
}

/**
 * BM25F (Robertson, Zaragoza, Taylor 2004): a term's frequencies in the fields are weighted and normalised by field length,
 * summed, and saturated once. `idf = ln(1 + (N − df + .5) / (df + .5))` over the sections of the collection.
 */
export function scoreSections(collection: Collection, { k1, weight, b }: RankingParameters): Scored {
  const { segments, readings, size, textCount, averages } = collection;
  const norms: Norms = {
    weight,
    fixed: b.map((value) => 1 - value),
    perTerm: b.map((value, field) => value / (averages[field] ?? 1)),
  };
  const terms = [...new Set(readings.flatMap(({ weights }) => [...weights.keys()]))].map((term) => ({
    term,
    hash: hashTerm(term),
    weights: readings.map((reading) => reading.weights.get(term)),
    /** Where each segment's posting list begins; -1 for none, or where the term is not of its language. */
    places: new Int32Array(segments.length).fill(-1),
    frequency: 0,
    factors: [] as number[],
  }));
  // Segment by segment, whose index then is in the processor's cache for all of the terms: almost half the time over thousands.
  for (let s = 0; s < segments.length; s++) for (const term of terms) findPostings(collection, s, term);
  const idf = new Map<string, number>();
  for (const found of terms) {
    if (found.frequency === 0) continue;
    const rarity = Math.log(1 + (textCount - found.frequency + 0.5) / (found.frequency + 0.5));
    idf.set(found.term, rarity);
    found.factors = found.weights.map((termWeight = 0) => termWeight * rarity * (k1 + 1));
  }
  const scores = new Float64Array(size);
  for (let s = 0; s < segments.length; s++)
    for (const term of terms) addTerm(collection, s, term, scores, k1, norms);
  return { scores, idf };
}

interface Term {
  readonly hash: readonly [high: number, low: number];
  readonly weights: readonly (number | undefined)[];
  readonly places: Int32Array;
  readonly factors: readonly number[];
  /** Sections that hold it. */
  frequency: number;
}

interface Norms {
  readonly weight: readonly number[];
  readonly fixed: readonly number[];
  readonly perTerm: readonly number[];
}

function findPostings({ segments, readingOf }: Collection, s: number, term: Term): void {
  const segment = segments[s];
  if (!segment || term.weights[readingOf[s] ?? 0] === undefined) return;
  const ordinal = findTerm(segment, ...term.hash);
  if (ordinal < 0) return;
  position = segment.postingOffsets[ordinal] ?? 0;
  term.places[s] = position;
  term.frequency += next(segment.postings);
}

function addTerm(
  { segments, readingOf, bases }: Collection,
  s: number,
  { places, factors }: Term,
  scores: Float64Array,
  k1: number,
  norms: Norms,
): void {
  const segment = segments[s];
  const place = places[s] ?? -1;
  const factor = factors[readingOf[s] ?? 0] ?? 0;
  if (place < 0 || factor === 0 || !segment) return;
  const { postings, lengths } = segment;
  position = place;
  let at = bases[s] ?? 0;
  let fields = 0;
  for (let left = next(postings); left > 0; left--) {
    const gap = next(postings);
    at += gap;
    fields += gap * FIELD_COUNT;
    const packed = next(postings);
    let x = normalised(norms, 0, packed >>> 3, lengths[fields] ?? 0);
    for (let field = 1; field < FIELD_COUNT; field++) {
      if (packed & (1 << (field - 1)))
        x += normalised(norms, field, next(postings), lengths[fields + field] ?? 0);
    }
    scores[at] = (scores[at] ?? 0) + (factor * x) / (x + k1);
  }
}

function normalised(
  { weight, fixed, perTerm }: Norms,
  field: number,
  frequency: number,
  length: number,
): number {
  return ((weight[field] ?? 0) * frequency) / ((fixed[field] ?? 0) + (perTerm[field] ?? 0) * length);
}

/** Where `next` reads. Not an argument, because this is the innermost loop of every query: millions of calls a second. */
let position = 0;

function next(bytes: Uint8Array): number {
  let byte = bytes[position++] ?? 0;
  if (byte < 128) return byte;
  let value = byte & 127;
  for (let shift = 7; byte > 127; shift += 7) {
    byte = bytes[position++] ?? 0;
    value |= (byte & 127) << shift;
  }
  return value;
}
