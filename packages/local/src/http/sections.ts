import type { ParsedSection } from '../document.ts';
import { parseSectionId, sectionId } from '../store/document-id.ts';
import { estimateTokens } from '../store/tokens.ts';
import { json, Refused } from './answers.ts';
import type { Engine } from './documents.ts';
import { readingDocument } from './reading.ts';

export function getSection(engine: Engine, id: string): Response {
  const place = parseSectionId(id);
  const document = place && engine.store.get(place.documentId);
  const segment = document?.segment;
  if (!place || !segment || place.number >= segment.sectionCount) throw new Refused(404, 'section not found');
  const [section] = readingDocument(engine, document.id, (current) => current.sections([place.number]));
  if (!section) throw new Refused(404, 'section not found');
  return json(200, {
    document_id: place.documentId,
    ordinal: place.number,
    depth: section.depth,
    metadata: {},
    ...sectionFields(place.documentId, place.number, section),
  });
}

/** What a section has in common wherever it is answered. */
export function sectionFields(
  documentId: string,
  number: number,
  section: ParsedSection,
): Record<string, unknown> {
  const { title, parent, text, headingPath, pageStart, pageEnd } = section;
  return {
    id: sectionId(documentId, number),
    parent_id: parent >= 0 ? sectionId(documentId, parent) : '',
    title,
    summary: '',
    token_count: estimateTokens(text),
    content: text,
    heading_path: headingPath,
    ...(pageStart !== undefined && { page_start: pageStart }),
    ...(pageEnd !== undefined && { page_end: pageEnd }),
  };
}
