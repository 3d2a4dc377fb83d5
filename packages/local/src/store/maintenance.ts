import { readdirSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { TEMPORARY } from './atomic-file.ts';
import { isAlive, isClaimed } from './claims.ts';
import { documentOf, type Layout, replacedIn } from './layout.ts';
import { makeFolder } from './make-folder.ts';

const ABANDONED_MS = 60_000;
const SURELY_ABANDONED_MS = 3_600_000;

/** Creates what is missing. A folder that cannot be written can still be read: writing to it fails later, saying so. */
export function makeFolders(layout: Layout): void {
  for (const folder of Object.values(layout)) {
    try {
      makeFolder(folder);
    } catch {
      return;
    }
  }
}

/**
 * Removes what killed processes left: unfinished writes, files of documents that were deleted, indexes that a later one
 * replaced, claims. Nobody misses any of it, so that it does not matter who else is doing the same.
 */
export function sweep(layout: Layout): void {
  const { sources, segments, failures, claims, deleted } = layout;
  const gone = new Set(namesIn(deleted));
  for (const folder of [sources, segments, failures, claims, deleted]) {
    const names = namesIn(folder);
    const replaced = folder === segments ? replacedIn(names) : undefined;
    for (const name of names) {
      const path = join(folder, name);
      const owner = TEMPORARY.exec(name)?.[1];
      const isLeft =
        owner === undefined
          ? (folder !== deleted && gone.has(documentOf(name))) ||
            replaced?.has(name) ||
            (folder === claims && !isClaimed(path))
          : isAbandoned(path, Number(owner));
      if (isLeft) remove(path);
    }
  }
}

function isAbandoned(path: string, owner: number): boolean {
  try {
    const age = Date.now() - statSync(path).mtimeMs;
    // A process of another container looks dead from here, so a dead owner alone proves nothing.
    return age > SURELY_ABANDONED_MS || (age > ABANDONED_MS && !isAlive(owner));
  } catch {
    return false;
  }
}

/** Moves a damaged file out of the way, keeping it for whoever wants to look; false when even that is refused. */
export function setAside(path: string): boolean {
  try {
    renameSync(path, `${path}.damaged`);
    return true;
  } catch {
    return false;
  }
}

export function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Gone already, or not ours to remove: readers ignore what is void.
  }
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
