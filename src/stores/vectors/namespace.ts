import type { Cost } from './limits.ts';
import { heapCost, type Metadata, stringCost } from './metadata.ts';
import { squaredNorm } from './metric.ts';

const maxBlockBytes = 1024 ** 2;
const maxBlockRows = 4096;

/** Beside its numbers, its id and its metadata: the row object, its slots in the list and in the map. */
const rowHeap = 160;
/** The object itself, its lists and its map, while still empty. */
const emptyHeap = 2048;

/** A run of rows in one contiguous array. */
export interface Block {
  values: Float32Array;
  /** Squared, by row. */
  norms: Float64Array;
}

export interface Row {
  readonly id: string;
  /** Position in the store's order of insertion. */
  readonly order: number;
  readonly metadata: Metadata;
}

/**
 * The vectors of one namespace. Row `i` is row `i & mask` of block `i >> shift`: blocks of at most 1 MiB, so that growing
 * never copies more than that and never takes twice the memory.
 */
export interface Namespace {
  readonly name: string;
  readonly dimension: number;
  /** Vectors in it. */
  readonly size: number;
  /** As allocated, not as used. */
  readonly cost: Cost;
  readonly shift: number;
  readonly mask: number;
  readonly blocks: readonly Block[];
  /** Holes are undefined: rows that were deleted while a scan ran. */
  readonly rows: readonly (Row | undefined)[];
  get(id: string): Row | undefined;
  /** What `put` would add to `cost`. */
  costOfPut(id: string, metadata: Metadata): Cost;
  put(row: Row, embedding: Float32Array): void;
  delete(id: string): boolean;
  /** Until the returned function is called rows stay where they are, so that a scan that pauses misses none. */
  hold(): () => void;
}

export function createNamespace(name: string, dimension: number): Namespace {
  const shift = Math.floor(Math.log2(Math.max(1, Math.min(maxBlockRows, maxBlockBytes / (4 * dimension)))));
  const blockRows = 2 ** shift;
  const mask = blockRows - 1;
  const rowBytes = 4 * dimension + 8;
  const blocks: Block[] = [];
  const rows: (Row | undefined)[] = [];
  const index = new Map<string, number>();
  const holes: number[] = [];
  let [capacity, heap, holders] = [0, emptyHeap, 0];

  function get(id: string): Row | undefined {
    const at = index.get(id);
    return at === undefined ? undefined : rows[at];
  }

  /** Small namespaces double inside their first block; from then on one block at a time is added. */
  function grownCapacity(): number {
    if (rows.length < capacity || holes.length > 0) return capacity;
    return capacity < blockRows ? Math.min(blockRows, Math.max(4, 2 * capacity)) : capacity + blockRows;
  }

  function grow(): void {
    const wanted = grownCapacity();
    if (wanted === capacity) return;
    const size = Math.min(wanted, blockRows);
    const added: Block = { values: new Float32Array(size * dimension), norms: new Float64Array(size) };
    const first = blocks[0];
    if (first !== undefined && capacity < blockRows) {
      added.values.set(first.values);
      added.norms.set(first.norms);
      blocks[0] = added;
    } else blocks.push(added);
    capacity = wanted;
  }

  function write(at: number, row: Row, embedding: Float32Array): void {
    const block = blocks[at >> shift] as Block;
    block.values.set(embedding, (at & mask) * dimension);
    block.norms[at & mask] = squaredNorm(embedding);
    rows[at] = row;
    index.set(row.id, at);
    heap += heapOf(row.id, row.metadata);
  }

  /** Moves the last row into a hole, and lets go of a block that this leaves empty. */
  function fill(hole: number): void {
    while (rows.length > 0 && rows[rows.length - 1] === undefined) rows.pop();
    if (hole < rows.length) {
      const last = rows.length - 1;
      const row = rows.pop() as Row;
      const [from, to] = [blocks[last >> shift] as Block, blocks[hole >> shift] as Block];
      const start = (last & mask) * dimension;
      to.values.set(from.values.subarray(start, start + dimension), (hole & mask) * dimension);
      to.norms[hole & mask] = from.norms[last & mask] as number;
      rows[hole] = row;
      index.set(row.id, hole);
    }
    while (capacity - blockRows >= rows.length && blocks.length > 1) {
      blocks.pop();
      capacity -= blockRows;
    }
  }

  return {
    ...{ name, dimension, shift, mask, blocks, rows },
    get size() {
      return index.size;
    },
    get cost() {
      return { vectors: index.size, raw: capacity * rowBytes, heap };
    },
    get,
    costOfPut(id, metadata) {
      const known = get(id);
      if (known !== undefined) {
        return { vectors: 0, raw: 0, heap: heapOf(id, metadata) - heapOf(id, known.metadata) };
      }
      return { vectors: 1, raw: (grownCapacity() - capacity) * rowBytes, heap: heapOf(id, metadata) };
    },
    put(row, embedding) {
      const known = index.get(row.id);
      const old = known === undefined ? undefined : rows[known];
      if (old !== undefined) heap -= heapOf(old.id, old.metadata);
      else grow();
      write(known ?? holes.pop() ?? rows.length, row, embedding);
    },
    delete(id) {
      const at = index.get(id);
      const row = at === undefined ? undefined : rows[at];
      if (at === undefined || row === undefined) return false;
      index.delete(id);
      heap -= heapOf(id, row.metadata);
      rows[at] = undefined;
      if (holders > 0) holes.push(at);
      else fill(at);
      return true;
    },
    hold() {
      holders++;
      return () => {
        if (--holders > 0) return;
        for (const hole of holes.splice(0)) fill(hole);
      };
    },
  };
}

function heapOf(id: string, metadata: Metadata): number {
  return rowHeap + stringCost(id) + heapCost(metadata);
}
