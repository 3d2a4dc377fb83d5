import { readdirSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { TEMPORARY } from './atomic-file.ts';
import { isAlive } from './claims.ts';
import type { Layout } from './layout.ts';
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

/** Removes the temporary files of processes that died while writing. */
export function sweepTemporaries(layout: Layout): void {
  for (const folder of [layout.sources, layout.segments, layout.failures]) {
    for (const name of namesIn(folder)) {
      const owner = TEMPORARY.exec(name)?.[1];
      if (owner && isAbandoned(join(folder, name), Number(owner))) remove(join(folder, name));
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
