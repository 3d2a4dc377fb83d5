/** What a file is: by its content first, then by its name, then by what its sender says. */
import { ParseError } from '../document.ts';
import { looksBinary } from './decode.ts';

export type Format = 'pdf' | 'docx' | 'pptx' | 'xlsx' | 'epub' | 'html' | 'markdown' | 'csv' | 'text';

const SUPPORTED = 'PDF, DOCX, PPTX, XLSX, CSV, EPUB, HTML, Markdown and plain text';

const BY_EXTENSION: Readonly<Record<string, Format>> = {
  pdf: 'pdf',
  docx: 'docx',
  docm: 'docx',
  dotx: 'docx',
  pptx: 'pptx',
  pptm: 'pptx',
  ppsx: 'pptx',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  epub: 'epub',
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  md: 'markdown',
  markdown: 'markdown',
  mdown: 'markdown',
  mkd: 'markdown',
  mdx: 'markdown',
  csv: 'csv',
  tsv: 'csv',
};

const BY_CONTENT_TYPE: readonly (readonly [RegExp, Format])[] = [
  [/^application\/(?:x-)?pdf/, 'pdf'],
  [/wordprocessingml/, 'docx'],
  [/presentationml/, 'pptx'],
  [/spreadsheetml/, 'xlsx'],
  [/^application\/epub/, 'epub'],
  [/^(?:text\/html|application\/xhtml)/, 'html'],
  [/^text\/(?:x-)?markdown/, 'markdown'],
  [/^(?:text|application)\/(?:csv|tab-separated-values)/, 'csv'],
];

const ZIPPED = new Set<Format>(['docx', 'pptx', 'xlsx', 'epub']);

/** Other files by their first bytes in hex, with what to do about them. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:89504e47|ffd8ff|47494638|49492a00|4d4d002a|52494646.{8}57454250)/,
    'an image. Run OCR and ingest the text or the PDF that it makes',
  ],
  [/^7b5c727466/, 'a Rich Text (RTF) file. Save it as DOCX or PDF and ingest that'],
  [/^25215053/, 'a PostScript file. Convert it to PDF and ingest that'],
  [
    /^(?:1f8b|52617221|377abcaf|425a68|fd377a585a)/,
    'a compressed archive. Unpack it and ingest the documents inside',
  ],
  [/^(?:7f454c46|4d5a9000|cafebabe|cffaedfe)/, 'a program, not a document'],
];

export interface FileHints {
  readonly filename: string;
  readonly contentType?: string | undefined;
}

/** `zip` stands for a container whose entries tell the format. Throws `empty`, `unsupported`, `invalid`, `encrypted`. */
export function detectFormat(bytes: Uint8Array, hints: FileHints): Format | 'zip' {
  if (bytes.length === 0)
    throw new ParseError('empty', 'This file is empty: it has no bytes. Check the upload and send it again.');
  const start = latin1(bytes.subarray(0, 64));
  const hex = Buffer.from(start, 'latin1').toString('hex');
  const named = nameFormat(hints);
  if (pdfHeader(bytes)) return 'pdf';
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06')) return 'zip';
  if (start.startsWith('\xd0\xcf\x11\xe0')) throw compoundFile(bytes);
  for (const [magic, what] of OTHERS) {
    if (magic.test(hex)) throw new ParseError('unsupported', `This is ${what}.`);
  }
  if (looksBinary(bytes)) {
    if (named === 'pdf' || (named && ZIPPED.has(named))) throw damaged(named);
    throw new ParseError(
      'unsupported',
      `This file is not text and of no known type. Supported are ${SUPPORTED}.`,
    );
  }
  const html = startsAsHtml(bytes);
  if (named === 'pdf' || (named && ZIPPED.has(named))) {
    if (!html) throw damaged(named);
    throw new ParseError(
      'invalid',
      `This file is named as ${named.toUpperCase()} but holds a web page, often an error page that was saved in its place. Download the document again.`,
    );
  }
  return html && named !== 'markdown' ? 'html' : (named ?? 'text');
}

function startsAsHtml(bytes: Uint8Array): boolean {
  // Without its byte order mark and the zeros of UTF-16, markup is ASCII.
  const start = latin1(bytes.subarray(0, 2_000))
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .replaceAll('\0', '');
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body)\b/is.test(start);
}

function nameFormat({ filename, contentType }: FileHints): Format | undefined {
  const extension = /\.([a-z0-9]{1,8})$/i.exec(filename.trim())?.[1]?.toLowerCase();
  const byName = extension ? BY_EXTENSION[extension] : undefined;
  const type = contentType?.trim().toLowerCase() ?? '';
  return byName ?? BY_CONTENT_TYPE.find(([pattern]) => pattern.test(type))?.[1];
}

/** Readers accept junk before the header, so does this: it is common in files from mail gateways. */
function pdfHeader(bytes: Uint8Array): boolean {
  return latin1(bytes.subarray(0, 8_192)).includes('%PDF-');
}

/** Old Office files and encrypted new ones share a container. */
function compoundFile(bytes: Uint8Array): ParseError {
  const names = latin1(bytes.subarray(0, 1_000_000)).replaceAll('\0', '');
  if (names.includes('EncryptedPackage')) return encryptedFile('document');
  return new ParseError(
    'unsupported',
    'This is an Office file of the old format (DOC, XLS, PPT). Save it as DOCX, XLSX or PPTX and ingest that.',
  );
}

export function encryptedFile(what: string): ParseError {
  return new ParseError(
    'encrypted',
    `This ${what} is encrypted with a password. Remove the password and ingest the result.`,
  );
}

export function damaged(format: string): ParseError {
  return new ParseError(
    'invalid',
    `This file is not a valid ${format.toUpperCase()}: it is damaged or cut short. Check that it opens, then send it again.`,
  );
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
