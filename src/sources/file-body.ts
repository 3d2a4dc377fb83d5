import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { BlobLike } from '@vectorless/sdk';
import { Refusal } from '../refusal.ts';

const chunkBytes = 128 * 1024;

export type Bytes = Uint8Array<ArrayBuffer>;

/** Reads an open file to its end once, in chunks, and hands each to `look`. Resolves with the sha256 in hex. */
export async function digestFile(
  file: OpenFile,
  look: (chunk: Buffer) => void,
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunksOf(file)) {
    signal.throwIfAborted();
    hash.update(chunk);
    look(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
  }
  await refuseChange(file);
  return hash.digest('hex');
}

export interface OpenFile {
  readonly handle: FileHandle;
  readonly filename: string;
  /** As it was right after opening. */
  readonly stat: BigIntStats;
}

/**
 * The file as a body that can be streamed again and again from the same descriptor. The last chunk is held back until
 * the whole is known to be what was hashed before, so that a changed file never arrives complete.
 */
export function fileBody(file: OpenFile, sha256: string): BlobLike {
  return { size: Number(file.stat.size), stream: () => verified(file, sha256) };
}

async function* verified(file: OpenFile, sha256: string): AsyncGenerator<Bytes> {
  const hash = createHash('sha256');
  let held: Bytes | undefined;
  for await (const chunk of chunksOf(file)) {
    hash.update(chunk);
    if (held) yield held;
    held = chunk;
  }
  await refuseChange(file);
  if (hash.digest('hex') !== sha256) throw changed(file);
  if (held) yield held;
}

async function* chunksOf(file: OpenFile): AsyncGenerator<Bytes> {
  const size = Number(file.stat.size);
  for (let position = 0; position < size; ) {
    const chunk = await readAt(file.handle, position, Math.min(chunkBytes, size - position));
    if (chunk.length === 0) throw changed(file);
    yield chunk;
    position += chunk.length;
  }
}

/** At most `length` bytes from `position`; fewer at the end. A fresh buffer, since consumers keep chunks. */
export async function readAt(handle: FileHandle, position: number, length: number): Promise<Bytes> {
  const buffer = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

async function refuseChange(file: OpenFile): Promise<void> {
  const now = await file.handle.stat({ bigint: true });
  const then = file.stat;
  if (now.size !== then.size || now.mtimeNs !== then.mtimeNs || now.ctimeNs !== then.ctimeNs)
    throw changed(file);
}

function changed({ filename }: OpenFile): Refusal {
  return new Refusal(
    `${filename} changed while it was read. Wait until it is fully written, then ingest it again.`,
  );
}
