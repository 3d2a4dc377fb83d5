import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32, inflateRawSync } from 'node:zlib';
import { ANALYSER_VERSION } from '../analysis/analyse.ts';
import { type Language, languageOf } from '../analysis/languages.ts';
import type { ParsedSection } from '../document.ts';
import { DamagedFile } from './errors.ts';
import {
  type DocumentMeta,
  FIELD_COUNT,
  FORMAT_VERSION,
  HEADER,
  HEADER_BYTES,
  MAGIC,
  type OutlineEntry,
  PARTS,
  type Part,
} from './segment-format.ts';
import { hashTerm } from './term-hash.ts';
import { readVarint } from './varint.ts';

/** One generation of a document, its index in memory and the rest read when asked for. */
export interface Segment {
  readonly path: string;
  readonly meta: DocumentMeta;
  /** How its words became terms. */
  readonly language: Language;
  readonly sectionCount: number;
  /** Sections that hold text; the others are only headings. */
  readonly textCount: number;
  /** Field lengths in terms: section × FIELD_COUNT + field. */
  readonly lengths: Uint16Array;
  /** Sum of each field's lengths over all sections. */
  readonly totals: readonly number[];
  readonly centrality: Uint8Array;
  readonly postings: Uint8Array;
  /**
   * An older analyser made it: it still answers, and should be indexed again from its stored text. A newer one's is left
   * alone, or two servers of different versions would undo each other's work for ever.
   */
  readonly outdated: boolean;
  /** Hashes of the terms, in ascending order: `findTerm` gives a term's place among them. */
  readonly hashHigh: Uint32Array;
  readonly hashLow: Uint32Array;
  /** Where each term's posting list begins in `postings`. */
  readonly postingOffsets: Uint32Array;
  /** Stored sections by number. Throws DamagedFile, or ENOENT once the document is deleted or replaced. */
  sections(numbers: readonly number[]): ParsedSection[];
  /** The terms of each section's text in order, as varint ordinals. */
  termSequences(numbers: readonly number[]): Uint8Array[];
  outline(): OutlineEntry[];
}

/** Opens a segment file, checking its index; throws DamagedFile. */
export function openSegment(path: string): Segment {
  const index = readIndex(path);
  const header = new DataView(index.buffer, index.byteOffset, HEADER_BYTES);
  const field = (offset: number) => header.getUint32(offset, true);
  const indexLength = field(HEADER.indexLength);
  const sectionCount = field(HEADER.sectionCount);
  const part = (name: Part): Uint8Array => {
    const at = HEADER.parts + PARTS.indexOf(name) * 8;
    const offset = field(at);
    return index.subarray(offset, offset + field(at + 4));
  };
  const words = (name: Part): Uint32Array => {
    const bytes = part(name);
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
  };
  const blockOffsets = words('blockOffsets');
  const lengthBytes = part('lengths');
  const lengths = new Uint16Array(lengthBytes.buffer, lengthBytes.byteOffset, lengthBytes.byteLength >> 1);

  const blocks = (numbers: readonly number[]): Buffer[] =>
    readBlocks(
      path,
      numbers.map((number) => {
        const start = blockOffsets[number] ?? 0;
        return [indexLength + start, (blockOffsets[number + 1] ?? start) - start] as const;
      }),
    );

  const meta = JSON.parse(Buffer.from(part('meta')).toString()) as DocumentMeta;

  return {
    path,
    meta,
    language: languageOf(meta.language),
    sectionCount,
    textCount: countText(lengths),
    lengths,
    totals: sumFields(lengths),
    centrality: part('centrality'),
    postings: part('postings'),
    outdated: field(HEADER.analyserVersion) < ANALYSER_VERSION,
    hashHigh: words('hashHigh'),
    hashLow: words('hashLow'),
    postingOffsets: words('postingOffsets'),
    sections: (numbers) => blocks(numbers.map((n) => n * 2)).map((block) => inflate(path, block)),
    termSequences: (numbers) => blocks(numbers.map((n) => n * 2 + 1)),
    outline: () => inflate(path, blocks([sectionCount * 2])[0] ?? Buffer.alloc(0)),
  };
}

function readIndex(path: string): Buffer {
  const fd = openSync(path, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    if (readSync(fd, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) throw new DamagedFile('cut short');
    if (header.readUInt32LE(HEADER.magic) !== MAGIC) throw new DamagedFile('not a segment');
    if (header.readUInt32LE(HEADER.formatVersion) !== FORMAT_VERSION) {
      throw new DamagedFile('written by another version');
    }
    const indexLength = header.readUInt32LE(HEADER.indexLength);
    const fileLength = header.readUInt32LE(HEADER.fileLength);
    if (indexLength < HEADER_BYTES || indexLength > fileLength || fstatSync(fd).size !== fileLength) {
      throw new DamagedFile('cut short');
    }
    // Its own buffer, not a slice of Node's pool: the typed arrays over it need their alignment.
    const index = Buffer.from(new ArrayBuffer(indexLength));
    if (readSync(fd, index, 0, indexLength, 0) < indexLength) throw new DamagedFile('cut short');
    if (crc32(index.subarray(HEADER.sectionCount)) !== header.readUInt32LE(HEADER.indexCrc)) {
      throw new DamagedFile('checksum of the index does not match');
    }
    return index;
  } finally {
    closeSync(fd);
  }
}

function readBlocks(path: string, places: readonly (readonly [offset: number, length: number])[]): Buffer[] {
  const fd = openSync(path, 'r');
  try {
    return places.map(([offset, length]) => {
      const block = Buffer.allocUnsafe(length);
      const read = readSync(fd, block, 0, length, offset);
      if (read < length || length < 4) throw new DamagedFile('cut short', path);
      const content = block.subarray(0, length - 4);
      if (crc32(content) !== block.readUInt32LE(length - 4)) {
        throw new DamagedFile('checksum of a section does not match', path);
      }
      return content;
    });
  } finally {
    closeSync(fd);
  }
}

function inflate<T>(path: string, block: Buffer): T {
  try {
    return JSON.parse(inflateRawSync(block).toString()) as T;
  } catch (error) {
    throw new DamagedFile('unreadable block', path, { cause: error });
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

/** Numbers of the sections that hold a term, ascending. */
export function sectionsWith(segment: Segment, term: string): number[] {
  const ordinal = findTerm(segment, ...hashTerm(term));
  if (ordinal < 0) return [];
  const cursor = { bytes: segment.postings, at: segment.postingOffsets[ordinal] ?? 0 };
  const found: number[] = [];
  let section = 0;
  for (let left = readVarint(cursor); left > 0; left--) {
    section += readVarint(cursor);
    found.push(section);
    // The frequencies of the fields that the low bits name.
    for (let mask = readVarint(cursor) & 7; mask > 0; mask &= mask - 1) readVarint(cursor);
  }
  return found;
}

/** Ordinal of a term, given its hash, in term sequences and posting offsets; -1 when the document has no such term. */
export function findTerm({ hashHigh, hashLow }: Segment, high: number, low: number): number {
  let from = 0;
  let to = hashHigh.length - 1;
  while (from <= to) {
    const middle = (from + to) >> 1;
    const difference = (hashHigh[middle] ?? 0) - high || (hashLow[middle] ?? 0) - low;
    if (difference === 0) return middle;
    if (difference < 0) from = middle + 1;
    else to = middle - 1;
  }
  return -1;
}
