import { Refusal } from '../refusal.ts';
import { plainName, withSuffix } from './filename.ts';
import { sniff, tailBytes } from './inspect.ts';
import { type DocumentType, parseableExtensions, typeByExtension, typeByMime } from './types.ts';

export interface WebAnswer {
  /** Where it was found in the end. */
  readonly url: URL;
  readonly contentType: string;
  readonly contentDisposition: string;
  readonly bytes: Uint8Array;
}

/** Type and file name of what a web server sent: its bytes decide first, then its header, then its name. */
export function typeOfAnswer(
  answer: WebAnswer,
  asked: URL,
  local: boolean,
): { type: DocumentType; filename: string } {
  const names = [dispositionName(answer.contentDisposition), lastSegment(answer.url), lastSegment(asked)];
  const name =
    names.find((each) => typeByExtension(each)) ?? names.find((each) => each !== '') ?? answer.url.hostname;
  const type = decide(answer, typeByExtension(name), name);
  if (type === undefined) {
    throw new Refusal(
      `The address answered with ${answer.contentType || 'an unknown type'}, which cannot be ingested. Can be: ${parseableExtensions(local)}.`,
    );
  }
  return { type, filename: withSuffix(plainName(name), type) };
}

function decide(
  { bytes, contentType }: WebAnswer,
  named: DocumentType | undefined,
  name: string,
): DocumentType | undefined {
  const seen = sniff(bytes, bytes.subarray(-tailBytes));
  if (seen) return seen;
  const declared = typeByMime(contentType);
  const isPage = /^\s*(?:<\?xml[^>]{0,200}>\s*)?<(?:!doctype html|html)\b/i.test(
    Buffer.from(bytes.subarray(0, 1024))
      .toString('utf8')
      .replace(/^\ufeff/, ''),
  );
  if (isPage && named !== undefined && named.container !== 'text') {
    throw new Refusal(
      `The address answered with an HTML page instead of ${named.name} (${name}): probably a login or preview page. Give the direct link, or download it and ingest the file.`,
    );
  }
  if (isPage && declared?.container !== 'pdf' && declared?.container !== 'zip')
    return typeByMime('text/html');
  // Servers call every text text/plain, and every file octet-stream.
  const isVague = declared === undefined || declared === typeByMime('text/plain');
  const isText = /^(?:text\/plain|application\/octet-stream|binary\/octet-stream|)\s*(?:;|$)/i.test(
    contentType,
  );
  return isVague && isText ? (named ?? declared) : declared;
}

function dispositionName(header: string): string {
  const extended = /filename\*\s*=\s*(?:utf-8|iso-8859-1)'[^']*'([^;\s]+)/i.exec(header)?.[1];
  if (extended !== undefined) return decoded(extended);
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header);
  return plain ? (plain[1]?.replace(/\\(.)/g, '$1') ?? plain[2] ?? '') : '';
}

function lastSegment(url: URL): string {
  return decoded(url.pathname.split('/').filter(Boolean).at(-1) ?? '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
