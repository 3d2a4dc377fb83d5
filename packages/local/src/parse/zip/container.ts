/** Which document a zip container holds. */
import { type ParsedDocument, ParseError } from '../../document.ts';
import { damaged, type FileHints } from '../detect.ts';
import type { ParseLimits } from '../limits.ts';
import { type Archive, openArchive } from './archive.ts';

type Reader = (archive: Archive, limits: ParseLimits) => ParsedDocument;

/** Throws `unsupported` for archives that are no document: what is packed inside is not looked for. */
export async function readContainer(
  bytes: Uint8Array,
  hints: FileHints,
  limits: ParseLimits,
): Promise<ParsedDocument> {
  const expected = /\.(pdf|docx|pptx|xlsx|epub)$/i.exec(hints.filename)?.[1]?.toLowerCase();
  let archive: Archive;
  try {
    archive = openArchive(bytes, limits);
  } catch (error) {
    if (expected && error instanceof ParseError && error.code === 'invalid') throw damaged(expected);
    throw error;
  }
  const reader = await readerFor(archive);
  if (reader) return reader(archive, limits);
  throw new ParseError('unsupported', notADocument(archive));
}

async function readerFor(archive: Archive): Promise<Reader | undefined> {
  const holds = (folder: string) => archive.names.some((name) => name.startsWith(folder));
  if (archive.has('META-INF/container.xml')) return (await import('../epub.ts')).readEpub;
  if (!archive.has('[Content_Types].xml')) return undefined;
  if (holds('word/')) return (await import('../docx/docx.ts')).readDocx;
  if (holds('ppt/')) return (await import('../pptx.ts')).readPptx;
  if (holds('xl/')) return (await import('../xlsx/xlsx.ts')).readXlsx;
  return undefined;
}

function notADocument(archive: Archive): string {
  if (archive.has('mimetype') && archive.has('content.xml')) {
    return 'This is an OpenDocument file. Save it as DOCX, XLSX, PPTX or PDF and ingest that.';
  }
  return 'This is a ZIP archive. Unpack it and ingest the documents inside one by one.';
}
