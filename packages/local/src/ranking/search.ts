import { getOrAdd } from '../get-or-add.ts';
import type { Segment } from '../store/segment-reader.ts';
import { matchDocuments } from './document-match.ts';
import { FEW_SECTIONS, PARAMETERS, type RankingParameters } from './parameters.ts';
import { pairsOf, proximityGains } from './proximity.ts';
import { type Collection, collect, scoreSections } from './scores.ts';
import { largest } from './top.ts';

export interface Hit {
  readonly segment: Segment;
  /** Section within the segment. */
  readonly number: number;
  readonly score: number;
}

/** The sections that answer a question best, over all the segments as one collection, best first. */
export function search(
  segments: readonly Segment[],
  question: string,
  limit: number,
  parameters: RankingParameters = PARAMETERS,
): Hit[] {
  const collection = collect(segments, question);
  const { scores, idf } = scoreSections(collection, parameters);
  addProximity(collection, scores, idf, parameters);
  addCentrality(collection, scores, parameters);
  if (segments.length > 1) addDocumentMatch(collection, scores, parameters);
  return largest(scores, limit).flatMap((at) => {
    const { s, number } = locate(collection, at);
    const segment = segments[s];
    return segment ? { segment, number, score: scores[at] ?? 0 } : [];
  });
}

function addProximity(
  collection: Collection,
  scores: Float64Array,
  idf: ReadonlyMap<string, number>,
  { proximity }: RankingParameters,
): void {
  const pairs = collection.readings.map((reading) => pairsOf(reading, idf));
  if (pairs.every(({ length }) => length === 0)) return;
  const bySegment = new Map<number, { numbers: number[]; places: number[] }>();
  for (const at of largest(scores, proximity.depth)) {
    const { s, number } = locate(collection, at);
    const group = getOrAdd(bySegment, s, () => ({ numbers: [], places: [] }));
    group.numbers.push(number);
    group.places.push(at);
  }
  for (const [s, { numbers, places }] of bySegment) {
    const segment = collection.segments[s];
    if (!segment) continue;
    const own = pairs[collection.readingOf[s] ?? 0] ?? [];
    const gains = proximityGains(segment, numbers, own, collection.averages[0] ?? 1, proximity);
    places.forEach((at, i) => {
      scores[at] = (scores[at] ?? 0) + (gains[i] ?? 0);
    });
  }
}

/** Primary tables gain a share of the document's best score: much for a question about a quantity, little otherwise. */
function addCentrality(
  { segments, readings, readingOf, bases }: Collection,
  scores: Float64Array,
  { centrality }: RankingParameters,
): void {
  const shares = readings.map(
    ({ asksQuantity }) => centrality.weight * (asksQuantity ? 1 : centrality.otherwise),
  );
  segments.forEach((segment, s) => {
    const share = shares[readingOf[s] ?? 0] ?? 0;
    const base = bases[s] ?? 0;
    const { sectionCount, centrality: values } = segment;
    let best = 0;
    for (let n = 0; n < sectionCount; n++) best = Math.max(best, scores[base + n] ?? 0);
    if (best === 0) return;
    for (let n = 0; n < sectionCount; n++) {
      scores[base + n] = (scores[base + n] ?? 0) + (share * best * (values[n] ?? 0)) / 255;
    }
  });
}

/**
 * Sections of a document that the question names gain a share of the best score, the more the longer the documents are: in
 * a filing few sections repeat whose it is, while an abstract says itself what it is about. The same share for all, because a
 * long document among short ones would else win by its length.
 */
function addDocumentMatch(
  collection: Collection,
  scores: Float64Array,
  { documentMatch }: RankingParameters,
): void {
  const { segments, bases, textCount } = collection;
  const share = documentMatch * Math.max(0, 1 - (FEW_SECTIONS * segments.length) / textCount);
  if (share === 0) return;
  const best = scores.reduce((most, score) => Math.max(most, score), 0);
  matchDocuments(collection).forEach((match, s) => {
    const base = bases[s] ?? 0;
    const end = base + (segments[s]?.sectionCount ?? 0);
    for (let at = base; at < end; at++) if (scores[at]) scores[at] = (scores[at] ?? 0) + share * best * match;
  });
}

function locate({ bases }: Collection, at: number): { s: number; number: number } {
  let from = 0;
  let to = bases.length - 1;
  while (from < to) {
    const middle = (from + to + 1) >> 1;
    if ((bases[middle] ?? 0) <= at) from = middle;
    else to = middle - 1;
  }
  return { s: from, number: at - (bases[from] ?? 0) };
}
