import type { DocumentIdentity } from '../analysis/identity.ts';

/**
 * Layout of a segment file: everything the engine knows about one generation of one document, never changed once written.
 *
 *   header   128 bytes, below
 *   index    read whole when the folder is opened: meta, lengths, centrality, term hashes, posting offsets, postings,
 *            block offsets
 *   blocks   read on demand, each followed by its CRC-32: per section the deflated section and its term sequence, then
 *            the deflated outline
 *
 * Integers are little-endian; parts of the index begin at multiples of four.
 */

export const MAGIC = 0x31474553; // "SEG1"
export const FORMAT_VERSION = 1;
export const HEADER_BYTES = 128;

/** Byte offsets of the header's fields. */
export const HEADER = {
  magic: 0,
  formatVersion: 4,
  analyserVersion: 8,
  /** Bytes of header and index together. */
  indexLength: 12,
  /** CRC-32 of the header after this field, and the index. */
  indexCrc: 16,
  sectionCount: 20,
  termCount: 24,
  fileLength: 28,
  /** Offset and length of each part, in the order of PARTS. */
  parts: 32,
} as const;

export const PARTS = [
  'meta',
  'lengths',
  'centrality',
  'hashHigh',
  'hashLow',
  'postingOffsets',
  'postings',
  'blockOffsets',
] as const;
export type Part = (typeof PARTS)[number];

/** Fields of a section in the index. `body` is all of its text; `lead` repeats the first words of it. */
export const FIELDS = ['body', 'title', 'ancestors', 'lead'] as const;
export const FIELD_COUNT = FIELDS.length;
export const LEAD_WORDS = 40;

/** What is known of a document besides its sections. */
export interface DocumentMeta {
  readonly id: string;
  readonly title: string;
  readonly filename: string;
  readonly contentType: string;
  readonly byteSize: number;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly pageCount?: number;
  readonly pagesRead?: number;
  /** ISO 639-1, where the language of most of the text was clear. Written by the encoder, as is the next. */
  readonly language?: string;
  readonly identity?: DocumentIdentity;
}

/** A section as it is stored: the parsed section with the estimated tokens of its text. */
export interface OutlineEntry {
  readonly title: string;
  readonly depth: number;
  readonly parent: number;
  readonly tokens: number;
  readonly pageStart?: number;
  readonly pageEnd?: number;
}
