import { crc32, deflateRawSync } from 'node:zlib';
import { ANALYSER_VERSION, analyse } from '../analysis/analyse.ts';
import { languageOfDocument } from '../analysis/detect-language.ts';
import { identityOf } from '../analysis/identity.ts';
import { ENGLISH, type Language } from '../analysis/languages.ts';
import { rowCentrality } from '../analysis/row-centrality.ts';
import type { ParsedSection } from '../document.ts';
import { getOrAdd } from '../get-or-add.ts';
import {
  type DocumentMeta,
  FIELD_COUNT,
  FORMAT_VERSION,
  HEADER,
  HEADER_BYTES,
  LEAD_WORDS,
  MAGIC,
  type OutlineEntry,
  PARTS,
  type Part,
} from './segment-format.ts';
import { hashTerm } from './term-hash.ts';
import { estimateTokens } from './tokens.ts';
import { VarintWriter } from './varint.ts';

interface Term {
  readonly hash: readonly [number, number];
  /** Section, then its frequency in each field, repeated. */
  readonly postings: number[];
  ordinal: number;
}

/** Encodes a document and its index as the bytes of one segment file. */
export function encodeSegment(meta: DocumentMeta, sections: readonly ParsedSection[]): Uint8Array {
  const clear = languageOfDocument(sections);
  const language = clear ?? ENGLISH;
  const bodies = sections.map((section) => analyse(section.text, language));
  const lengths = new Uint16Array(sections.length * FIELD_COUNT);
  const terms = invert(sections, bodies, lengths, language);
  const sorted = [...terms.values()].sort((a, b) => a.hash[0] - b.hash[0] || a.hash[1] - b.hash[1]);
  sorted.forEach((term, ordinal) => {
    term.ordinal = ordinal;
  });

  const { postings, offsets } = encodePostings(sorted);
  const blocks = encodeBlocks(sections, bodies, terms);
  const index: Record<Part, Uint8Array> = {
    meta: new TextEncoder().encode(
      JSON.stringify({ ...meta, language: clear?.code, identity: identityOf(meta, sections, language) }),
    ),
    lengths: bytesOf(lengths),
    centrality: rowCentrality(sections, bodies, language),
    hashHigh: bytesOf(Uint32Array.from(sorted, (term) => term.hash[0])),
    hashLow: bytesOf(Uint32Array.from(sorted, (term) => term.hash[1])),
    postingOffsets: bytesOf(offsets),
    postings,
    blockOffsets: bytesOf(blocks.offsets),
  };
  return assemble(index, blocks.bytes, sections.length, sorted.length);
}

function invert(
  sections: readonly ParsedSection[],
  bodies: readonly string[][],
  lengths: Uint16Array,
  language: Language,
): Map<string, Term> {
  const terms = new Map<string, Term>();
  sections.forEach((section, i) => {
    // A heading with nothing of its own is there for the tree, not to be found.
    if (!section.text.trim()) return;
    const fields = [
      bodies[i] ?? [],
      analyse(section.titles.join('\n'), language),
      analyse(section.headingPath.slice(-3).join('\n'), language),
      analyse(section.text.split(/\s+/, LEAD_WORDS).join(' '), language),
    ];
    const counts = new Map<string, number[]>();
    fields.forEach((found, field) => {
      lengths[i * FIELD_COUNT + field] = Math.min(found.length, 0xffff);
      for (const term of found) {
        const count = getOrAdd(counts, term, () => new Array<number>(FIELD_COUNT).fill(0));
        count[field] = (count[field] ?? 0) + 1;
      }
    });
    for (const [text, count] of counts) {
      const term = getOrAdd(terms, text, () => ({ hash: hashTerm(text), postings: [], ordinal: 0 }));
      term.postings.push(i, ...count);
    }
  });
  return terms;
}

/**
 * A posting list is its length, then for each section the gap from the one before, then `body frequency × 8 + mask`, then
 * the frequencies of the other fields that the mask names.
 */
