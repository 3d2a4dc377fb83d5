import { getOrAdd } from '../get-or-add.ts';
import type { Collection } from './scores.ts';

const NAME_WEIGHT = 1;
const COVER_WEIGHT = 0.3;
const MOST_TERM_WEIGHT = 1.5;

/**
 * How well the question names each document, from 0 to 1: the rarity-weighted terms of the question in the document's
 * name and on its first page, relative to the best. A term that most documents are called by tells nothing.
 */
export function matchDocuments({ segments, readings, readingOf }: Collection): Float64Array {
  const matches = new Float64Array(segments.length);
  const holders = new Map<string, (readonly [segment: number, weight: number])[]>();
  segments.forEach(({ meta: { identity } }, s) => {
    const names = readings[readingOf[s] ?? 0]?.names;
    const note = (terms: readonly string[], share: number) => {
      for (const term of terms) {
        const asked = Math.min(names?.get(term) ?? 0, MOST_TERM_WEIGHT);
        if (asked > 0) getOrAdd(holders, term, () => []).push([s, asked * share]);
      }
    };
    note(identity?.name ?? [], NAME_WEIGHT);
    note(identity?.cover ?? [], COVER_WEIGHT);
  });
  for (const found of holders.values()) {
    const rarity = Math.log(1 + (segments.length - found.length + 0.5) / (found.length + 0.5));
    for (const [s, weight] of found) matches[s] = (matches[s] ?? 0) + weight * rarity;
  }
  const best = matches.reduce((most, match) => Math.max(most, match), 0);
  return best > 0 ? matches.map((match) => match / best) : matches;
}
