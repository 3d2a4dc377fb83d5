import { getOrAdd } from '../get-or-add.ts';
import type { Segment } from '../store/segment-reader.ts';
import { matchDocuments } from './document-match.ts';
import { PARAMETERS, type RankingParameters } from './parameters.ts';
import { pairsOf, proximityGains } from './proximity.ts';
import type { Question } from './question.ts';
import { type Collection, collect, scoreSections } from './scores.ts';
import { largest } from './top.ts';

/** Documents of so many sections on average are told from each other by their text alone. */
const FEW_SECTIONS = 5;

export interface Hit {
  readonly segment: Segment;
  /** Section within the segment. */
  readonly number: number;
  readonly score: number;
}

/** The sections that answer a question best, over all the segments as one collection, best first. */
export function search(
  segments: readonly Segment[],
  question: Question,
  limit: number,
  parameters: RankingParameters = PARAMETERS,
): Hit[] {
  const collection = collect(segments);
  const { scores, idf } = scoreSections(collection, question, parameters);
  addProximity(collection, scores, question, idf, parameters);
  addCentrality(collection, scores, question, parameters);
  if (segments.length > 1) addDocumentMatch(collection, scores, question, parameters);
  return largest(scores, limit).map((at) => ({ ...locate(collection, at), score: scores[at] ?? 0 }));
}

function addProximity(
  collection: Collection,
  scores: Float64Array,
  question: Question,
  idf: ReadonlyMap<string, number>,
  { proximity }: RankingParameters,
): void {
  const pairs = pairsOf(question, idf);
  if (pairs.length === 0) return;
  const bySegment = new Map<Segment, { numbers: number[]; places: number[] }>();
  for (const at of largest(scores, proximity.depth)) {
    const { segment, number } = locate(collection, at);
    const group = getOrAdd(bySegment, segment, () => ({ numbers: [], places: [] }));
    group.numbers.push(number);
    group.places.push(at);
  }
  for (const [segment, { numbers, places }] of bySegment) {
    const gains = proximityGains(segment, numbers, pairs, collection.averages[0] ?? 1, proximity);
    places.forEach((at, i) => {
      scores[at] = (scores[at] ?? 0) + (gains[i] ?? 0);
    });
  }
}

/** Primary tables gain a share of the document's best score: much for a question about a quantity, little otherwise. */
function addCentrality(
  { segments, bases }: Collection,
  scores: Float64Array,
  question: Question,
  { centrality }: RankingParameters,
): void {
  const share = centrality.weight * (question.asksQuantity ? 1 : centrality.otherwise);
  segments.forEach((segment, s) => {
    const base = bases[s] ?? 0;
    let best = 0;
    for (let n = 0; n < segment.sectionCount; n++) best = Math.max(best, scores[base + n] ?? 0);
    if (best === 0) return;
    for (let n = 0; n < segment.sectionCount; n++) {
      scores[base + n] = (scores[base + n] ?? 0) + (share * best * (segment.centrality[n] ?? 0)) / 255;
    }
  });
}

/**
 * Sections of a document that the question names gain a share of the best score, the more the longer the documents are: in
 * a filing few sections repeat whose it is, while an abstract says itself what it is about. The same share for all, because a
 * long document among short ones would else win by its length.
 */
function addDocumentMatch(
  { segments, bases, textCount }: Collection,
  scores: Float64Array,
  question: Question,
  { documentMatch }: RankingParameters,
): void {
  const share = documentMatch * Math.max(0, 1 - (FEW_SECTIONS * segments.length) / textCount);
  if (share === 0) return;
  const best = scores.reduce((most, score) => Math.max(most, score), 0);
  matchDocuments(segments, question).forEach((match, s) => {
    const base = bases[s] ?? 0;
    const end = base + (segments[s]?.sectionCount ?? 0);
    for (let at = base; at < end; at++) if (scores[at]) scores[at] = (scores[at] ?? 0) + share * best * match;
  });
}

function locate({ segments, bases }: Collection, at: number): { segment: Segment; number: number } {
  let from = 0;
  let to = bases.length - 1;
  while (from < to) {
    const middle = (from + to + 1) >> 1;
    if ((bases[middle] ?? 0) <= at) from = middle;
    else to = middle - 1;
  }
  const segment = segments[from];
  if (!segment) throw new RangeError(`no section ${at}`);
  return { segment, number: at - (bases[from] ?? 0) };
}
