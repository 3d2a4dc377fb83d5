import {
  constants,
  copyFileSync,
  linkSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryName } from './atomic-file.ts';
import { errorCode } from './errors.ts';

/** No document takes this long: its worker is stopped well before. */
const STALE_AFTER_MS = 10 * 60_000;

/** Claims of this process. One that bears our process id and is not here is from an earlier life, as in containers. */
const held = new Set<string>();

/**
 * Marks a document as being indexed by this process. A claim only saves work: should two processes ever index one document
 * at once, both write the same thing. True when the work is ours.
 */
export function claim(path: string): boolean {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      create(path);
      held.add(path);
      return true;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' || isClaimed(path)) return false;
      release(path);
    }
  }
  return false;
}

/** With its owner in it from the start: a process killed between the two would leave a claim of which nobody knows whose it is. */
function create(path: string): void {
  const draft = join(dirname(path), temporaryName());
  try {
    writeFileSync(draft, String(process.pid), { flag: 'wx', mode: 0o600 });
    try {
      linkSync(draft, path);
    } catch (error) {
      // Some file systems have no links.
      if (errorCode(error) === 'EEXIST') throw error;
      copyFileSync(draft, path, constants.COPYFILE_EXCL);
    }
  } finally {
    drop(draft);
  }
}

/** Whether a living process holds the claim. */
export function isClaimed(path: string): boolean {
  if (held.has(path)) return true;
  try {
    const age = Date.now() - statSync(path).mtimeMs;
    const pid = Number(readFileSync(path, 'utf8'));
    return pid > 0 && age < STALE_AFTER_MS && pid !== process.pid && isAlive(pid);
  } catch {
    return false;
  }
}

export function release(path: string): void {
  held.delete(path);
  drop(path);
}

function drop(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Gone already, or the folder became read-only: a claim then ages out.
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
