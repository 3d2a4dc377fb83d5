import { createHash, randomBytes } from 'node:crypto';

/**
 * Ids are in every result that a model reads, some twice: 18 digits are 8 tokens of o200k, a UUID is 24. Sixty bits are
 * enough for the documents of one folder.
 */
const digits = 18;
const DOCUMENT = /^doc_\d{18}$/;
const SECTION = /^sec_(\d{18})_(\d{1,7})$/;

export function newDocumentId(): string {
  return fromBytes(randomBytes(8));
}

/**
 * The id of the document that an idempotency key names, the same in every process, so that two of them cannot create it
 * twice. `round` counts the documents of that key that were deleted before.
 */
export function documentIdForKey(key: string, round: number): string {
  return fromBytes(createHash('sha256').update(`${round}\0${key}`).digest());
}

function fromBytes(bytes: Buffer): string {
  const number = bytes.readBigUInt64BE() % 10n ** BigInt(digits);
  return `doc_${String(number).padStart(digits, '0')}`;
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
