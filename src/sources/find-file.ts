import { lstat, opendir, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

/** An allowed folder: as it was given, and where it really is. */
export interface Root {
  readonly given: string;
  readonly real: string;
}

/** Allowed folders that exist. */
export async function openRoots(folders: readonly string[]): Promise<Root[]> {
  const roots = await Promise.all(
    folders.map(async (given) => ({ given, real: await realpath(given).catch(() => undefined) })),
  );
  return roots.filter((root): root is Root => root.real !== undefined);
}

/** The parts of `path` below `folder`; undefined when it is not below it. */
export function partsBelow(folder: string, path: string): string[] | undefined {
  const below = relative(folder, path);
  if (below === '' || below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) return undefined;
  return below.split(sep);
}

/**
 * Where the file is on disk, its folders real and the last step not followed. Names are matched exactly, else as they
 * look: composed or decomposed accents, any kind of space. Nothing outside the allowed folders is listed or looked at,
 * so that the answer does not tell what exists there.
 */
export async function findFile(
  candidate: string,
  roots: readonly Root[],
): Promise<{ readonly path: string } | 'missing' | 'outside'> {
  const start = await startOf(candidate, roots);
  if (start === undefined) return 'outside';
  let { folder } = start;
  const last = start.parts.length - 1;
  for (const [index, part] of start.parts.entries()) {
    const name = await entryNamed(folder, part);
    if (name === undefined) return 'missing';
    if (index === last) return { path: join(folder, name) };
    const next = await realpath(join(folder, name)).catch(() => undefined);
    if (next === undefined) return 'missing';
    if (!roots.some(({ real }) => next === real || partsBelow(real, next))) return 'outside';
    folder = next;
  }
  return 'missing';
}

async function startOf(
  candidate: string,
  roots: readonly Root[],
): Promise<{ folder: string; parts: string[] } | undefined> {
  for (const { given, real } of roots) {
    const parts =
      partsBelow(looks(given), looks(candidate)) && candidate.split(sep).slice(-depth(given, candidate));
    if (parts) return { folder: real, parts };
    const realParts = partsBelow(real, candidate);
    if (realParts) return { folder: real, parts: realParts };
  }
  // To look at a network share is to log in to it.
  if (candidate.startsWith('\\\\')) return undefined;
  const folder = await realpath(dirname(candidate)).catch(() => undefined);
  if (folder === undefined || !roots.some(({ real }) => folder === real || partsBelow(real, folder)))
    return undefined;
  return { folder, parts: candidate.split(sep).slice(-1) };
}

const depth = (folder: string, path: string) => (partsBelow(looks(folder), looks(path)) ?? []).length;

const mostEntries = 100_000;

async function entryNamed(folder: string, name: string): Promise<string | undefined> {
  try {
    await lstat(join(folder, name));
    return name;
  } catch {
    const wanted = looks(name);
    let seen = 0;
    try {
      for await (const entry of await opendir(folder)) {
        if (looks(entry.name) === wanted) return entry.name;
        seen += 1;
        if (seen > mostEntries) break;
      }
    } catch {
      // Not a folder, or not readable: nothing of that name.
    }
    return undefined;
  }
}

/** What a name looks like to a person: macOS decomposes accents and puts U+202F into screenshot names. */
function looks(name: string): string {
  return name.normalize('NFC').replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ');
}
