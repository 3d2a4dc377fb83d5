import { DamagedFile, errorCode } from '../store/errors.ts';
import { Refused } from './answers.ts';
import type { Engine } from './documents.ts';

/**
 * Reads from a document's segment. Deleted meanwhile, it is not found; damaged, it is set aside and indexed again from what
 * was sent, and the answer says so.
 */
export function readingDocument<T>({ store, indexer }: Engine, id: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw new Refused(404, 'document not found');
    if (!(error instanceof DamagedFile)) throw error;
    store.dropDamaged(id, error);
    indexer.wake();
    throw new Refused(
      500,
      `the stored index of ${id} is damaged; it is being rebuilt, ask again in a moment`,
    );
  }
}
