import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createDurableStore, type DurableStore } from './durable-store.ts';
import { createFileLock } from './file-lock.ts';
import { createLeases, type Leases } from './leases.ts';
import { type Account, createOwnerAccount, createTotal, type VectorLimits } from './limits.ts';
import { tooManyOwners, tooManyStores } from './memory-stores.ts';
import { listLogs } from './store-log.ts';
import { createTable } from './table.ts';
import { type Metric, type OwnedStores, VectorRefusal, type VectorStores } from './vector-stores.ts';

export interface DurableStoresOptions {
  /** Created when the first vector is added. */
  readonly dir: string;
  readonly metric: Metric;
  readonly limits: VectorLimits;
  readonly warn: (event: string, fields: Record<string, string | number>) => void;
}

/** One owner whose stores are in memory. */
interface Owner {
  readonly account: Account;
  readonly stores: Leases<DurableStore>;
  /** Reads all stores once: what an owner may add depends on what is there. */
  load(): Promise<void>;
}

/**
 * Stores that outlive the process: each is answered from memory, as `createMemoryStores` does, and every change is in a
 * log on disk before it is acknowledged. Several processes may use one folder. Owners that have been idle for longest
 * leave memory when it gets short; their next call reads their logs again.
 */
export function createDurableStores({ dir, metric, limits, warn }: DurableStoresOptions): VectorStores {
  const total = createTotal(limits, () => owners.dropIdle());
  const owners = createLeases(createOwner, ({ account }) => account.used.vectors === 0, release);

  function createOwner(key: string): Owner {
    const folder = join(dir, key);
    const lock = createFileLock(`${folder}.lock`);
    const account = createOwnerAccount(limits, total);
    const room = (bytes: number) => total.admit({ vectors: 0, raw: bytes, heap: 0 });
    const stores = createLeases(
      (name) =>
        createDurableStore({
          ...{ folder, name, lock, room, warn, table: createTable(account, limits) },
          admitNew: () => admitNew(dir, key, limits),
        }),
      (store) => !store.exists,
      (store) => store.release(),
    );
    let loaded: Promise<void> | undefined;
    async function load(): Promise<void> {
      for (const name of await listLogs(folder)) {
        // Whoever asks for a store that cannot be read is told why; the others are not held up.
        await stores
          .use(name, (store) => store.current())
          .catch(() => warn('vector_log_unreadable', { log: name }));
      }
    }
    return { account, stores, load: () => (loaded ??= load()) };
  }

  /** What the file system refuses is nothing that the caller can put right, but they must hear of it. */
  function unusable(error: unknown): never {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error;
    warn('vector_folder_unusable', { code: String(error.code) });
    throw new VectorRefusal(
      'The folder for vectors cannot be used; whoever runs this server should look at its log',
      {
        cause: error,
      },
    );
  }

  function stores(id: string): OwnedStores {
    const owned = <T>(store: string, work: (store: DurableStore) => Promise<T>): Promise<T> =>
      owners
        .use(fingerprint(id), async (owner) => {
          await owner.load();
          return owner.stores.use(fingerprint(store), work);
        })
        .catch(unusable);
    return {
      add: ({ store, ...vector }) => owned(store, (found) => found.add(vector)),
      delete: ({ store, namespace, id: vector }) => owned(store, (found) => found.delete(namespace, vector)),
      search: ({ store, ...search }) =>
        owned(store, async (found) => (await found.current()).search(search, metric)),
      count: ({ store, namespace }) =>
        owned(store, async (found) => (await found.current()).count(namespace)),
    };
  }

  return {
    of: stores,
    // What was acknowledged is on disk: whoever cannot wait loses nothing.
    async close() {
      await Promise.all(owners.all().flatMap((owner) => owner.stores.all().map((store) => store.finished())));
    },
  };
}

function release({ stores }: Owner): void {
  while (stores.dropIdle());
}

async function admitNew(dir: string, owner: string, limits: VectorLimits): Promise<void> {
  const logs = await listLogs(join(dir, owner));
  if (logs.length >= limits.storesPerOwner) throw tooManyStores(limits);
  if (logs.length > 0) return;
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  if (entries.filter((entry) => entry.isDirectory()).length >= limits.owners) throw tooManyOwners(limits);
}

/** A name for files and folders: whatever the text, it says nothing and can do no harm as a path. */
function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
