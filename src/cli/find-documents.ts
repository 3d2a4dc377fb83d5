import { opendir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { typeByExtension } from '../sources/types.ts';

export interface FoundFile {
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
}

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** Files in the folders that are of no type that can be ingested. */
  readonly passedOver: number;
}

/** A whole disk must not be taken in by mistake. */
const mostFiles = 20_000;

/** Documents in what was named: files as they are, folders with all that is in them, hidden ones left alone. */
export async function findDocuments(
  named: readonly string[],
  cwd: string,
  isLocal: boolean,
): Promise<FoundFiles> {
  const files = new Map<string, FoundFile>();
  let passedOver = 0;
  const visit = async (folder: string): Promise<void> => {
    for await (const entry of await opendir(folder)) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await visit(path);
      else if (entry.isFile()) {
        const type = typeByExtension(entry.name);
        if (type === undefined || (type.localOnly && !isLocal)) passedOver++;
        else await add(path);
      }
    }
  };
  const add = async (path: string): Promise<void> => {
    if (files.size >= mostFiles) throw new TypeError(`More than ${mostFiles} files; name smaller folders.`);
    const { size, mtimeMs } = await stat(path);
    files.set(path, { path, size, modifiedMs: Math.trunc(mtimeMs) });
  };
  for (const name of named) {
    const path = resolve(cwd, name);
    if ((await stat(path)).isDirectory()) await visit(path);
    else await add(path);
  }
  const sorted = [...files.values()].sort((a, b) => a.path.localeCompare(b.path));
  return { files: sorted, passedOver };
}
