import type { NewDocument } from '../store/document-store.ts';
import { Refused } from './answers.ts';
import { readBody, readJson, stringField } from './body.ts';

/** Types that the API guesses from a file name when none is sent. */
const GUESSES: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  txt: 'text/plain',
  html: 'text/html',
  htm: 'text/html',
  pdf: 'application/pdf',
};
const MAX_NAME = 500;

/** The document in a POST: a multipart body with one part `file` that has a file name, or JSON with text. */
export async function readUpload(request: Request, limit: number): Promise<NewDocument> {
  const contentType = request.headers.get('content-type') ?? '';
  if (contentType.startsWith('multipart/form-data')) return fromForm(request, contentType, limit);
  if (contentType.startsWith('application/json')) return fromJson(request, limit);
  throw new Refused(415, 'use multipart/form-data (file) or application/json (content)');
}

async function fromForm(request: Request, contentType: string, limit: number): Promise<NewDocument> {
  const bytes = await readBody(request, limit);
  const file = await partNamedFile(bytes, contentType);
  if (!file?.name) throw new Refused(400, 'missing form field "file"');
  return {
    filename: cleanName(file.name),
    contentType: file.type || guessType(file.name),
    bytes: new Uint8Array(await file.arrayBuffer()),
  };
}

async function partNamedFile(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<File | undefined> {
  try {
    const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
    const part = form.get('file');
    return part instanceof File ? part : undefined;
  } catch (error) {
    const cause = error instanceof Error ? error.message : 'not multipart';
    throw new Refused(400, `invalid multipart body: ${cause}`);
  }
}

async function fromJson(request: Request, limit: number): Promise<NewDocument> {
  const body = await readJson(request, limit);
  const content = stringField(body, 'content');
  if (!content) throw new Refused(400, '"content" is required');
  const filename = cleanName(stringField(body, 'filename'));
  return {
    filename,
    contentType: (stringField(body, 'content_type') || guessType(filename)).slice(0, MAX_NAME),
    bytes: new TextEncoder().encode(content),
  };
}

function guessType(filename: string): string {
  const extension = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
  return GUESSES[extension] ?? 'application/octet-stream';
}

/** The name without folders, as any system writes them. */
function cleanName(filename: string): string {
  return filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1).slice(-MAX_NAME);
}
