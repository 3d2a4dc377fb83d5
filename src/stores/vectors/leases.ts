/** Things that are made when first used, and can be let go of while nobody uses them; least recently used first. */
export interface Leases<T> {
  /** The thing under `key` stays for as long as `work` runs. */
  use<R>(key: string, work: (item: T) => Promise<R>): Promise<R>;
  /** Lets go of the one that has been idle for longest; false when all are in use. */
  dropIdle(): boolean;
  all(): readonly T[];
}

interface Lease<T> {
  readonly item: T;
  users: number;
}

/** `isWorthless` says that a thing need not be kept once idle; `onDrop` hears of every one that is let go of. */
export function createLeases<T>(
  make: (key: string) => T,
  isWorthless: (item: T) => boolean,
  onDrop: (item: T) => void,
): Leases<T> {
  const leases = new Map<string, Lease<T>>();

  function drop(key: string, { item }: Lease<T>): void {
    leases.delete(key);
    onDrop(item);
  }

  return {
    async use(key, work) {
      const lease = leases.get(key) ?? { item: make(key), users: 0 };
      leases.delete(key);
      leases.set(key, lease);
      lease.users++;
      try {
        return await work(lease.item);
      } finally {
        lease.users--;
        if (lease.users === 0 && isWorthless(lease.item)) drop(key, lease);
      }
    },
    dropIdle() {
      for (const [key, lease] of leases) {
        if (lease.users > 0) continue;
        drop(key, lease);
        return true;
      }
      return false;
    },
    all: () => [...leases.values()].map(({ item }) => item),
  };
}
