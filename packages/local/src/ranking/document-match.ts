import type { Segment } from '../store/segment-reader.ts';
import type { Question } from './question.ts';

const NAME_WEIGHT = 1;
const COVER_WEIGHT = 0.3;
const MOST_TERM_WEIGHT = 1.5;

/**
 * How well the question names each document, from 0 to 1: the rarity-weighted terms of the question in the document's
 * name and on its first page, relative to the best. A term that most documents are called by tells nothing.
 */
export function matchDocuments(segments: readonly Segment[], { names }: Question): Float64Array {
  const matches = new Float64Array(segments.length);
  const holders = new Map<string, (readonly [segment: number, weight: number])[]>();
  for (const term of names.keys()) holders.set(term, []);
  segments.forEach(({ meta: { identity } }, s) => {
    for (const term of identity?.name ?? []) holders.get(term)?.push([s, NAME_WEIGHT]);
    for (const term of identity?.cover ?? []) holders.get(term)?.push([s, COVER_WEIGHT]);
  });
  for (const [term, found] of holders) {
    const rarity = Math.log(1 + (segments.length - found.length + 0.5) / (found.length + 0.5));
    const weight = Math.min(names.get(term) ?? 0, MOST_TERM_WEIGHT) * rarity;
    for (const [s, share] of found) matches[s] = (matches[s] ?? 0) + weight * share;
  }
  const best = matches.reduce((most, match) => Math.max(most, match), 0);
  return best > 0 ? matches.map((match) => match / best) : matches;
}
