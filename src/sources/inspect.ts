import { Refusal } from '../refusal.ts';
import {
  type DocumentType,
  documentTypes,
  extensionOf,
  parseableExtensions,
  typeByExtension,
} from './types.ts';

/** How much of the beginning and of the end `checkBytes` wants to see. */
export const headBytes = 4096;
export const tailBytes = 128 * 1024;

const latin1 = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

type Prefix = readonly [bytes: string, name: string];

/** First bytes with which no text begins. */
const neverText: readonly Prefix[] = [
  ['%PDF-', 'a PDF'],
  ['PK\x03\x04', 'a zip archive'],
  ['\x89PNG', 'a PNG image'],
  ['\xff\xd8\xff', 'a JPEG image'],
  ['\xd0\xcf\x11\xe0', 'an old Office file (.doc, .xls, .ppt) or one with a password'],
  ['\x1f\x8b', 'a gzip archive'],
  ['{\\rtf', 'an RTF document'],
];
/** A text may begin with these too; in the binary a NUL follows soon. */
const known: readonly Prefix[] = [
  ...neverText,
  ['GIF8', 'a GIF image'],
  ['\x7fELF', 'a program'],
  ['MZ', 'a Windows program'],
  ['SQLite format 3', 'a database'],
];

/** Refuses a name whose type cannot be parsed here. */
export function requireParseable(
  type: DocumentType | undefined,
  filename: string,
  local: boolean,
): DocumentType {
  const able = `Can be ingested: ${parseableExtensions(local)}.`;
  if (type === undefined) {
    const extension = extensionOf(filename);
    const what = extension === '' ? 'A file without an extension' : `A .${extension} file`;
    throw new Refusal(`${what} cannot be ingested (${filename}). ${able}`);
  }
  if (type.localOnly && !local) {
    throw new Refusal(
      `${filename} is ${type.name}, which only the embedded engine (--local) can parse. Convert it to PDF. ${able}`,
    );
  }
  return type;
}

/**
 * Refuses bytes that are not what the name or the header says. `head` holds the first bytes (`headBytes`, fewer
 * in a short file), `tail` the last (`tailBytes`).
 */
export function checkBytes(type: DocumentType, head: Uint8Array, tail: Uint8Array, filename: string): void {
  const start = latin1(head.subarray(0, headBytes));
  if (type.container === 'pdf' ? start.slice(0, 1024).includes('%PDF-') : looksLike(type, start)) {
    const real = type.container === 'zip' ? typeInsideZip(tail) : undefined;
    if (real === undefined || real === type) return;
    throw new Refusal(`${filename} is not ${type.name}: it is ${real.name}. Give it its right extension.`);
  }
  const found = known.find(([prefix]) => start.startsWith(prefix))?.[1];
  const why = found ?? (start.includes('\0') ? 'binary data' : 'plain text');
  throw new Refusal(`${filename} is not ${type.name}: its first bytes are those of ${why}.`);
}

function looksLike(type: DocumentType, start: string): boolean {
  if (type.container === 'zip') return start.startsWith('PK\x03\x04');
  if (start.startsWith('\xff\xfe') || start.startsWith('\xfe\xff')) return true; // UTF-16, full of NULs
  return !start.includes('\0') && !neverText.some(([prefix]) => start.startsWith(prefix));
}

/** The type of bytes that say it themselves. */
export function sniff(head: Uint8Array, tail: Uint8Array): DocumentType | undefined {
  const start = latin1(head.subarray(0, 1024));
  if (start.startsWith('PK\x03\x04')) return typeInsideZip(tail);
  return start.includes('%PDF-') ? typeByExtension('a.pdf') : undefined;
}

/** Undefined when the archive's directory does not say, or is longer than the tail. */
function typeInsideZip(tail: Uint8Array): DocumentType | undefined {
  const end = latin1(tail);
  for (let at = end.indexOf('PK\x01\x02'); at >= 0; at = end.indexOf('PK\x01\x02', at + 4)) {
    const length = end.charCodeAt(at + 28) + 256 * end.charCodeAt(at + 29);
    const name = end.slice(at + 46, at + 46 + length);
    const type = documentTypes.find(({ entry }) => entry !== undefined && name.startsWith(entry));
    if (type) return type;
  }
  return undefined;
}

/** Refuses a PDF or an archive whose end is missing: bytes that were cut short on their way. */
export function checkEnd(type: DocumentType, tail: Uint8Array, filename: string, fileWays: string): void {
  const end = latin1(tail);
  const whole =
    type.container === 'text' ||
    (type.container === 'pdf' ? end.slice(-2048).includes('%%EOF') : endsInDirectory(end));
  if (whole) return;
  throw new Refusal(
    `${filename} was cut short: the end of ${type.name} is missing. Send all of it, or use ${fileWays} instead.`,
  );
}

function endsInDirectory(end: string): boolean {
  const at = end.lastIndexOf('PK\x05\x06');
  if (at < 0 || end.length < at + 22) return false;
  const commentLength = end.charCodeAt(at + 20) + 256 * end.charCodeAt(at + 21);
  return end.length >= at + 22 + commentLength;
}
