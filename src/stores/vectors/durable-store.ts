import { rmdir } from 'node:fs/promises';
import { makeFolder } from '../../make-folder.ts';
import { type FileLock, isCode } from './file-lock.ts';
import { type Entry, encodeDelete, encodeHeader, encodePut, putSize } from './log-format.ts';
import { createQueue } from './queue.ts';
import {
  appendLog,
  findLog,
  type LogFile,
  nextLogFile,
  readLog,
  removeFiles,
  stateOf,
  writeLog,
} from './store-log.ts';
import type { StoredVector, Table } from './table.ts';
import { VectorRefusal } from './vector-stores.ts';
import { createWriteQueue, type Pending } from './write-queue.ts';

/** A log is written anew when more than half of it, and at least this much, is no longer worth anything. */
const minWaste = 1024 ** 2;

/** One store: a log on disk, and the table that was read from it. Other processes may write to the log as well. */
export interface DurableStore {
  /** Whether there is a log. */
  readonly exists: boolean;
  /** The table as of now, other processes' writes included. */
  current(): Promise<Table>;
  /** Both return once the change is on disk. */
  add(vector: StoredVector): Promise<'added' | 'updated'>;
  delete(namespace: string, id: string): Promise<boolean>;
  /** Forgets the table; the log stays. */
  release(): void;
  /** Once nothing is being written any more. */
  finished(): Promise<void>;
}

export interface DurableStoreOptions {
  readonly folder: string;
  /** Of the log: fit for a file name. */
  readonly name: string;
  /** Shared by everything in the folder. */
  readonly lock: FileLock;
  readonly table: Table;
  /** Refuses when the store must not come into being. */
  readonly admitNew: () => Promise<void>;
  readonly room: (bytes: number) => void;
  readonly warn: (event: string, fields: Record<string, string | number>) => void;
}

