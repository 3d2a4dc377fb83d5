import { createRoutes } from './http/routes.ts';
import { createIndexer } from './indexing/indexer.ts';
import { createWorkerThread, DEFAULT_LIMITS, type IndexingLimits } from './indexing/worker-thread.ts';
import { openDocumentStore } from './store/document-store.ts';

export type { IndexingLimits } from './indexing/worker-thread.ts';

export interface LocalEngineOptions {
  /** Folder that holds the documents; created when missing. */
  readonly dir: string;
  /** Largest request body, in bytes. Default 64 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * So much of the indexes is read and checked when the folder is opened, which is all of most folders. In a larger one the
   * rest waits until it is asked about: a million sections have a gigabyte of index, and nobody asks all of them. Default 48 MiB.
   */
  readonly readAheadBytes?: number | undefined;
  /** What reading one document may take. */
  readonly limits?: Partial<IndexingLimits> | undefined;
  /** Told of damaged files and the like, in a sentence without document text. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

export interface LocalEngine {
  /** Answers `/v1` requests as a Vectorless server does. */
  fetch(request: Request): Promise<Response>;
  /** Stops indexing; what is unfinished is taken up by the next engine on the folder. */
  close(): Promise<void>;
}

const DEFAULT_BODY_BYTES = 64 * 2 ** 20;
const DEFAULT_READ_AHEAD_BYTES = 48 * 2 ** 20;

/** Opens the documents of a folder. Several engines, also in several processes, may share one folder. */
export function createLocalEngine(options: LocalEngineOptions): LocalEngine {
  const warn = options.onWarning ?? (() => undefined);
  const store = openDocumentStore(options.dir, options.readAheadBytes ?? DEFAULT_READ_AHEAD_BYTES, warn);
  const thread = createWorkerThread({ ...DEFAULT_LIMITS, ...options.limits });
  const indexer = createIndexer(store, thread);
  const route = createRoutes({
    store,
    indexer,
    warn,
    maxBodyBytes: options.maxBodyBytes ?? DEFAULT_BODY_BYTES,
  });
  store.refresh();
  indexer.wake();

  return {
    async fetch(request) {
      const { signal } = request;
      signal.throwIfAborted();
      return route(request);
    },
    close: () => indexer.close(),
  };
}
