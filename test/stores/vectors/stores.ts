import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDurableStores } from '../../../src/stores/vectors/durable-stores.ts';
import { limitsFor, type VectorLimits } from '../../../src/stores/vectors/limits.ts';
import { createMemoryStores } from '../../../src/stores/vectors/memory-stores.ts';
import type { Metadata } from '../../../src/stores/vectors/metadata.ts';
import type { Metric, NewVector, Search, VectorStores } from '../../../src/stores/vectors/vector-stores.ts';

export const generous = limitsFor({ memory: 8 * 1024 ** 3, heap: 4 * 1024 ** 3 }, false);

export interface Warning {
  readonly event: string;
  readonly fields: Record<string, string | number>;
}

const opened: VectorStores[] = [];

/** A folder that is gone when `work` is done. */
export async function withFolder<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'vectors-'));
  try {
    return await work(dir);
  } finally {
    await Promise.all(opened.splice(0).map((stores) => stores.close()));
    rmSync(dir, { recursive: true, force: true });
  }
}

export function durable(
  dir: string,
  options: { metric?: Metric; limits?: Partial<VectorLimits>; warnings?: Warning[] } = {},
): VectorStores {
  const stores = createDurableStores({
    dir,
    metric: options.metric ?? 'cosine',
    limits: { ...generous, ...options.limits },
    warn: (event, fields) => options.warnings?.push({ event, fields }),
  });
  opened.push(stores);
  return stores;
}

export const memory = (metric: Metric = 'cosine', limits: Partial<VectorLimits> = {}): VectorStores =>
  createMemoryStores(metric, { ...generous, ...limits });

export const adapters: readonly [
  string,
  (
    metric: Metric,
    limits: Partial<VectorLimits>,
    work: (stores: VectorStores) => Promise<void>,
  ) => Promise<void>,
][] = [
  ['memory', (metric, limits, work) => work(memory(metric, limits))],
  ['durable', (metric, limits, work) => withFolder((dir) => work(durable(dir, { metric, limits })))],
];

export function vector(id: string, embedding: readonly number[], more: Partial<NewVector> = {}): NewVector {
  return {
    store: 'default',
    namespace: 'default',
    id,
    embedding: Float32Array.from(embedding),
    metadata: {},
    ...more,
  };
}

export function query(
  numbers: readonly number[],
  more: Partial<Omit<Search, 'query'>> & { filter?: Metadata } = {},
): Search {
  const signal = new AbortController().signal;
  return { store: 'default', query: Float32Array.from(numbers), k: 10, filter: {}, signal, ...more };
}
