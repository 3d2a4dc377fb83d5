import { existsSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createAtomic, syncFolder, writeAtomic } from './atomic-file.ts';
import { type Catalog, createCatalog, type Failure, type StoredDocument } from './catalog.ts';
import { claim, isClaimed, release } from './claims.ts';
import { documentIdForKey, newDocumentId } from './document-id.ts';
import { errorCode, StorageError } from './errors.ts';
import { layoutOf, replacedIn, segmentName } from './layout.ts';
import { makeFolders, namesIn, remove, sweep } from './maintenance.ts';
import { encodeSource, readSource, type SourceHead } from './source-file.ts';

export interface NewDocument {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Names the same document for as long as it exists. */
  readonly key?: string | undefined;
}

/** The documents of one folder, safe against crashes and other processes on the same folder. */
export interface DocumentStore extends Catalog {
  /** Stores a document for indexing, or finds the one its key names. On return it is durable. Throws StorageError. */
  add(file: NewDocument): Promise<StoredDocument>;
  /** False when there is none. Throws StorageError. */
  remove(id: string): Promise<boolean>;
  /** The document as it was sent. Throws DamagedFile, or ENOENT. */
  source(id: string): { head: SourceHead; bytes: Uint8Array };
  sourcePath(id: string): string;
  /** Puts a finished index in place of the one before. Throws StorageError. */
  commit(id: string, segment: Uint8Array): Promise<void>;
  fail(id: string, failure: Failure): Promise<void>;
  /** Takes the document for indexing; false when a living process has it. */
  claim(id: string): boolean;
  isClaimed(id: string): boolean;
  release(id: string): void;
}

export function openDocumentStore(
  dir: string,
  readAheadBytes: number,
  warn: (message: string) => void,
): DocumentStore {
  const layout = layoutOf(dir);
  makeFolders(layout);
  sweep(layout);
  const catalog = createCatalog(layout, readAheadBytes, warn);
  const sourcePath = (id: string) => join(layout.sources, `${id}.src`);
  const failurePath = (id: string) => join(layout.failures, `${id}.json`);
  const tombstone = (id: string) => join(layout.deleted, id);

  /** The document that a key names, or the id under which to create it. */
  function resolve(key: string | undefined): { found?: StoredDocument; id: string } {
    if (key === undefined) return { id: newDocumentId() };
    for (let round = 0; ; round++) {
      const id = documentIdForKey(key, round);
      const found = catalog.look(id);
      if (found) return { found, id };
      if (!existsSync(tombstone(id))) return { id };
    }
  }

  async function add({ filename, contentType, bytes, key }: NewDocument): Promise<StoredDocument> {
    const { found, id } = resolve(key);
    if (found) return found;
    makeFolders(layout);
    const createdAt = new Date().toISOString();
    const head: SourceHead = { id, filename, contentType, byteSize: bytes.length, createdAt };
    await createAtomic(sourcePath(id), await encodeSource(head, bytes));
    return catalog.look(id) ?? { id, head };
  }

  async function removeDocument(id: string): Promise<boolean> {
    catalog.refresh();
    if (!catalog.get(id)) return false;
    // From here on the document is gone, even if a process that is indexing it right now writes a segment later.
    await writeAtomic(tombstone(id), [new Uint8Array()]);
    try {
      await removeSegments(id, () => true);
      await unlinkIfThere(failurePath(id));
      await unlinkIfThere(sourcePath(id));
      await syncFolder(layout.segments);
      await syncFolder(layout.sources);
    } catch (error) {
      throw new StorageError(error);
    }
    release(join(layout.claims, id));
    catalog.refresh();
    return true;
  }

  async function removeSegments(
    id: string,
    isChosen: (name: string, replaced: ReadonlySet<string>) => boolean,
  ): Promise<void> {
    const names = namesIn(layout.segments).filter((name) => name.startsWith(id));
    const replaced = replacedIn(names);
    for (const name of names) if (isChosen(name, replaced)) await unlinkIfThere(join(layout.segments, name));
  }

  async function commit(id: string, segment: Uint8Array): Promise<void> {
    const generation = catalog.generation(id) + 1;
    await writeAtomic(join(layout.segments, segmentName(id, generation)), [segment]);
    const deleted = existsSync(tombstone(id));
    if (deleted || generation > 1) {
      await removeSegments(id, (name, replaced) => deleted || replaced.has(name)).catch(() => undefined);
    }
    remove(failurePath(id));
    if (!deleted) catalog.opened(id, generation);
  }

  return {
    ...catalog,
    add,
    remove: removeDocument,
    source: (id) => readSource(sourcePath(id)),
    sourcePath,
    commit,
    async fail(id, failure) {
      if (existsSync(tombstone(id))) return;
      catalog.note(id, failure);
      await writeAtomic(failurePath(id), [Buffer.from(JSON.stringify(failure))]);
    },
    claim: (id) => claim(join(layout.claims, id)),
    isClaimed: (id) => isClaimed(join(layout.claims, id)),
    release: (id) => release(join(layout.claims, id)),
  };
}

async function unlinkIfThere(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
  });
}
