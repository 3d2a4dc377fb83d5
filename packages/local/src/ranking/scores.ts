import { FIELD_COUNT } from '../store/segment-format.ts';
import type { Segment } from '../store/segment-reader.ts';
import { readVarint } from '../store/varint.ts';
import type { RankingParameters } from './parameters.ts';
import type { Question } from './question.ts';

/** The sections of some documents as one list: section `n` of segment `s` is number `bases[s] + n`. */
export interface Collection {
  readonly segments: readonly Segment[];
  readonly bases: readonly number[];
  readonly size: number;
  /** Sections that hold text. */
  readonly textCount: number;
  /** Mean length of each field. */
  readonly averages: readonly number[];
}

export function collect(segments: readonly Segment[]): Collection {
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
  return { segments, bases, size, textCount, averages: totals.map((total) => total / textCount || 1) };
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
export function scoreSections(
  { segments, bases, size, textCount, averages }: Collection,
  question: Question,
  { k1, weight, b }: RankingParameters,
): Scored {
  const scores = new Float64Array(size);
  const idf = new Map<string, number>();
  const fixed = b.map((value) => 1 - value);
  const perTerm = b.map((value, field) => value / (averages[field] ?? 1));

  for (const [term, termWeight] of question.weights) {
    const places = segments.map((segment) => segment.find(term));
    let frequency = 0;
    places.forEach((at, s) => {
      const bytes = segments[s]?.postings;
      if (at >= 0 && bytes) frequency += readVarint({ bytes, at });
    });
    if (frequency === 0) continue;
    const rarity = Math.log(1 + (textCount - frequency + 0.5) / (frequency + 0.5));
    idf.set(term, rarity);
    if (termWeight === 0) continue;

    places.forEach((at, s) => {
      const segment = segments[s];
      if (at < 0 || !segment) return;
      const { postings, lengths } = segment;
      const base = bases[s] ?? 0;
      const cursor = { bytes: postings, at };
      const normalised = (frequencyInField: number, section: number, field: number) =>
        ((weight[field] ?? 0) * frequencyInField) /
        ((fixed[field] ?? 0) + (perTerm[field] ?? 0) * (lengths[section * FIELD_COUNT + field] ?? 0));

      let section = 0;
      for (let left = readVarint(cursor); left > 0; left--) {
        section += readVarint(cursor);
        const packed = readVarint(cursor);
        let x = normalised(packed >>> 3, section, 0);
        for (let field = 1; field < FIELD_COUNT; field++) {
          if (packed & (1 << (field - 1))) x += normalised(readVarint(cursor), section, field);
        }
        const at = base + section;
        scores[at] = (scores[at] ?? 0) + (termWeight * rarity * x * (k1 + 1)) / (x + k1);
      }
    });
  }
  return { scores, idf };
}