export function createDurableStore(options: DurableStoreOptions): DurableStore {
  const { folder, name, lock, table, admitNew, room, warn } = options;
  const inTurn = createQueue();
  const { change, finished } = createWriteQueue(
    (batch) => lock.run(() => inTurn(() => orForget(() => commit(batch)))).catch(unsaved),
    async () => {
      if (isWasteful())
        await lock.run(compact).catch((error: unknown) => warnOf('vector_log_not_compacted', error));
    },
  );
  let file: LogFile | undefined;
  /** Where the log is whole up to, and how much of that is vectors that still exist. */
  let [end, live] = [0, 0];
  /** Version of a file beyond whose `end` there is nothing but damage. */
  let settled = '';

  function warnOf(event: string, error: unknown): void {
    warn(event, {
      log: name,
      code: error instanceof Error && 'code' in error ? String(error.code) : 'unknown',
    });
  }

  function forget(): void {
    table.release();
    [file, end, live, settled] = [undefined, 0, 0, ''];
  }

  /** Reads what is new on disk; false when something is there that can only be judged under the lock. */
  async function refresh(isLocked: boolean): Promise<boolean> {
    if (isLocked) await tidy();
    let state = file && (await stateOf(file.path));
    if (state === undefined || state.size < end) {
      forget();
      file = (await findLog(folder, name)).newest;
      state = file && (await stateOf(file.path));
    }
    if (file === undefined || state === undefined) return true;
    if (state.size === end || state.version === settled) return true;
    const read = await readLog(file.path, { from: end, acrossDamage: isLocked, onRecord: apply, room });
    end = read.end;
    if (!isLocked) return end >= state.size;
    const lost = read.skippedBytes + Math.max(0, state.size - end);
    if (lost > 0) warn('vector_log_damaged', { log: name, bytes: lost });
    settled = state.version;
    return true;
  }

  /** What a process left that died while it wrote a new generation; the old one must not be written to any more. */
  async function tidy(): Promise<void> {
    const { newest, leftovers } = await findLog(folder, name);
    await removeFiles(leftovers);
    if (newest?.path === file?.path) return;
    forget();
    file = newest;
  }

  function apply(entry: Entry, bytes: number): void {
    if (entry.kind === 'header') return;
    outdate(entry);
    if (entry.kind === 'delete') return void table.delete(entry.namespace, entry.id);
    try {
      table.restore(entry);
      live += bytes;
    } catch (error) {
      // After damage: the records that made room for another dimension are gone.
      if (!(error instanceof VectorRefusal)) throw error;
      warn('vector_log_damaged', { log: name, bytes });
    }
  }

  /** What is about to be replaced or deleted is no longer worth its place in the log. */
  function outdate({ namespace, id }: { namespace: string; id: string }): void {
    const old = table.find(namespace, id);
    if (old !== undefined) live -= putSize({ namespace, id, metadata: old.metadata }, old.dimension);
  }

  /** Whatever fails half-way is forgotten, and read again when it is next needed. */
  function orForget<T>(work: () => Promise<T>): Promise<T> {
    return work().catch((error: unknown) => {
      forget();
      throw error;
    });
  }

  /** Makes the changes that are not refused, and returns those once they are on disk. */
  async function commit(batch: readonly Pending[]): Promise<readonly Pending[]> {
    await refresh(true);
    const made: Pending[] = [];
    const records: Buffer[] = [];
    for (const pending of batch) {
      try {
        const record = pending.make();
        if (record !== undefined) records.push(record);
        made.push(pending);
      } catch (error) {
        pending.fail(error);
      }
    }
    if (records.length > 0) await save(records);
    return made;
  }

  async function save(records: Buffer[]): Promise<void> {
    if (file === undefined) await admitNew();
    makeFolder(folder);
    file ??= nextLogFile(folder, name, undefined);
    if (table.isEmpty) return await removeLog(file);
    end = await appendLog(file.path, end, end === 0 ? [encodeHeader(), ...records] : records);
  }

  function unsaved(error: unknown): never {
    if (error instanceof VectorRefusal) throw error;
    warnOf('vector_log_not_written', error);
    throw new VectorRefusal('The change could not be saved on the server; nothing was changed', {
      cause: error,
    });
  }

  /** A store without vectors does not exist. */
  async function removeLog({ path }: LogFile): Promise<void> {
    await removeFiles([...(await findLog(folder, name)).leftovers, path]);
    await rmdir(folder).catch(() => undefined);
    forget();
  }

  const isWasteful = () => end > 2 * live + minWaste;

  /** Writes the vectors that still exist into a new generation. Reads go on meanwhile; nobody writes, for the lock is held. */
  async function compact(): Promise<void> {
    await inTurn(() => orForget(() => refresh(true)));
    if (!isWasteful()) return;
    const old = file;
    // Taken before anything is awaited: the table may be given up at any time.
    const vectors = table.all();
    const next = nextLogFile(folder, name, old);
    const size = await writeLog(next.path, records(vectors));
    await inTurn(async () => {
      // Unless the table was given up meanwhile: then it will be read from the new generation.
      if (file === old) [file, end, live] = [next, size, size];
    });
    await tidy();
  }

  async function current(): Promise<Table> {
    const isCurrent = await inTurn(() => orForget(() => refresh(false))).catch((error: unknown) => {
      // Another process has just replaced the log.
      if (isCode(error, 'ENOENT')) return false;
      throw error;
    });
    if (!isCurrent) await lock.run(() => inTurn(() => orForget(() => refresh(true))));
    return table;
  }

  return {
    get exists() {
      return file !== undefined;
    },
    current,
    add: (vector) =>
      change(() => {
        const old = table.find(vector.namespace, vector.id);
        const result = table.add(vector);
        if (old !== undefined) live -= putSize({ ...vector, metadata: old.metadata }, old.dimension);
        const record = encodePut(vector);
        live += record.length;
        return { result, record };
      }),
    async delete(namespace, id) {
      if ((await current()).find(namespace, id) === undefined) return false;
      return change(() => {
        outdate({ namespace, id });
        const result = table.delete(namespace, id);
        return { result, record: result ? encodeDelete(namespace, id) : undefined };
      });
    },
    release: forget,
    finished,
  };
}

function* records(vectors: Iterable<StoredVector>): Iterable<Buffer> {
  yield encodeHeader();
  for (const vector of vectors) yield encodePut(vector);
}
