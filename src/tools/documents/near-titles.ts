import type { Document } from '@vectorless/sdk';
import { words } from './filter.ts';
import { nameOf } from './shapes.ts';

/** Documents whose title is what was written, but for case, accents, punctuation and the file's extension. */
export function titled(title: string, known: readonly Document[]): Document[] {
  const wanted = bare(title);
  return wanted === '' ? [] : known.filter((document) => bare(document.title) === wanted);
}

/** Why there is no document to work on, with up to three that may be meant. */
export function noSuchDocument(given: string, known: readonly Document[]): string {
  const same = titled(given, known);
  if (same.length > 1) return `${same.length} documents have this title; name one by its id: ${names(same)}`;
  const near = nearest(given, known);
  return near.length === 0 ? 'no such document' : `no such document; did you mean ${names(near)}?`;
}

/** Orders documents by how much of a question's words their titles hold; equal ones stay in their order. */
export function byTitleWords(question: string, documents: readonly Document[]): Document[] {
  const asked = new Set(words(question) ?? []);
  return documents
    .map((document) => {
      const held = new Set(words(document.title)?.filter((word) => asked.has(word)));
      return { document, weight: [...held].reduce((sum, word) => sum + weightOf(word), 0) };
    })
    .sort((a, b) => b.weight - a.weight)
    .map(({ document }) => document);
}

/** "for" and "the" name no document; "3m" and "2018" may. */
function weightOf(word: string): number {
  return /^[a-z]{1,3}$/.test(word) ? 0.3 : 1;
}

function names(documents: readonly Document[]): string {
  return documents.slice(0, 3).map(nameOf).join(' or ');
}

function nearest(given: string, known: readonly Document[]): Document[] {
  const wanted = trigrams(given);
  return known
    .map((document) => {
      const title = trigrams(document.title);
      // A word of a long title shares little with all of it, but all of itself.
      const held = shared(wanted, title) / Math.max(1, wanted.size);
      const score = Math.max(alike(wanted, title), alike(wanted, trigrams(document.id)), held * 0.8);
      return { document, score };
    })
    .filter(({ score }) => score >= 0.35)
    .sort((a, b) => b.score - a.score)
    .map(({ document }) => document);
}

function bare(title: string): string {
  return words(title.replace(/\.[a-z0-9]{2,8}$/i, ''))?.join(' ') ?? '';
}

function trigrams(text: string): Set<string> {
  const plain = `  ${bare(text.slice(0, 400))} `;
  return new Set(Array.from({ length: plain.length - 2 }, (_, index) => plain.slice(index, index + 3)));
}

function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const gram of a) if (b.has(gram)) count++;
  return count;
}

/** Sørensen–Dice coefficient. */
function alike(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return (2 * shared(a, b)) / Math.max(1, a.size + b.size);
}
