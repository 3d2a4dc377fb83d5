import { isDeepStrictEqual } from 'node:util';
import type { Metadata } from '../../../src/stores/vectors/metadata.ts';
import type { Found, Metric, NewVector, Search } from '../../../src/stores/vectors/vector-stores.ts';

type Asked = Omit<Search, 'signal' | 'query' | 'filter'> & {
  readonly query: readonly number[];
  readonly filter: Metadata;
};

/** Vectors as anyone would keep them without a thought for speed: what the real stores are held to. */
export class NaiveStores {
  readonly #vectors = new Map<string, NewVector>();
  readonly #metric: Metric;

  constructor(metric: Metric) {
    this.#metric = metric;
  }

  add(vector: NewVector): 'added' | 'updated' {
    const key = keyOf(vector.store, vector.namespace, vector.id);
    const status = this.#vectors.has(key) ? 'updated' : 'added';
    // A Map keeps the place of a key that is set again.
    this.#vectors.set(key, vector);
    return status;
  }

  delete(store: string, namespace: string, id: string): boolean {
    return this.#vectors.delete(keyOf(store, namespace, id));
  }

  count(store: string, namespace: string | undefined): number {
    return this.#within(store, namespace).length;
  }

  dimension(store: string, namespace: string): number | undefined {
    return this.#within(store, namespace)[0]?.embedding.length;
  }

  search({ store, namespace, query, k, filter }: Asked): Pick<Found, 'matches' | 'searched'> {
    const scored = this.#within(store, namespace)
      .filter(({ embedding }) => embedding.length === query.length)
      .filter(({ metadata }) =>
        Object.entries(filter).every(
          ([key, value]) => Object.hasOwn(metadata, key) && isDeepStrictEqual(metadata[key], value),
        ),
      )
      .map((vector) => ({ vector, score: scoreOf(this.#metric, [...vector.embedding], query) }));
    const sign = this.#metric === 'euclidean' ? 1 : -1;
    // Sorting is stable: what came first stays first.
    const best = [...scored].sort((a, b) => sign * (a.score - b.score)).slice(0, k);
    return {
      searched: scored.length,
      matches: best.map(({ vector: { id, namespace: where, metadata }, score }) => ({
        ...{ id, namespace: where, score, metadata },
      })),
    };
  }

  #within(store: string, namespace: string | undefined): NewVector[] {
    return [...this.#vectors.values()].filter(
      (vector) => vector.store === store && (namespace === undefined || vector.namespace === namespace),
    );
  }
}

export function scoreOf(metric: Metric, a: readonly number[], b: readonly number[]): number {
  const at = (index: number) => b[index] as number;
  if (metric === 'euclidean') return Math.sqrt(a.reduce((sum, x, i) => sum + (x - at(i)) ** 2, 0));
  const dot = a.reduce((sum, x, i) => sum + x * at(i), 0);
  if (metric === 'dot') return dot + 0;
  const square = (values: readonly number[]) => values.reduce((sum, x) => sum + x * x, 0);
  const norms = square(a) * square(b);
  return norms === 0 ? 0 : Math.max(-1, Math.min(1, dot / Math.sqrt(norms))) + 0;
}

const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);
