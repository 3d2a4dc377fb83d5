import { chmod, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { makeFolder } from '../../make-folder.ts';
import type { ConfigFormat, Entry } from './config-format.ts';

/** Why a file was left as it is: a sentence for the person at the terminal. */
export class ConfigFileError extends Error {
  override readonly name = 'ConfigFileError';
}

/** Where the file is kept as it was before the entry came. */
export const backupOf = (file: string): string => `${file}.before-vectorless`;

/** The entry in a file; undefined when there is no file or no entry in it. */
export async function readEntry(file: string, format: ConfigFormat): Promise<Entry | undefined> {
  const text = await read(file);
  return text === undefined ? undefined : format.find(parsed(file, format, text));
}

/**
 * Puts the entry into a file, which is made when there is none, and keeps what was there as a backup.
 * @throws {ConfigFileError} when the file cannot be understood, or the edit would change anything else.
 */
export async function writeEntry(
  file: string,
  format: ConfigFormat,
  entry: Entry,
): Promise<'created' | 'written' | 'unchanged'> {
  const text = await read(file);
  const start = text ?? format.blank;
  const before = parsed(file, format, start);
  const after = edited(file, format, start, () => format.insert(start, entry));
  if (after === text) return 'unchanged';
  if (text !== undefined) {
    const isFirst = format.find(before) === undefined || (await read(backupOf(file))) === undefined;
    if (isFirst) await write(backupOf(file), text, file);
  }
  await write(file, after, file);
  return text === undefined ? 'created' : 'written';
}

/**
 * Takes the entry out again. A file that nobody else has touched becomes what it was, byte for byte; one that held
 * nothing else is deleted.
 */
export async function removeEntry(
  file: string,
  format: ConfigFormat,
): Promise<'restored' | 'deleted' | 'removed' | 'absent'> {
  const text = await read(file);
  const entry = text === undefined ? undefined : format.find(parsed(file, format, text));
  if (text === undefined || entry === undefined) return 'absent';
  const removed = edited(file, format, text, () => format.remove(text));
  // What is left when the entry is taken out is compared, since it may have been written more than once.
  const isFrom = (earlier: string) => safely(() => format.remove(format.insert(earlier, entry))) === removed;
  const backup = await read(backupOf(file));
  // One that holds an entry itself is from a file that had nothing else, or whose entry was written by hand: it goes, too.
  const isClean = backup !== undefined && safely(() => format.find(format.parse(backup))) === undefined;
  const isBackup = backup !== undefined && isFrom(backup);
  if (isBackup && isClean) {
    await write(file, backup, file);
    await rm(backupOf(file));
    return 'restored';
  }
  const isAll = !isClean && isFrom(format.blank);
  if (isAll) await rm(file);
  else await write(file, removed, file);
  if (isBackup) await rm(backupOf(file));
  return isAll ? 'deleted' : 'removed';
}

function parsed(file: string, format: ConfigFormat, text: string): unknown {
  try {
    return format.parse(text);
  } catch (error) {
    throw new ConfigFileError(`${file} was left as it is: ${(error as Error).message}.`);
  }
}

/** The result of an edit, once it is known to have changed nothing but the entry. */
function edited(file: string, format: ConfigFormat, text: string, edit: () => string): string {
  const others = format.others(parsed(file, format, text));
  const after = safely(edit);
  const othersAfter = after === undefined ? undefined : safely(() => format.others(format.parse(after)));
  if (after !== undefined && isDeepStrictEqual(others, othersAfter)) return after;
  throw new ConfigFileError(
    `${file} was left as it is: it is written in a way that cannot be edited safely. Use --print and add the entry by hand.`,
  );
}

function safely<T>(attempt: () => T): T | undefined {
  try {
    return attempt();
  } catch {
    return undefined;
  }
}

async function read(file: string): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new ConfigFileError(`${file} cannot be read (${codeOf(error)}).`);
  }
}

/** All or nothing, through a link if the file is one, with the mode of `like`. */
async function write(file: string, text: string, like: string): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const mode = await stat(like).then(
    (found) => found.mode & 0o777,
    () => 0o600, // it holds a key
  );
  const next = `${target}.${process.pid}.tmp`;
  try {
    makeFolder(dirname(target), 0o777);
    await writeFile(next, text, { mode, flag: 'wx' });
    await chmod(next, mode);
    await rename(next, target);
  } catch (error) {
    await rm(next, { force: true });
    throw new ConfigFileError(`${file} cannot be written (${codeOf(error)}).`);
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown reason';
