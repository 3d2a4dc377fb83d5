import { type Account, minus, nothing, plus, type VectorLimits } from './limits.ts';
import type { Metadata } from './metadata.ts';
import { createNamespace, type Namespace, type Row } from './namespace.ts';
import { scan } from './scan.ts';
import { type Found, type Metric, type NewVector, type Search, VectorRefusal } from './vector-stores.ts';

/** One store in memory: its namespaces, and the order in which vectors came. Both adapters answer from it. */
export interface Table {
  readonly isEmpty: boolean;
  add(vector: StoredVector): 'added' | 'updated';
  /** Adds what was stored before, past the limits. @throws {VectorRefusal} when it does not fit what is there. */
  restore(vector: StoredVector): void;
  find(namespace: string, id: string): { dimension: number; metadata: Metadata } | undefined;
  delete(namespace: string, id: string): boolean;
  search(search: Omit<Search, 'store'>, metric: Metric): Promise<Found>;
  count(namespace: string | undefined): number;
  /** Every vector of this moment in order of insertion; `release` does not touch them, other changes do. */
  all(): Iterable<StoredVector>;
  /** Empties it, and gives back what the account was charged. */
  release(): void;
}

export type StoredVector = Omit<NewVector, 'store'>;

export function createTable(account: Account, limits: VectorLimits): Table {
  const namespaces = new Map<string, Namespace>();
  let nextOrder = 0;

  const chosen = (name: string | undefined): Namespace[] =>
    name === undefined
      ? [...namespaces.values()]
      : [namespaces.get(name)].filter((found) => found !== undefined);

  function namespaceFor(name: string, dimension: number): Namespace {
    const found = namespaces.get(name);
    if (found?.dimension === dimension) return found;
    if (found !== undefined) throw mismatch('Embedding', dimension, found);
    if (namespaces.size < limits.namespacesPerStore) return createNamespace(name, dimension);
    throw new VectorRefusal(
      `This store has ${limits.namespacesPerStore} namespaces, the most allowed; use one of them or another store`,
    );
  }

  /** Makes a change to a namespace, keeps it only while it holds vectors, and charges the difference. */
  function change<T>(namespace: Namespace, make: () => T): T {
    const before = namespaces.get(namespace.name)?.cost ?? nothing;
    const result = make();
    if (namespace.size > 0) namespaces.set(namespace.name, namespace);
    else namespaces.delete(namespace.name);
    account.charge(minus(namespaces.get(namespace.name)?.cost ?? nothing, before));
    return result;
  }

  function put(namespace: Namespace, { id, embedding, metadata }: StoredVector): 'added' | 'updated' {
    const known = namespace.get(id);
    const row: Row = { id, order: known?.order ?? nextOrder++, metadata };
    change(namespace, () => namespace.put(row, embedding));
    return known === undefined ? 'added' : 'updated';
  }

  return {
    get isEmpty() {
      return namespaces.size === 0;
    },
    add(vector) {
      const namespace = namespaceFor(vector.namespace, vector.embedding.length);
      const cost = namespace.costOfPut(vector.id, vector.metadata);
      account.admit(namespaces.has(namespace.name) ? cost : plus(cost, namespace.cost));
      return put(namespace, vector);
    },
    restore(vector) {
      put(namespaceFor(vector.namespace, vector.embedding.length), vector);
    },
    find(name, id) {
      const namespace = namespaces.get(name);
      const row = namespace?.get(id);
      if (namespace === undefined || row === undefined) return;
      return { dimension: namespace.dimension, metadata: row.metadata };
    },
    delete(name, id) {
      const namespace = namespaces.get(name);
      return namespace === undefined ? false : change(namespace, () => namespace.delete(id));
    },
    async search({ namespace, ...search }, metric) {
      const candidates = chosen(namespace);
      const [first] = candidates;
      if (first !== undefined && !candidates.some(({ dimension }) => dimension === search.query.length)) {
        throw mismatch('Query embedding', search.query.length, first);
      }
      return scan(candidates, search, metric);
    },
    count: (namespace) => chosen(namespace).reduce((sum, { size }) => sum + size, 0),
    all: () => inOrder([...namespaces.values()]),
    release() {
      for (const { cost } of namespaces.values()) account.charge(minus(nothing, cost));
      namespaces.clear();
    },
  };
}

function mismatch(what: string, given: number, { name, dimension }: Namespace): VectorRefusal {
  return new VectorRefusal(
    `${what} has ${given} dimensions, but namespace ${JSON.stringify(name)} holds vectors of ${dimension}`,
  );
}

function inOrder(namespaces: readonly Namespace[]): Iterable<StoredVector> {
  const found = namespaces.flatMap((namespace) =>
    namespace.rows.flatMap((row, at) => (row === undefined ? [] : [{ row, at, namespace }])),
  );
  found.sort((a, b) => a.row.order - b.row.order);
  return stored(found);
}

function* stored(
  found: readonly { readonly row: Row; readonly at: number; readonly namespace: Namespace }[],
): Iterable<StoredVector> {
  for (const { row, at, namespace } of found) {
    const { name, dimension, blocks, shift, mask } = namespace;
    const start = (at & mask) * dimension;
    const embedding = blocks[at >> shift]?.values.subarray(start, start + dimension);
    if (embedding !== undefined) yield { namespace: name, id: row.id, embedding, metadata: row.metadata };
  }
}
