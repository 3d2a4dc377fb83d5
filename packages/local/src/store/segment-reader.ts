import { readSync } from 'node:fs';
import { crc32, inflateRawSync } from 'node:zlib';
import { ANALYSER_VERSION } from '../analysis/analyse.ts';
import { type Language, languageOf } from '../analysis/languages.ts';
import type { ParsedSection } from '../document.ts';
import { DamagedFile } from './errors.ts';
import type { DocumentMeta, OutlineEntry } from './segment-format.ts';
import { loadIndex, readHead, reading, type SegmentIndex } from './segment-index.ts';
import { hashTerm } from './term-hash.ts';
import { readVarint } from './varint.ts';

/**
 * One generation of a document. Its index is read when it is first needed and then stays in memory; texts are read each
 * time. What needs either throws DamagedFile, or ENOENT once the document is deleted or replaced; both name the path.
 */
export interface Segment extends SegmentIndex {
  readonly path: string;
  readonly meta: DocumentMeta;
  /** How its words became terms. */
  readonly language: Language;
  readonly sectionCount: number;
  /**
   * An older analyser made it: it still answers, and should be indexed again from its stored text. A newer one's is left
   * alone, or two servers of different versions would undo each other's work for ever.
   */
  readonly outdated: boolean;
  /** Stored sections by number. */
  sections(numbers: readonly number[]): ParsedSection[];
  /** The terms of each section's text in order, as varint ordinals. */
  termSequences(numbers: readonly number[]): Uint8Array[];
  outline(): OutlineEntry[];
}

/** Looks at the beginning of a segment file; throws DamagedFile. */
export function openSegment(path: string): Segment {
  const { meta, analyserVersion, sectionCount } = readHead(path);
  let loaded: SegmentIndex | undefined;
  const index = (): SegmentIndex => (loaded ??= loadIndex(path));
  const blocks = (numbers: readonly number[]): Buffer[] => readBlocks(path, index(), numbers);
  return {
    path,
    meta,
    language: languageOf(meta.language),
    sectionCount,
    outdated: analyserVersion < ANALYSER_VERSION,
    get bytes() {
      return index().bytes;
    },
    get textCount() {
      return index().textCount;
    },
    get lengths() {
      return index().lengths;
    },
    get totals() {
      return index().totals;
    },
    get centrality() {
      return index().centrality;
    },
    get postings() {
      return index().postings;
    },
    get hashHigh() {
      return index().hashHigh;
    },
    get hashLow() {
      return index().hashLow;
    },
    get postingOffsets() {
      return index().postingOffsets;
    },
    get blockOffsets() {
      return index().blockOffsets;
    },
    sections: (numbers) => blocks(numbers.map((n) => n * 2)).map((block) => inflate(path, block)),
    termSequences: (numbers) => blocks(numbers.map((n) => n * 2 + 1)),
    outline: () => inflate(path, blocks([sectionCount * 2])[0] ?? Buffer.alloc(0)),
  };
}

/** Blocks by number, without their checksums. The first one begins where the index ends. */
function readBlocks(
  path: string,
  { bytes, blockOffsets }: SegmentIndex,
  numbers: readonly number[],
): Buffer[] {
  return reading(path, (fd) =>
    numbers.map((number) => {
      const start = blockOffsets[number] ?? 0;
      const length = (blockOffsets[number + 1] ?? start) - start;
      const block = Buffer.allocUnsafe(length);
      const read = readSync(fd, block, 0, length, bytes + start);
      if (read < length || length < 4) throw new DamagedFile('cut short', path);
      const content = block.subarray(0, length - 4);
      if (crc32(content) !== block.readUInt32LE(length - 4)) {
        throw new DamagedFile('checksum of a section does not match', path);
      }
      return content;
    }),
  );
}

function inflate<T>(path: string, block: Buffer): T {
  try {
    return JSON.parse(inflateRawSync(block).toString()) as T;
  } catch (error) {
    throw new DamagedFile('unreadable block', path, { cause: error });
  }
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
