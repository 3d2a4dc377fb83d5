import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from './errors.ts';

/**
 * Makes a folder and those above it, for this user alone. Node's own `recursive` never returns where a file system
 * says ENOENT below a folder that exists, as /proc does: https://github.com/nodejs/node/issues/31481.
 */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return;
    if (errorCode(error) !== 'ENOENT' || existsSync(dirname(folder))) throw error;
    makeFolder(dirname(folder));
    makeFolder(folder);
  }
}
