import { closeSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { errorCode } from './errors.ts';

/** No document takes this long: its worker is stopped well before. */
const STALE_AFTER_MS = 10 * 60_000;
/** Between creating a claim and writing its owner into it. */
const UNSIGNED_MS = 5_000;

/** Claims of this process. One that bears our process id and is not here is from an earlier life, as in containers. */
const held = new Set<string>();

/**
 * Marks a document as being indexed by this process. A claim only saves work: should two processes ever index one document
 * at once, both write the same thing. True when the work is ours.
 */
export function claim(path: string): boolean {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const fd = openSync(path, 'wx', 0o600);
      writeSync(fd, String(process.pid));
      closeSync(fd);
      held.add(path);
      return true;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' || isClaimed(path)) return false;
      release(path);
    }
  }
  return false;
}

/** Whether a living process holds the claim. */
export function isClaimed(path: string): boolean {
  if (held.has(path)) return true;
  try {
    const age = Date.now() - statSync(path).mtimeMs;
    const pid = Number(readFileSync(path, 'utf8'));
    if (pid === 0) return age < UNSIGNED_MS;
    return age < STALE_AFTER_MS && pid !== process.pid && isAlive(pid);
  } catch {
    return false;
  }
}

export function release(path: string): void {
  held.delete(path);
  try {
    unlinkSync(path);
  } catch {
    // Gone already, or the folder became read-only: the claim then ages out.
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
