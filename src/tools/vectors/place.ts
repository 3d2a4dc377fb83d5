import * as z from 'zod';
import { maxIdLength, maxNameLength } from '../../stores/vectors/limits.ts';
import { refuse } from './refuse.ts';
import { defaultStore } from './service.ts';

/** Arguments that say where a vector is, and what they may be. */

export const storeArgument = z.string().optional().describe('Store; "default" when absent.');
export const idArgument = z.string().describe('Unique id of the vector.');

export const placeAliases = {
  store: 'store_name',
  collection: 'store_name',
  collection_name: 'store_name',
  index: 'store_name',
} as const;
export const idAliases = { vector_id: 'id', doc_id: 'id', document_id: 'id', key: 'id' } as const;

/** Models send an empty text where they mean to leave an argument out. */
export function toStore(given: string | undefined): string {
  return toName('store_name', given) ?? defaultStore;
}

export function toNamespace(given: string | undefined): string | undefined {
  return toName('namespace', given);
}

export function toId(given: string): string {
  if (given.length >= 1 && given.length <= maxIdLength) return given;
  throw refuse(`id must have 1 to ${maxIdLength} characters; this one has ${given.length}`);
}

function toName(argument: string, given: string | undefined): string | undefined {
  if (given === undefined || given === '') return undefined;
  if (given.length <= maxNameLength) return given;
  throw refuse(`${argument} may have at most ${maxNameLength} characters; this one has ${given.length}`);
}