function encodePostings(sorted: readonly Term[]): { postings: Uint8Array; offsets: Uint32Array } {
  const writer = new VarintWriter();
  const offsets = new Uint32Array(sorted.length + 1);
  sorted.forEach((term, ordinal) => {
    offsets[ordinal] = writer.length;
    const flat = term.postings;
    writer.push(flat.length / (FIELD_COUNT + 1));
    let previous = 0;
    for (let at = 0; at < flat.length; at += FIELD_COUNT + 1) {
      const [section = 0, body = 0, title = 0, ancestors = 0, lead = 0] = flat.slice(
        at,
        at + FIELD_COUNT + 1,
      );
      writer.push(section - previous);
      previous = section;
      writer.push(body * 8 + (title ? 1 : 0) + (ancestors ? 2 : 0) + (lead ? 4 : 0));
      for (const frequency of [title, ancestors, lead]) if (frequency) writer.push(frequency);
    }
  });
  offsets[sorted.length] = writer.length;
  return { postings: writer.bytes(), offsets };
}

/** Blocks in file order: section 0, its term sequence, section 1, …, outline. Offsets count from the first block. */
function encodeBlocks(
  sections: readonly ParsedSection[],
  bodies: readonly string[][],
  terms: ReadonlyMap<string, Term>,
): { bytes: Uint8Array[]; offsets: Uint32Array } {
  const bytes: Uint8Array[] = [];
  const offsets = new Uint32Array(sections.length * 2 + 2);
  let length = 0;
  const add = (block: Uint8Array) => {
    offsets[bytes.length] = length;
    const withCrc = new Uint8Array(block.length + 4);
    withCrc.set(block);
    new DataView(withCrc.buffer).setUint32(block.length, crc32(block), true);
    bytes.push(withCrc);
    length += withCrc.length;
  };
  sections.forEach((section, i) => {
    add(deflateRawSync(JSON.stringify(section)));
    const sequence = new VarintWriter();
    for (const term of bodies[i] ?? []) sequence.push(terms.get(term)?.ordinal ?? 0);
    add(sequence.bytes());
  });
  const outline: OutlineEntry[] = sections.map(({ title, depth, parent, text, pageStart, pageEnd }) => ({
    title,
    depth,
    parent,
    tokens: estimateTokens(text),
    ...(pageStart !== undefined && { pageStart }),
    ...(pageEnd !== undefined && { pageEnd }),
  }));
  add(deflateRawSync(JSON.stringify(outline)));
  offsets[bytes.length] = length;
  return { bytes, offsets };
}

function assemble(
  index: Record<Part, Uint8Array>,
  blocks: readonly Uint8Array[],
  sectionCount: number,
  termCount: number,
): Uint8Array {
  let indexLength = HEADER_BYTES;
  const places = PARTS.map((part) => {
    const place = { part, offset: indexLength, length: index[part].length };
    indexLength += Math.ceil(place.length / 4) * 4;
    return place;
  });
  const fileLength = blocks.reduce((sum, block) => sum + block.length, indexLength);
  const file = new Uint8Array(fileLength);
  const header = new DataView(file.buffer, 0, HEADER_BYTES);
  header.setUint32(HEADER.magic, MAGIC, true);
  header.setUint32(HEADER.formatVersion, FORMAT_VERSION, true);
  header.setUint32(HEADER.analyserVersion, ANALYSER_VERSION, true);
  header.setUint32(HEADER.indexLength, indexLength, true);
  header.setUint32(HEADER.sectionCount, sectionCount, true);
  header.setUint32(HEADER.termCount, termCount, true);
  header.setUint32(HEADER.fileLength, fileLength, true);
  places.forEach(({ part, offset, length }, i) => {
    header.setUint32(HEADER.parts + i * 8, offset, true);
    header.setUint32(HEADER.parts + i * 8 + 4, length, true);
    file.set(index[part], offset);
  });
  header.setUint32(HEADER.indexCrc, crc32(file.subarray(HEADER.sectionCount, indexLength)), true);
  let at = indexLength;
  for (const block of blocks) {
    file.set(block, at);
    at += block.length;
  }
  return file;
}

function bytesOf(array: Uint16Array | Uint32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
