import { metadataTest } from './metadata.ts';
import { lanes, type Scoring, scorings, squaredNorm } from './metric.ts';
import type { Namespace, Row } from './namespace.ts';
import { createTop, type Top } from './top.ts';
import { takeTurn } from './turns.ts';
import type { Found, Match, Metric, Search } from './vector-stores.ts';

/** Rows between two looks at the clock; small, because a filter may compare large metadata. */
const stride = 64;
/** How long a scan may hold the event loop. */
const sliceMs = 5;
/** Multiplications up to which a scan starts at once; a longer one first waits for its turn. */
const shortScan = 500_000;

interface Candidate {
  readonly row: Row;
  readonly namespace: string;
}

/** Scores every vector of `namespaces` that passes the filter; rows added meanwhile may or may not be seen. */
export async function scan(
  namespaces: readonly Namespace[],
  { query, k, filter, signal }: Omit<Search, 'store' | 'namespace'>,
  metric: Metric,
): Promise<Found> {
  const comparable = namespaces.filter(({ dimension }) => dimension === query.length);
  const top = createTop<Candidate>(k);
  const score = scorer(query, filter, scorings[metric], top);
  const releases = comparable.map((namespace) => namespace.hold());
  const isShort = count(comparable) * query.length <= shortScan;
  let searched = 0;
  let sliceEnd = isShort ? performance.now() + sliceMs : 0;
  try {
    for (const namespace of comparable) {
      const end = namespace.rows.length;
      const step = Math.min(stride, namespace.mask + 1);
      for (let from = 0; from < end; from += step) {
        if (performance.now() > sliceEnd) {
          await takeTurn();
          signal.throwIfAborted();
          sliceEnd = performance.now() + sliceMs;
        }
        searched += score(namespace, from, Math.min(end, from + step));
      }
    }
  } finally {
    for (const release of releases) release();
  }
  const direction = scorings[metric].direction;
  return {
    matches: top.sorted().map(({ rank, item }) => toMatch(item, direction * rank)),
    searched,
    incomparable: count(namespaces) - count(comparable),
  };
}

/** Scores rows `from` to `to`, which lie in one block, and says how many passed the filter. */
function scorer(
  query: Float32Array,
  filter: Search['filter'],
  { kernel, score, direction }: Scoring,
  top: Top<Candidate>,
): (namespace: Namespace, from: number, to: number) => number {
  const passes = metadataTest(filter);
  const wide = Float64Array.from(query);
  const queryNorm = squaredNorm(query);
  const picked = new Int32Array(stride);
  const begins = new Int32Array(lanes);
  const sums = new Float64Array(lanes);
  return ({ name, dimension, rows, blocks, shift, mask }, from, to) => {
    const block = blocks[from >> shift];
    if (block === undefined) return 0;
    let found = 0;
    for (let at = from; at < to; at++) {
      const row = rows[at];
      if (row !== undefined && (passes === undefined || passes(row.metadata))) picked[found++] = at;
    }
    for (let first = 0; first < found; first += lanes) {
      const used = Math.min(lanes, found - first);
      // Lanes without a row of their own repeat the first; their sums are not read.
      for (let n = 0; n < lanes; n++)
        begins[n] = ((picked[n < used ? first + n : first] as number) & mask) * dimension;
      kernel(block.values, begins, wide, sums);
      for (let n = 0; n < used; n++) {
        const at = picked[first + n] as number;
        const rank = direction * score(sums[n] as number, block.norms[at & mask] as number, queryNorm);
        // Most are not good enough, and reading their row would cost more than comparing did.
        if (rank < top.bar) continue;
        const row = rows[at] as Row;
        top.offer(rank, row.order, { row, namespace: name });
      }
    }
    return found;
  };
}

function toMatch({ row, namespace }: Candidate, score: number): Match {
  // Adding 0 turns a negative zero into zero.
  return { id: row.id, namespace, score: score + 0, metadata: row.metadata };
}

const count = (namespaces: readonly Namespace[]): number =>
  namespaces.reduce((sum, { size }) => sum + size, 0);
