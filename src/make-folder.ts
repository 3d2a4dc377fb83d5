import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it; `mode` is that of folders that are made. Node's own `recursive` never returns where a
 * file system says ENOENT below a folder that exists, as /proc does: https://github.com/nodejs/node/issues/31481.
 */
export function makeFolder(folder: string, mode = 0o700): void {
  const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    if (codeOf(error) !== 'ENOENT' || existsSync(dirname(folder))) throw error;
    makeFolder(dirname(folder), mode);
    makeFolder(folder, mode);
  }
}
