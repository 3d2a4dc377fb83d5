import type { ParsedSection } from '../document.ts';
import { analyse } from './analyse.ts';

/**
 * How much a document talks about the rows of each section's tables, from 0 to 255. A table whose row labels recur all
 * over the document is a primary one (a balance sheet, say): `c = Σ ln df(b)` over the pairs of neighbouring terms `b` of
 * the section's row labels, where `df` counts the document's sections that hold the pair, divided by the largest `c`.
 */
export function rowCentrality(sections: readonly ParsedSection[], bodies: readonly string[][]): Uint8Array {
  const labelPairs = sections.map((section) => {
    const pairs = new Set<string>();
    for (const label of section.rowLabels) addPairs(pairs, analyse(label));
    return pairs;
  });
  const spread = new Map<string, number>();
  for (const pairs of labelPairs) for (const pair of pairs) spread.set(pair, 0);
  if (spread.size === 0) return new Uint8Array(sections.length);

  for (const body of bodies) {
    const pairs = new Set<string>();
    addPairs(pairs, body);
    for (const pair of pairs) {
      const seen = spread.get(pair);
      if (seen !== undefined) spread.set(pair, seen + 1);
    }
  }
  const centrality = labelPairs.map((pairs) => {
    let sum = 0;
    for (const pair of pairs) sum += Math.log(Math.max(1, spread.get(pair) ?? 0));
    return sum;
  });
  const largest = centrality.reduce((most, value) => Math.max(most, value), 0) || 1;
  return Uint8Array.from(centrality, (value) => Math.round((value / largest) * 255));
}

function addPairs(pairs: Set<string>, terms: readonly string[]): void {
  for (let i = 0; i + 1 < terms.length; i++) pairs.add(`${terms[i]} ${terms[i + 1]}`);
}
