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

/** Where it is; what else there is of nearly that name, where it is missing; or why it is not looked for. */
type Found = { readonly path: string } | { readonly near: readonly string[] } | 'outside' | 'folder';

/**
 * Where the file is on disk, its folders real and the last step not followed. Names are matched exactly, else as they
 * look: composed or decomposed accents, any kind of space. Nothing outside the allowed folders is listed or looked at,
 * so that the answer does not tell what exists there.
 */
export async function findFile(candidate: string, roots: readonly Root[]): Promise<Found> {
  if (roots.some(({ given, real }) => candidate === given || candidate === real)) return 'folder';
  const start = await startOf(candidate, roots);
  if (start === undefined) return 'outside';
  let { folder } = start;
  const last = start.parts.length - 1;
  for (const [index, part] of start.parts.entries()) {
    const name = await entryNamed(folder, part);
    if (name === undefined) return { near: index === last ? await namesLike(folder, part) : [] };
    if (index === last) return { path: join(folder, name) };
    const next = await realpath(join(folder, name)).catch(() => undefined);
    if (next === undefined) return { near: [] };
    if (!roots.some(({ real }) => next === real || partsBelow(real, next))) return 'outside';
    folder = next;
  }
  return { near: [] };
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
const mostNames = 3;

async function entryNamed(folder: string, name: string): Promise<string | undefined> {
  try {
    await lstat(join(folder, name));
    return name;
  } catch {
    const wanted = looks(name);
    const [found] = await entriesOf(folder, (entry) => looks(entry) === wanted, 1);
    return found;
  }
}

/** Files whose name differs in case, in punctuation or in its extension only. */
async function namesLike(folder: string, name: string): Promise<string[]> {
  const wanted = bare(name);
  const isLike = (entry: string) => !entry.startsWith('.') && entry !== name && bare(entry) === wanted;
  const names = wanted === '' ? [] : await entriesOf(folder, isLike, mostNames);
  return names.map((entry) => join(folder, entry));
}

async function entriesOf(
  folder: string,
  isWanted: (name: string) => boolean,
  most: number,
): Promise<string[]> {
  const found: string[] = [];
  let seen = 0;
  try {
    for await (const { name } of await opendir(folder)) {
      if (isWanted(name)) found.push(name);
      seen += 1;
      if (found.length === most || seen > mostEntries) break;
    }
  } catch {
    // Not a folder, or not readable: nothing of that name.
  }
  return found;
}

const bare = (name: string): string =>
  looks(name)
    .toLowerCase()
    .replace(/(?<=.)\.[a-z0-9]{1,8}$/, '')
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** What a name looks like to a person: macOS decomposes accents and puts U+202F into screenshot names. */
function looks(name: string): string {
  return name.normalize('NFC').replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ');
}
