import type { ParsedSection } from '../document.ts';
import { isNumeric, rowLabel } from '../row-label.ts';
import { analyse } from './analyse.ts';
import type { Language } from './languages.ts';

/** Labels in every section. Of 35 filings, those with statements have 1.2 to 4 times that. */
const FULL_MARKS = 5;

/**
 * How much a document talks about the rows of each section's tables, from 0 to 255. A table whose row labels recur all
 * over the document is a primary one (a balance sheet, say): `c = Σ ln df(b)` over the pairs of neighbouring terms `b` of
 * the section's row labels, where `df` counts the document's sections that hold the pair. Full marks begin at the third
 * largest `c`: a single long list of names would else dwarf the statements. But not below what five labels that stand in every
 * section give: a contract's only table, a list of fees, is no answer to every question about a quantity.
 */
export function rowCentrality(
  sections: readonly ParsedSection[],
  bodies: readonly string[][],
  language: Language,
): Uint8Array {
  const labelPairs = sections.map((section) => {
    const pairs = new Set<string>();
    if (!isContents(section.text)) {
      for (const label of section.rowLabels) addPairs(pairs, analyse(label, language));
    }
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
  const centrality = labelPairs.map((pairs, i) => {
    let sum = 0;
    for (const pair of pairs) sum += Math.log(Math.max(1, spread.get(pair) ?? 0));
    return sum * seriesShare(sections[i]?.text ?? '');
  });
  const [, , third = 0] = [...centrality].sort((a, b) => b - a);
  const full = Math.max(third, FULL_MARKS * Math.log(sections.length + 1));
  return Uint8Array.from(centrality, (value) => Math.round(Math.min(1, value / full) * 255));
}

function addPairs(pairs: Set<string>, terms: readonly string[]): void {
  for (let i = 0; i + 1 < terms.length; i++) pairs.add(`${terms[i]} ${terms[i + 1]}`);
}

function rowsOf(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.includes(' | '))
    .map((line) => line.split(' | ').map((cell) => cell.trim()));
}

/** A list of what stands on which page: most rows end in one whole number, and the numbers rise. */
function isContents(text: string): boolean {
  const numeric = rowsOf(text).filter((cells) => cells.some(isNumeric));
  const pages = numeric
    .filter((cells) => cells.filter(isNumeric).length === 1 && /^\d{1,4}$/.test(cells.at(-1) ?? ''))
    .map((cells) => Number(cells.at(-1)));
  if (pages.length < 4 || pages.length < numeric.length * 0.6) return false;
  const rises = pages.filter((page, i) => i > 0 && page >= (pages[i - 1] ?? 0)).length;
  return rises >= (pages.length - 1) * 0.8;
}

/** The share of labelled rows that hold several numbers: statements compare periods, lists do not. */
function seriesShare(text: string): number {
  let labelled = 0;
  let series = 0;
  for (const cells of rowsOf(text)) {
    if (!rowLabel(cells.join(' | '))) continue;
    labelled++;
    if (cells.filter(isNumeric).length > 1) series++;
  }
  return labelled > 0 ? series / labelled : 0;
}
