import { createHash, randomUUID } from 'node:crypto';

const DOCUMENT = /^doc_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SECTION = /^sec_([0-9a-f-]{36})_(\d{1,7})$/;

export function newDocumentId(): string {
  return `doc_${randomUUID()}`;
}

/**
 * The id of the document that an idempotency key names, the same in every process, so that two of them cannot create it
 * twice. `round` counts the documents of that key that were deleted before. A UUID of version 8 (RFC 9562).
 */
export function documentIdForKey(key: string, round: number): string {
  const hex = createHash('sha256').update(`${round}\0${key}`).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `doc_${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** True for what may become part of a file name. */
export function isDocumentId(id: string): boolean {
  return DOCUMENT.test(id);
}

export function sectionId(documentId: string, number: number): string {
  return `sec_${documentId.slice(4)}_${number}`;
}

export function parseSectionId(id: string): { documentId: string; number: number } | undefined {
  const match = SECTION.exec(id);
  const documentId = `doc_${match?.[1]}`;
  return match && isDocumentId(documentId) ? { documentId, number: Number(match[2]) } : undefined;
}
