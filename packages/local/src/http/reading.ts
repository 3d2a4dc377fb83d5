import type { Hit } from '../ranking/search.ts';
import { DamagedFile, errorCode, errorPath } from '../store/errors.ts';
import type { Segment } from '../store/segment-reader.ts';
import { Refused } from './answers.ts';
import type { Engine } from './documents.ts';

/**
 * Reads from a document's segment. Another process may have replaced it since we looked: then from what is there now.
 * Deleted meanwhile, it is not found; damaged, it is set aside and indexed again from what was sent, and the answer says so.
 */
export function readingDocument<T>({ store, indexer }: Engine, id: string, read: (segment: Segment) => T): T {
  for (let isFirst = true; ; isFirst = false) {
    const segment = store.get(id)?.segment;
    if (!segment) throw new Refused(404, 'document not found');
    try {
      return read(segment);
    } catch (error) {
      const isGone = errorCode(error) === 'ENOENT';
      if (isGone && isFirst) store.refresh();
      else if (isGone) throw new Refused(404, 'document not found');
      else if (error instanceof DamagedFile) throw setAside(id, error);
      else throw error;
    }
  }

  function setAside(damaged: string, error: DamagedFile): Refused {
    store.dropDamaged(damaged, error);
    indexer.wake();
    return new Refused(
      500,
      `the stored index of ${damaged} is damaged; it is being rebuilt, ask again in a moment`,
    );
  }
}

/** Searches documents by id. One that cannot be read is taken out of `segments`, told to `refuse`, and stops nothing. */
export function searchingDocuments(
  engine: Engine,
  segments: Map<string, Segment>,
  find: (segments: readonly Segment[]) => Hit[],
  refuse: (id: string, reason: string) => void,
): Hit[] {
  for (;;) {
    try {
      return find([...segments.values()]);
    } catch (error) {
      const path = errorPath(error);
      const [id] = [...segments].find(([, segment]) => segment.path === path) ?? [];
      if (id === undefined) throw error;
      try {
        const current = readingDocument(engine, id, (segment) => {
          if (segment.path === path) throw error;
          return segment;
        });
        segments.set(id, current);
      } catch (reason) {
        if (!(reason instanceof Refused)) throw reason;
        segments.delete(id);
        refuse(id, reason.message);
      }
    }
  }
}
