/** A zip container, read entry by entry. What an entry claims about its size is not believed: inflated bytes are counted. */
import { inflateRawSync } from 'node:zlib';
import { ParseError } from '../../document.ts';
import { decodeText } from '../decode.ts';
import type { ParseLimits } from '../limits.ts';

const END_RECORD = 0x06054b50;
const CENTRAL_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
/** The end record is 22 bytes and a comment of at most 64 KB. */
const END_SEARCH = 22 + 65_535;
const ENCRYPTED_FLAG = 1;
const STORED = 0;
const DEFLATED = 8;

interface Entry {
  readonly method: number;
  readonly flags: number;
  readonly size: number;
  readonly offset: number;
}

export interface Archive {
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Undefined when there is no such entry. Throws `too_large`, `encrypted`, `invalid`. */
  read(name: string): Uint8Array | undefined;
  text(name: string): string | undefined;
}

/** Throws `invalid` when the bytes are no zip file, `too_large` past the number of entries. */
export function openArchive(bytes: Uint8Array, limits: ParseLimits): Archive {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = readDirectory(bytes, view, limits);
  let total = 0;

  const read = (name: string): Uint8Array | undefined => {
    const entry = entries.get(name);
    if (!entry) return undefined;
    if (entry.flags & ENCRYPTED_FLAG) {
      throw new ParseError(
        'encrypted',
        'This file is encrypted with a password. Remove the password and ingest the result.',
      );
    }
    const data = compressed(bytes, view, entry);
    const room = Math.min(limits.zipEntryBytes, limits.zipTotalBytes - total);
    const inflated = entry.method === STORED ? data : inflate(data, entry.method, room);
    if (inflated.length > room) throw tooLarge();
    total += inflated.length;
    return inflated;
  };

  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    read,
    text(name) {
      const data = read(name);
      return data && decodeText(data, limits.textChars);
    },
  };
}

function readDirectory(bytes: Uint8Array, view: DataView, limits: ParseLimits): Map<string, Entry> {
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  if (count > limits.zipEntries) throw tooLarge();
  const entries = new Map<string, Entry>();
  let at = view.getUint32(end + 16, true);
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== CENTRAL_ENTRY) throw broken();
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
    entries.set(name, {
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      size: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true),
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function findEnd(view: DataView): number {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - END_SEARCH); at--) {
    if (view.getUint32(at, true) === END_RECORD) return at;
  }
  throw broken();
}

function compressed(bytes: Uint8Array, view: DataView, { offset, size }: Entry): Uint8Array {
  if (offset + 30 > bytes.length || view.getUint32(offset, true) !== LOCAL_ENTRY) throw broken();
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (start + size > bytes.length) throw broken();
  return bytes.subarray(start, start + size);
}

function inflate(data: Uint8Array, method: number, room: number): Uint8Array {
  if (method !== DEFLATED) throw broken();
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, room) });
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge()
      : broken();
  }
}

function tooLarge(): ParseError {
  return new ParseError(
    'too_large',
    'This file unpacks to more than can be read. Split the document, or export it as PDF or plain text, and ingest that.',
  );
}

function broken(): ParseError {
  return new ParseError(
    'invalid',
    'This file is damaged or cut short: its zip container cannot be read. Check that it opens, then send it again.',
  );
}
