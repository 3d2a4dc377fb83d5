import { randomBytes } from 'node:crypto';
import { type FileHandle, link, open, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, StorageError } from './errors.ts';

/** Names of unfinished writes: `.<process id>.<random>.tmp`. */
export const TEMPORARY = /^\.(\d+)\.[0-9a-f]+\.tmp$/;

export function temporaryName(): string {
  return `.${process.pid}.${randomBytes(6).toString('hex')}.tmp`;
}

/** Puts a file in place whole or not at all; once this returns the file survives a power cut. Throws StorageError. */
export async function writeAtomic(path: string, parts: readonly Uint8Array[]): Promise<void> {
  await viaTemporary(path, parts, renamePatiently);
}

/** The same, unless the file exists already: then it stays as it is, and the answer is false. */
export async function createAtomic(path: string, parts: readonly Uint8Array[]): Promise<boolean> {
  let created = true;
  await viaTemporary(path, parts, async (temporary) => {
    try {
      await link(temporary, path);
      await unlink(temporary);
    } catch (error) {
      created = errorCode(error) !== 'EEXIST';
      // Some file systems have no links; there the last of two simultaneous writers wins.
      if (created) await renamePatiently(temporary, path);
      else await unlink(temporary);
    }
  });
  return created;
}

async function viaTemporary(
  path: string,
  parts: readonly Uint8Array[],
  place: (temporary: string, path: string) => Promise<void>,
): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, temporaryName());
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      for (const part of parts) await writeFully(file, part);
      await file.sync();
    } finally {
      await file.close();
    }
    await place(temporary, path);
    await syncFolder(folder);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw new StorageError(error);
  }
}

async function writeFully(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at);
    at += bytesWritten;
  }
}

/** Windows refuses to rename a file that a virus scanner or another reader has open; a moment later it does not. */
async function renamePatiently(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      const busy = ['EPERM', 'EBUSY', 'EACCES'].includes(errorCode(error));
      if (!busy || process.platform !== 'win32' || attempt === 8) throw error;
      await sleep(10 * 2 ** attempt);
    }
  }
}

/** Makes names added to or removed from a folder durable. Windows cannot open folders and needs no such call. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
