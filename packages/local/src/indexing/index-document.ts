import { type ParsedDocument, type ParsedSection, ParseError } from '../document.ts';
import { parseDocument } from '../parse/parse.ts';
import { cutSections } from '../sections.ts';
import type { DocumentMeta } from '../store/segment-format.ts';
import { openSegment } from '../store/segment-reader.ts';
import { encodeSegment } from '../store/segment-writer.ts';
import { readSource } from '../store/source-file.ts';

/** Reads, parses and indexes a stored document; the answer is its segment. Throws ParseError, DamagedFile. */
export async function indexDocument(sourcePath: string): Promise<Uint8Array> {
  const { head, bytes } = readSource(sourcePath);
  const { filename, contentType } = head;
  const parsed = await parseDocument({ bytes, filename, contentType });
  const sections = cutSections(parsed);
  if (!sections.some((section) => section.text.trim())) {
    throw new ParseError('no_text', 'the file holds no text that can be read');
  }
  return encodeSegment(metaOf(head, parsed), sections);
}

function metaOf(head: Omit<DocumentMeta, 'title' | 'updatedAt'>, parsed: ParsedDocument): DocumentMeta {
  const { id, filename, contentType, byteSize, createdAt } = head;
  return {
    id,
    filename,
    contentType,
    byteSize,
    createdAt,
    updatedAt: new Date().toISOString(),
    title: parsed.title.trim() || filename || id,
    ...(parsed.pageCount !== undefined && { pageCount: parsed.pageCount }),
    ...(parsed.pagesRead !== undefined && { pagesRead: parsed.pagesRead }),
  };
}

/** Indexes the stored text of a segment again, for a newer analyser. Throws DamagedFile. */
export function reindexSegment(segmentPath: string): Uint8Array {
  const segment = openSegment(segmentPath);
  const numbers = Array.from({ length: segment.sectionCount }, (_, number) => number);
  const sections: ParsedSection[] = segment.sections(numbers);
  return encodeSegment(segment.meta, sections);
}
