/** The best `k` of any number of items, in memory for `k`: a binary heap whose root is the worst one kept. */
export interface Top<T> {
  /** A lower rank than this need not be offered. */
  readonly bar: number;
  /** Of equal ranks the lower `order` is better. */
  offer(rank: number, order: number, item: T): void;
  /** Best first. */
  sorted(): { rank: number; item: T }[];
}

interface Entry<T> {
  readonly rank: number;
  readonly order: number;
  readonly item: T;
}

export function createTop<T>(k: number): Top<T> {
  const heap: Entry<T>[] = [];
  let bar = Number.NEGATIVE_INFINITY;
  const at = (index: number): Entry<T> => heap[index] as Entry<T>;

  function siftUp(entry: Entry<T>): void {
    let index = heap.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isWorse(entry, at(parent))) break;
      heap[index] = at(parent);
      index = parent;
    }
    heap[index] = entry;
  }

  function replaceRoot(entry: Entry<T>): void {
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isWorse(at(child + 1), at(child))) child++;
      if (!isWorse(at(child), entry)) break;
      heap[index] = at(child);
      index = child;
    }
    heap[index] = entry;
  }

  return {
    get bar() {
      return bar;
    },
    offer(rank, order, item) {
      const entry = { rank, order, item };
      if (heap.length < k) siftUp(entry);
      else if (isWorse(at(0), entry)) replaceRoot(entry);
      if (heap.length === k) bar = at(0).rank;
    },
    sorted: () => [...heap].sort((a, b) => (isWorse(a, b) ? 1 : -1)),
  };
}

function isWorse<T>(a: Entry<T>, b: Entry<T>): boolean {
  return a.rank < b.rank || (a.rank === b.rank && a.order > b.order);
}
