import { Refusal } from '../refusal.ts';
import { decodeBase64, splitDataUri } from './base64.ts';
import {
  type DocumentSource,
  refuseDigest,
  refuseSize,
  type SourceLimits,
  sourceFromBytes,
} from './document-source.ts';
import { plainName, withSuffix } from './filename.ts';
import { checkBytes, checkEnd, requireParseable, sniff, tailBytes } from './inspect.ts';
import { refusePastedFile } from './pasted.ts';
import { refuseKeys } from './secrets.ts';
import { type DocumentType, extensionOf, mimeOf, typeByExtension, typeByMime } from './types.ts';

export interface BytesOptions extends SourceLimits {
  readonly contentType?: string | undefined;
}

/**
 * A document that was written out as text. Without a name it is named after its first heading.
 * @throws {Refusal} when it is empty, too large, or a file pasted as text (base64, the bytes of a PDF).
 */
export function openText(text: string, options: BytesOptions): DocumentSource {
  if (text.trim() === '') throw new Refusal('text is empty; there is nothing to ingest.');
  refusePastedFile(text, waysOf(options));
  const type = textType(text, options);
  const name = withSuffix(plainName(options.filename ?? firstHeading(text)), type);
  return checked(new Uint8Array(Buffer.from(text, 'utf8')), type, name, 'text', options);
}

/**
 * A document whose bytes came as base64: also with a `data:` prefix, in the URL-safe alphabet, in lines.
 * @throws {Refusal} when the base64 is damaged or cut, or the bytes are not of the type or the sha256 that was named.
 */
export function openBase64(given: string, options: BytesOptions): DocumentSource {
  const { contentType, data } = splitDataUri(given);
  const bytes = decodeBase64(data, options.maxBytes, options.sha256 !== undefined, waysOf(options));
  const type = bytesType(bytes, options.filename, options.contentType ?? contentType, options.local ?? false);
  const name = withSuffix(plainName(options.filename ?? 'document'), type);
  const source = checked(bytes, type, name, 'content_base64', options);
  checkEnd(type, bytes.subarray(-tailBytes), name, waysOf(options));
  return source;
}

function checked(
  bytes: Uint8Array<ArrayBuffer>,
  type: DocumentType,
  filename: string,
  argument: string,
  options: BytesOptions,
): DocumentSource {
  requireParseable(type, filename, options.local ?? false);
  refuseSize(argument, bytes.length, options.maxBytes);
  const source = sourceFromBytes(bytes, filename, mimeOf(type));
  const advice = `It was changed or cut on its way; use ${waysOf(options)} instead of pasting bytes.`;
  refuseDigest(argument, source, options.sha256, advice);
  checkBytes(type, bytes, bytes.subarray(-tailBytes), filename);
  if (type.container === 'text') refuseKeys(bytes, argument);
  return source;
}

const waysOf = ({ fileWays = 'path or url' }: BytesOptions): string => fileWays;

/** What the name or the MIME type says, else what the text looks like. */
function textType(text: string, options: BytesOptions): DocumentType {
  const { filename = '', contentType = '' } = options;
  const looks = /^\s*<(?:!doctype html|html)\b/i.test(text)
    ? 'page.html'
    : /^#{1,6} \S/m.test(text)
      ? 'text.md'
      : 'text.txt';
  const type = typeByExtension(filename) ?? typeByMime(contentType) ?? typeByExtension(looks);
  if (type?.container === 'text') return type;
  throw new Refusal(
    `text cannot be ${type?.name ?? 'of that type'}. Use ${waysOf(options)} for the file, or name the text .md or .txt.`,
  );
}

function bytesType(
  bytes: Uint8Array,
  filename: string | undefined,
  contentType: string | undefined,
  local: boolean,
): DocumentType {
  if (filename !== undefined && extensionOf(filename) !== '') {
    return requireParseable(typeByExtension(filename), filename, local);
  }
  const type = typeByMime(contentType ?? '') ?? sniff(bytes, bytes.subarray(-tailBytes));
  if (type) return type;
  throw new Refusal(
    'The type of content_base64 is not known: pass filename with its extension, such as report.pdf.',
  );
}

/** The first heading, else the first words; what a person would call it. */
function firstHeading(text: string): string {
  const line =
    /^#{1,6} +(.+)$/m.exec(text)?.[1] ?? /\S.*/.exec(text.replace(/<[^>]{0,200}>/g, ' '))?.[0] ?? '';
  const words = line
    .replace(/[*_`#[\]<>|]/g, '')
    .replace(/[\s.,:;]+$/, '')
    .trim();
  return words.length <= 60 ? words : words.slice(0, 60).replace(/\s+\S*$/, '');
}
