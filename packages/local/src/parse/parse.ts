/** Bytes to blocks: finds out what a file is and loads only the reader it needs. */
import { type ParsedDocument, ParseError } from '../document.ts';
import { charsetOf, decodeText } from './decode.ts';
import { detectFormat, type Format } from './detect.ts';
import { DEFAULT_LIMITS, type ParseLimits } from './limits.ts';

export interface ParseInput {
  readonly bytes: Uint8Array;
  readonly filename: string;
  readonly contentType?: string | undefined;
  readonly limits?: Partial<ParseLimits> | undefined;
}

/** Throws nothing but ParseError, whose message says what is wrong with the file and what to do about it. */
export async function parseDocument({
  bytes,
  filename,
  contentType,
  limits,
}: ParseInput): Promise<ParsedDocument> {
  const bounds = { ...DEFAULT_LIMITS, ...limits };
  try {
    const format = detectFormat(bytes, { filename, contentType });
    const parsed = await read(format, bytes, filename, contentType, bounds);
    if (!parsed.blocks.some(hasText)) {
      throw new ParseError(
        'no_text',
        'This file holds no text. If its pages are pictures, run OCR and ingest the result.',
      );
    }
    return parsed;
  } catch (error) {
    if (error instanceof ParseError) throw error;
    throw new ParseError(
      'invalid',
      'This file could not be read: it is damaged or of an unknown variant. Convert it to PDF and ingest that.',
      { cause: error },
    );
  }
}

async function read(
  format: Format | 'zip',
  bytes: Uint8Array,
  filename: string,
  contentType: string | undefined,
  limits: ParseLimits,
): Promise<ParsedDocument> {
  const text = (declared = charsetOf(contentType)) => decodeText(bytes, limits.textChars, declared);
  switch (format) {
    case 'markdown':
      return (await import('./markdown.ts')).readMarkdown(text());
    case 'html':
      return (await import('./html/html.ts')).readHtml(text(charsetOf(contentType) ?? htmlCharset(bytes)));
    case 'pdf':
      return (await import('./pdf/pdf.ts')).readPdf(bytes, limits);
    case 'text':
      return (await import('./plain-text.ts')).readPlainText(text());
    case 'csv':
      return (await import('./csv.ts')).readCsv(text(), filename, limits);
    default:
      return (await import('./zip/container.ts')).readContainer(bytes, { filename, contentType }, limits);
  }
}

/** `<meta charset>` or its http-equiv form must stand in the first 1,024 bytes. */
function htmlCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1_024)).toString(
    'latin1',
  );
  return charsetOf(/<meta[^>]+charset[^>]*>/i.exec(head)?.[0]);
}

function hasText(block: ParsedDocument['blocks'][number]): boolean {
  return block.kind === 'table' ? block.rows.length > 0 : block.text.trim() !== '';
}
