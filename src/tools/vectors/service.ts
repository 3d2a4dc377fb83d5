import { type Metric, type OwnedStores, VectorRefusal } from '../../stores/vectors/vector-stores.ts';
import type { Admit } from './key-check.ts';
import { refuse } from './refuse.ts';

/** What the vector tools of one caller work with. */
export interface VectorsService {
  readonly stores: OwnedStores;
  /** Asked before anything is kept. */
  readonly admit: Admit;
  readonly metric: Metric;
  readonly maxResultTokens: number;
}

export const defaultStore = 'default';
export const defaultNamespace = 'default';

/** Stores whose refusals come in the form that these tools' callers are promised. */
export function refusing(stores: OwnedStores): OwnedStores {
  return {
    add: (vector) => stores.add(vector).catch(rethrow),
    delete: (place) => stores.delete(place).catch(rethrow),
    search: (search) => stores.search(search).catch(rethrow),
    count: (place) => stores.count(place).catch(rethrow),
  };
}

function rethrow(error: unknown): never {
  throw error instanceof VectorRefusal ? refuse(error.message) : error;
}
