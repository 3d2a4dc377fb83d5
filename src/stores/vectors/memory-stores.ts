import { type Account, createOwnerAccount, createTotal, type VectorLimits } from './limits.ts';
import { createTable, type Table } from './table.ts';
import { type Metric, type OwnedStores, VectorRefusal, type VectorStores } from './vector-stores.ts';

interface Owner {
  readonly account: Account;
  readonly tables: Map<string, Table>;
}

/** Stores that live as long as the process. */
export function createMemoryStores(metric: Metric, limits: VectorLimits): VectorStores {
  const owners = new Map<string, Owner>();
  const total = createTotal(limits);

  function ownerFor(id: string): Owner {
    const found = owners.get(id);
    if (found !== undefined) return found;
    if (owners.size >= limits.owners) throw tooManyOwners(limits);
    return { account: createOwnerAccount(limits, total), tables: new Map() };
  }

  function tableFor({ account, tables }: Owner, store: string): Table {
    const found = tables.get(store);
    if (found !== undefined) return found;
    if (tables.size >= limits.storesPerOwner) throw tooManyStores(limits);
    return createTable(account, limits);
  }

  function stores(id: string): OwnedStores {
    const existing = (store: string) => owners.get(id)?.tables.get(store);
    return {
      async add({ store, ...vector }) {
        const owner = ownerFor(id);
        const table = tableFor(owner, store);
        const status = table.add(vector);
        // Only now: a refused vector leaves neither a store nor an owner behind.
        owner.tables.set(store, table);
        owners.set(id, owner);
        return status;
      },
      async delete({ store, namespace, id: vector }) {
        const table = existing(store);
        const deleted = table?.delete(namespace, vector) ?? false;
        if (table?.isEmpty) owners.get(id)?.tables.delete(store);
        if (owners.get(id)?.tables.size === 0) owners.delete(id);
        return deleted;
      },
      async search({ store, ...search }) {
        return existing(store)?.search(search, metric) ?? { matches: [], searched: 0, incomparable: 0 };
      },
      count: async ({ store, namespace }) => existing(store)?.count(namespace) ?? 0,
    };
  }

  return {
    of: stores,
    close: async () => owners.clear(),
  };
}

export function tooManyOwners(limits: VectorLimits): VectorRefusal {
  return new VectorRefusal(
    `This service keeps vectors for ${limits.owners} callers, the most allowed; ask whoever runs it`,
  );
}

export function tooManyStores(limits: VectorLimits): VectorRefusal {
  return new VectorRefusal(
    `You have ${limits.storesPerOwner} stores, the most allowed; use one of them, or a namespace`,
  );
}
