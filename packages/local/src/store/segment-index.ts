import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { DamagedFile } from './errors.ts';
import {
  type DocumentMeta,
  FIELD_COUNT,
  FORMAT_VERSION,
  HEADER,
  HEADER_BYTES,
  MAGIC,
  PARTS,
  type Part,
} from './segment-format.ts';

/** What the beginning of a segment file says. It is checked when the index is loaded. */
export interface SegmentHead {
  readonly meta: DocumentMeta;
  readonly analyserVersion: number;
  readonly sectionCount: number;
}

/** What is searched: the index part of a segment file. */
export interface SegmentIndex {
  readonly bytes: number;
  /** Sections that hold text; the others are only headings. */
  readonly textCount: number;
  /** Field lengths in terms: section × FIELD_COUNT + field. */
  readonly lengths: Uint16Array;
  /** Sum of each field's lengths over all sections. */
  readonly totals: readonly number[];
  readonly centrality: Uint8Array;
  readonly postings: Uint8Array;
  /** Hashes of the terms, in ascending order: `findTerm` gives a term's place among them. */
  readonly hashHigh: Uint32Array;
  readonly hashLow: Uint32Array;
  /** Where each term's posting list begins in `postings`. */
  readonly postingOffsets: Uint32Array;
  /** Where each stored block begins and ends, from the first one. */
  readonly blockOffsets: Uint32Array;
}

/** As much of a file as is read to know its document; longer metadata take a second read. */
const HEAD_BYTES = 8 << 10;
/** Used again by every `readHead`: it is done with it before it returns. */
const start = Buffer.alloc(HEAD_BYTES);

/** Throws DamagedFile. */
export function readHead(path: string): SegmentHead {
  return reading(path, (fd) => {
    const length = readSync(fd, start, 0, HEAD_BYTES, 0);
    checkHeader(start.subarray(0, length), fstatSync(fd).size, path);
    const at = HEADER.parts + PARTS.indexOf('meta') * 8;
    const [offset, bytes] = [start.readUInt32LE(at), start.readUInt32LE(at + 4)];
    if (offset + bytes > start.readUInt32LE(HEADER.indexLength)) throw new DamagedFile('cut short', path);
    const meta = offset + bytes <= length ? start.subarray(offset, offset + bytes) : Buffer.alloc(bytes);
    if (offset + bytes > length) readSync(fd, meta, 0, bytes, offset);
    return {
      meta: parseMeta(meta, path),
      analyserVersion: start.readUInt32LE(HEADER.analyserVersion),
      sectionCount: start.readUInt32LE(HEADER.sectionCount),
    };
  });
}

function parseMeta(bytes: Buffer, path: string): DocumentMeta {
  try {
    return JSON.parse(bytes.toString()) as DocumentMeta;
  } catch (error) {
    throw new DamagedFile('unreadable metadata', path, { cause: error });
  }
}

/** Reads the index and checks it against its checksum. Throws DamagedFile. */
export function loadIndex(path: string): SegmentIndex {
  const index = reading(path, (fd) => readIndex(fd, path));
  const part = (name: Part): Uint8Array => {
    const at = HEADER.parts + PARTS.indexOf(name) * 8;
    const offset = index.readUInt32LE(at);
    return index.subarray(offset, offset + index.readUInt32LE(at + 4));
  };
  const words = (name: Part): Uint32Array => {
    const bytes = part(name);
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
  };
  const lengthBytes = part('lengths');
  const lengths = new Uint16Array(lengthBytes.buffer, lengthBytes.byteOffset, lengthBytes.byteLength >> 1);
  return {
    bytes: index.length,
    textCount: countText(lengths),
    lengths,
    totals: sumFields(lengths),
    centrality: part('centrality'),
    postings: part('postings'),
    hashHigh: words('hashHigh'),
    hashLow: words('hashLow'),
    postingOffsets: words('postingOffsets'),
    blockOffsets: words('blockOffsets'),
  };
}

function readIndex(fd: number, path: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  const length = readSync(fd, header, 0, HEADER_BYTES, 0);
  checkHeader(header.subarray(0, length), fstatSync(fd).size, path);
  const indexLength = header.readUInt32LE(HEADER.indexLength);
  // Its own buffer, not a slice of Node's pool: the typed arrays over it need their alignment.
  const index = Buffer.from(new ArrayBuffer(indexLength));
  if (readSync(fd, index, 0, indexLength, 0) < indexLength) throw new DamagedFile('cut short', path);
  if (crc32(index.subarray(HEADER.sectionCount)) !== header.readUInt32LE(HEADER.indexCrc)) {
    throw new DamagedFile('checksum of the index does not match', path);
  }
  return index;
}

function checkHeader(header: Buffer, size: number, path: string): void {
  if (header.length < HEADER_BYTES) throw new DamagedFile('cut short', path);
  if (header.readUInt32LE(HEADER.magic) !== MAGIC) throw new DamagedFile('not a segment', path);
  if (header.readUInt32LE(HEADER.formatVersion) !== FORMAT_VERSION) {
    throw new DamagedFile('written by another version', path);
  }
  const indexLength = header.readUInt32LE(HEADER.indexLength);
  const fileLength = header.readUInt32LE(HEADER.fileLength);
  if (indexLength < HEADER_BYTES || indexLength > fileLength || size !== fileLength) {
    throw new DamagedFile('cut short', path);
  }
}

/** Gives an open file to `read`, and closes it. */
export function reading<T>(path: string, read: (fd: number) => T): T {
  const fd = openSync(path, 'r');
  try {
    return read(fd);
  } finally {
    closeSync(fd);
  }
}

function sumFields(lengths: Uint16Array): number[] {
  const totals = new Array<number>(FIELD_COUNT).fill(0);
  for (let i = 0; i < lengths.length; i++) {
    totals[i % FIELD_COUNT] = (totals[i % FIELD_COUNT] ?? 0) + (lengths[i] ?? 0);
  }
  return totals;
}

function countText(lengths: Uint16Array): number {
  let count = 0;
  for (let i = 0; i < lengths.length; i += FIELD_COUNT) if (lengths[i]) count++;
  return count;
}
