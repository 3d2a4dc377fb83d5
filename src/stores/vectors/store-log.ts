import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isCode } from './file-lock.ts';
import { type Decoded, decode, type Entry, maxRecord } from './log-format.ts';

const pieceBytes = 1024 ** 2;

/** Where one generation of a store lies. A name is never used twice, so that a reader cannot take one for another. */
export interface LogFile {
  readonly path: string;
  readonly generation: number;
}

/** The newest generation of the log `name`, and what else is left of it: older ones, unfinished ones. */
export async function findLog(
  folder: string,
  name: string,
): Promise<{ newest: LogFile | undefined; leftovers: readonly string[] }> {
  const files = (await listFolder(folder)).filter((file) => file.startsWith(`${name}.`)).sort();
  const newest = files.filter((file) => file.endsWith('.vlog')).at(-1);
  return {
    newest:
      newest === undefined
        ? undefined
        : { path: join(folder, newest), generation: Number(newest.split('.')[1]) },
    leftovers: files.filter((file) => file !== newest).map((file) => join(folder, file)),
  };
}

/** Names of the logs in a folder; none when it does not exist. */
export async function listLogs(folder: string): Promise<string[]> {
  const files = (await listFolder(folder)).filter((file) => file.endsWith('.vlog'));
  return [...new Set(files.map((file) => file.slice(0, file.indexOf('.'))))];
}

async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  }
}

export function nextLogFile(folder: string, name: string, after: LogFile | undefined): LogFile {
  const generation = (after?.generation ?? 0) + 1;
  const unique = randomBytes(4).toString('hex');
  return { path: join(folder, `${name}.${String(generation).padStart(9, '0')}.${unique}.vlog`), generation };
}

/** Size in bytes, and a text that differs whenever the file does; undefined when it is gone. */
export async function stateOf(path: string): Promise<{ size: number; version: string } | undefined> {
  try {
    const { size, mtimeNs } = await stat(path, { bigint: true });
    return { size: Number(size), version: `${size} ${mtimeNs}` };
  } catch (error) {
    if (isCode(error, 'ENOENT')) return;
    throw error;
  }
}

export interface Reading {
  /** Offset of the first byte that is not read yet. */
  readonly from: number;
  /** Goes on behind what is damaged. Only while nobody writes: a record that is being written looks damaged. */
  readonly acrossDamage: boolean;
  readonly onRecord: (entry: Entry, bytes: number) => void;
  /** Asked before each piece is taken into memory; may refuse. */
  readonly room: (bytes: number) => void;
}

/** Reads the records of a log, a piece at a time. `end` is where it is whole up to, without what was skipped. */
export async function readLog(
  path: string,
  { from, acrossDamage, onRecord, room }: Reading,
): Promise<{ end: number; skippedBytes: number }> {
  const file = await open(path, 'r');
  try {
    let [end, skippedBytes] = [from, 0];
    /** What is read and not consumed; its first byte is at `offset` of the file. */
    let [pending, offset]: [Buffer, number] = [Buffer.alloc(0), from];
    const take = ({ entry, start, end: recordEnd }: Decoded) => {
      skippedBytes += offset + start - end;
      end = offset + recordEnd;
      onRecord(entry, recordEnd - start);
    };
    for (;;) {
      const piece = await readPiece(file, offset + pending.length);
      room(piece.length);
      pending = Buffer.concat([pending, piece]);
      let consumed = decode(pending, false, take);
      if (consumed === 0 && (piece.length === 0 || pending.length >= maxRecord)) {
        if (acrossDamage) consumed = decode(pending, true, take);
        if (consumed === 0 && (piece.length === 0 || !acrossDamage)) return { end, skippedBytes };
        consumed ||= pending.length - maxRecord;
      }
      pending = pending.subarray(consumed);
      offset += consumed;
    }
  } finally {
    await file.close();
  }
}

async function readPiece(file: FileHandle, position: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(pieceBytes);
  const { bytesRead } = await file.read(buffer, 0, pieceBytes, position);
  return buffer.subarray(0, bytesRead);
}

/** Appends durably. What lies beyond `end` was written by a process that died within it, and is cut off first. */
export async function appendLog(path: string, end: number, records: readonly Buffer[]): Promise<number> {
  const isNew = (await stateOf(path)) === undefined;
  const file = await open(path, 'a', 0o600);
  try {
    if ((await file.stat()).size > end) await file.truncate(end);
    const bytes = Buffer.concat(records);
    try {
      await writeAll(file, bytes);
      await file.datasync();
    } catch (error) {
      await file.truncate(end).catch(() => undefined);
      throw error;
    }
    if (isNew) await syncFolder(dirname(path));
    return end + bytes.length;
  } finally {
    await file.close();
  }
}

/** Writes a whole generation beside the others; it counts once it has its name. */
export async function writeLog(path: string, records: Iterable<Buffer>): Promise<number> {
  const unfinished = path.replace(/vlog$/, 'tmp');
  const file = await open(unfinished, 'wx', 0o600);
  let size = 0;
  try {
    let [batch, batched]: [Buffer[], number] = [[], 0];
    const flush = async () => {
      await writeAll(file, Buffer.concat(batch));
      size += batched;
      [batch, batched] = [[], 0];
    };
    for (const record of records) {
      batched += record.length;
      if (batch.push(record) && batched >= pieceBytes) await flush();
    }
    await flush();
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
  await syncFolder(dirname(path));
  return size;
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await file.write(bytes, written)).bytesWritten;
  }
}

/** Makes a new name durable. Windows cannot open folders, and needs no such thing. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

export async function removeFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) await unlink(path).catch(() => undefined);
}
