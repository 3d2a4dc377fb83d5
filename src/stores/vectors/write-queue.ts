/** Changes that are saved together: one lock, one write, one sync. */
const maxBatch = 256;

/** A change that waits for its turn. */
export interface Pending {
  /** Makes the change in memory; the record that says so on disk, if it changed anything. */
  make(): Buffer | undefined;
  /** It is on disk. */
  done(): void;
  fail(error: unknown): void;
}

export interface WriteQueue {
  /** Resolves once the change is on disk. */
  change<T>(make: () => { result: T; record: Buffer | undefined }): Promise<T>;
  /** Once nothing is being written any more. */
  finished(): Promise<void>;
}

/** `save` makes and saves a batch, and returns what was not refused; `afterwards` may take its time. */
export function createWriteQueue(
  save: (batch: readonly Pending[]) => Promise<readonly Pending[]>,
  afterwards: () => Promise<void>,
): WriteQueue {
  const waiting: Pending[] = [];
  let draining: Promise<void> | undefined;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxBatch);
      try {
        for (const pending of await save(batch)) pending.done();
      } catch (error) {
        for (const pending of batch) pending.fail(error);
      }
      await afterwards();
    }
    draining = undefined;
  }

  return {
    change: (make) =>
      new Promise((resolve, reject) => {
        waiting.push(pendingOf(make, resolve, reject));
        draining ??= drain();
      }),
    async finished() {
      await draining;
    },
  };
}

function pendingOf<T>(
  make: () => { result: T; record: Buffer | undefined },
  resolve: (result: T) => void,
  fail: (error: unknown) => void,
): Pending {
  let done = () => fail(new Error('a change was acknowledged before it was made'));
  return {
    make() {
      const { result, record } = make();
      done = () => resolve(result);
      return record;
    },
    done: () => done(),
    fail,
  };
}
