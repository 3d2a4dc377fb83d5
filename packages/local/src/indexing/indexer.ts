import type { Failure, StoredDocument } from '../store/catalog.ts';
import type { DocumentStore } from '../store/document-store.ts';
import { StorageError } from '../store/errors.ts';
import type { IndexingJob, IndexingOutcome } from './job.ts';
import type { WorkerThread } from './worker-thread.ts';

/** Brings waiting documents to `ready` or `failed`: reads one at a time, in the order they came. */
export interface Indexer {
  /** Looks for work: what was just stored, what a dead process left, what an older version indexed. */
  wake(): void;
  /** Whether this or another process is indexing the document. */
  isBusyWith(id: string): boolean;
  close(): Promise<void>;
}

const RETRY_AFTER_MS = 30_000;
/** Documents that are being written while the next one is read: a slow disk need not hold the reader up. */
const MAX_SAVING = 4;

export function createIndexer(store: DocumentStore, thread: WorkerThread): Indexer {
  let running: Promise<void> | undefined;
  let closed = false;
  let stale = true;
  let queue: string[] = [];
  /** When something last went wrong that is not the document's fault, such as a full disk. */
  const setbacks = new Map<string, number>();

  function needsWork(id: string): boolean {
    const document = store.get(id);
    if (!document || Date.now() - (setbacks.get(id) ?? 0) < RETRY_AFTER_MS) return false;
    return document.segment
      ? document.segment.outdated
      : !document.failure || document.failure.code === 'storage';
  }

  /** The next document that is ours to index: waiting ones before those that an older analyser indexed. */
  function next(): StoredDocument | undefined {
    for (;;) {
      if (queue.length === 0 && stale) {
        stale = false;
        queue = store
          .all()
          .filter(({ id }) => needsWork(id))
          .sort(
            (a, b) =>
              Number(!!a.segment) - Number(!!b.segment) || a.head.createdAt.localeCompare(b.head.createdAt),
          )
          .map(({ id }) => id);
      }
      const id = queue.shift();
      if (id === undefined) return undefined;
      if (!needsWork(id) || !store.claim(id)) continue;
      // Between our last look and the claim another process may have finished it.
      store.refresh();
      const document = store.get(id);
      if (document && needsWork(id)) return document;
      store.release(id);
    }
  }

  async function work(): Promise<void> {
    const saving = new Set<Promise<void>>();
    while (!closed) {
      const document = next();
      if (document) {
        const reading = read(document);
        const saved = save(document, reading).finally(() => saving.delete(saved));
        saving.add(saved);
        // What goes wrong is dealt with where it is saved.
        await reading.catch(() => undefined);
      } else if (saving.size === 0) return;
      // More may have come in meanwhile.
      if (!document || saving.size >= MAX_SAVING) await Promise.race(saving);
    }
    await Promise.all(saving);
  }

  async function read({ id, head, segment }: StoredDocument): Promise<IndexingOutcome> {
    const job: IndexingJob = segment
      ? { kind: 'reindex', path: segment.path }
      : { kind: 'index', path: store.sourcePath(id) };
    return thread.run(job, head.byteSize);
  }

  async function save({ id, segment }: StoredDocument, reading: Promise<IndexingOutcome>): Promise<void> {
    try {
      const outcome = await reading;
      if (closed) return;
      if ('segment' in outcome) await store.commit(id, outcome.segment);
      else if (segment) setbacks.set(id, Date.now());
      else await store.fail(id, failure(outcome.code, outcome.message));
    } catch (error) {
      setbacks.set(id, Date.now());
      const message = error instanceof StorageError ? error.message : 'indexing failed unexpectedly';
      store.note(id, failure('storage', message));
    } finally {
      store.release(id);
    }
  }

  function wake(): void {
    stale = true;
    if (closed || running) return;
    running = work().finally(() => {
      running = undefined;
      // Woken just as the last look had found nothing.
      if (stale) wake();
    });
  }

  return {
    wake,
    isBusyWith: (id) => store.isClaimed(id),
    async close() {
      closed = true;
      await thread.close();
      await running;
    },
  };
}

function failure(code: Failure['code'], message: string): Failure {
  return { code, message, at: new Date().toISOString() };
}
