import type { Failure, StoredDocument } from '../store/catalog.ts';
import type { DocumentStore } from '../store/document-store.ts';
import { StorageError } from '../store/errors.ts';
import type { IndexingJob } from './job.ts';
import type { WorkerThread } from './worker-thread.ts';

/** Brings waiting documents to `ready` or `failed`, one at a time, in the order they came. */
export interface Indexer {
  /** Looks for work: what was just stored, what a dead process left, what an older version indexed. */
  wake(): void;
  /** Whether this or another process is indexing the document. */
  isBusyWith(id: string): boolean;
  close(): Promise<void>;
}

const RETRY_AFTER_MS = 30_000;

export function createIndexer(store: DocumentStore, thread: WorkerThread): Indexer {
  let running: Promise<void> | undefined;
  let current: string | undefined;
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
    for (let document = closed ? undefined : next(); document; document = closed ? undefined : next()) {
      current = document.id;
      try {
        await index(document);
      } catch (error) {
        setbacks.set(document.id, Date.now());
        const message = error instanceof StorageError ? error.message : 'indexing failed unexpectedly';
        store.note(document.id, failure('storage', message));
      } finally {
        store.release(document.id);
        current = undefined;
      }
    }
  }

  async function index({ id, head, segment }: StoredDocument): Promise<void> {
    const job: IndexingJob = segment
      ? { kind: 'reindex', path: segment.path }
      : { kind: 'index', path: store.sourcePath(id) };
    const outcome = await thread.run(job, head.byteSize);
    if (closed) return;
    if ('segment' in outcome) await store.commit(id, outcome.segment);
    else if (segment) setbacks.set(id, Date.now());
    else await store.fail(id, failure(outcome.code, outcome.message));
  }

  return {
    wake() {
      stale = true;
      if (closed || running) return;
      running = work().finally(() => {
        running = undefined;
      });
    },
    isBusyWith: (id) => id === current || store.isClaimed(id),
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
