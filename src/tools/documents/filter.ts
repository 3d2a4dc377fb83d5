import type { Document } from '@vectorless/sdk';
import { type Status, statusOf } from './shapes.ts';

/** Which documents a listing is about. */
export interface Filter {
  readonly status?: Status | undefined;
  /** Words that the title must contain, as `words` makes them. */
  readonly words?: readonly string[] | undefined;
}

export function matches(document: Document, { status, words }: Filter): boolean {
  if (status !== undefined && statusOf(document) !== status) return false;
  const title = plain(document.title);
  return words === undefined || words.every((word) => title.includes(word));
}

export function words(text: string | undefined): string[] | undefined {
  const found = plain(text ?? '')
    .split(/\s+/)
    .filter((word) => word !== '');
  return found.length === 0 ? undefined : found;
}

/** Of a title, what is looked at. */
const longestTitle = 2_000;

/** Case, accents and punctuation do not count. */
function plain(text: string): string {
  return text
    .slice(0, longestTitle)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** What a cursor is bound to. */
export function filterKey({ status, words }: Filter): string {
  return JSON.stringify([status ?? '', words ?? []]);
}
