import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { VectorRefusal } from './vector-stores.ts';

export const maxDimension = 16_384;
export const maxIdLength = 512;
export const maxNameLength = 128;
export const maxMetadataBytes = 64 * 1024;

/** What keeps one owner, and all of them together, from exhausting the process. */
export interface VectorLimits {
  readonly owners: number;
  readonly storesPerOwner: number;
  readonly namespacesPerStore: number;
  readonly vectorsPerOwner: number;
  /** Everything: numbers, ids, metadata, bookkeeping. */
  readonly bytesPerOwner: number;
  readonly bytesInTotal: number;
  /** The part on V8's own heap, which has a lower limit than the machine's memory: ids and metadata. */
  readonly heapBytesPerOwner: number;
  readonly heapBytesInTotal: number;
}

/** A quarter of the memory that the process may use, at most 2 GiB; where owners share the process, a quarter of that each. */
export function limitsFor(machine: { memory: number; heap: number }, shared: boolean): VectorLimits {
  const bytesInTotal = Math.min(2 * 1024 ** 3, Math.floor(machine.memory / 4));
  const heapBytesInTotal = Math.min(bytesInTotal, Math.floor(machine.heap / 4));
  const share = shared ? 4 : 1;
  return {
    owners: 1000,
    storesPerOwner: 64,
    namespacesPerStore: 1000,
    vectorsPerOwner: 1_000_000,
    bytesPerOwner: Math.floor(bytesInTotal / share),
    bytesInTotal,
    heapBytesPerOwner: Math.floor(heapBytesInTotal / share),
    heapBytesInTotal,
  };
}

/** What this process may use: a container's limit counts, not the machine behind it. */
export function machineMemory(): { memory: number; heap: number } {
  const constrained = process.constrainedMemory?.() ?? 0;
  const memory = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return { memory, heap: getHeapStatistics().heap_size_limit };
}

/** What something takes. */
export interface Cost {
  readonly vectors: number;
  /** Bytes of numbers, which lie off V8's heap. */
  readonly raw: number;
  /** Bytes of ids, metadata and bookkeeping, estimated from above. */
  readonly heap: number;
}

export const nothing: Cost = { vectors: 0, raw: 0, heap: 0 };
export const plus = (a: Cost, b: Cost): Cost => ({
  vectors: a.vectors + b.vectors,
  raw: a.raw + b.raw,
  heap: a.heap + b.heap,
});
export const minus = (a: Cost, b: Cost): Cost => plus(a, { vectors: -b.vectors, raw: -b.raw, heap: -b.heap });
const bytes = (cost: Cost): number => cost.raw + cost.heap;

/** Keeps count for one owner, or for all. */
export interface Account {
  readonly used: Cost;
  /** @throws {VectorRefusal} when `more` would pass a limit; charges nothing. */
  admit(more: Cost): void;
  /** Counts what was taken; a negative cost gives back. */
  charge(cost: Cost): void;
}

/** `makeRoom` is asked for as long as a limit would be passed; false when it has nothing left to give. */
export function createTotal(limits: VectorLimits, makeRoom: () => boolean = () => false): Account {
  const fits = (cost: Cost) => cost.heap <= limits.heapBytesInTotal && bytes(cost) <= limits.bytesInTotal;
  const total = account((_after, more) => {
    while (!fits(plus(total.used, more))) {
      if (makeRoom()) continue;
      throw new VectorRefusal(
        'This service has no memory left for vectors of any caller; delete vectors you no longer need, or try again later',
      );
    }
  });
  return total;
}

export function createOwnerAccount(limits: VectorLimits, total: Account): Account {
  return account((after, more) => {
    if (more.vectors > 0 && after.vectors > limits.vectorsPerOwner) {
      throw new VectorRefusal(
        `You have ${limits.vectorsPerOwner} vectors, the most allowed; delete some first`,
      );
    }
    if (after.heap > limits.heapBytesPerOwner) {
      throw new VectorRefusal(
        `Ids and metadata of your vectors would pass the ${megabytes(limits.heapBytesPerOwner)} MB allowed; delete vectors or store less metadata`,
      );
    }
    if (bytes(after) > limits.bytesPerOwner) {
      throw new VectorRefusal(
        `Your vectors would pass the ${megabytes(limits.bytesPerOwner)} MB allowed; delete some first`,
      );
    }
  }, total);
}

function account(check: (after: Cost, more: Cost) => void, parent?: Account): Account {
  let used = nothing;
  return {
    get used() {
      return used;
    },
    admit(more) {
      // A change that takes nothing more is always let through: an account may be over a limit that was lowered.
      if (bytes(more) > 0) check(plus(used, more), more);
      parent?.admit(more);
    },
    charge(cost) {
      used = plus(used, cost);
      parent?.charge(cost);
    },
  };
}

const megabytes = (count: number): number => Math.max(1, Math.round(count / 1024 ** 2));
