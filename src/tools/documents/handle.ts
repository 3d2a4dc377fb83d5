/** The handle of a section: citation, resource URI and argument of vectorless_get_section at once. */

export function documentUri(documentId: string): string {
  return `vectorless://documents/${encodeURIComponent(documentId)}`;
}

export function sectionUri(documentId: string, sectionId: string): string {
  return `${documentUri(documentId)}/sections/${encodeURIComponent(sectionId)}`;
}

const handle = /^<?vectorless:\/\/documents\/([^/?#>]+)(?:\/sections\/([^/?#>]+))?\/?>?$/;

export interface Handle {
  readonly documentId: string;
  readonly sectionId?: string;
}

/** One of our URIs within a sentence or a Markdown link, as models cite it: `[Title](vectorless://…), p. 5`. */
const cited = /vectorless:\/\/documents\/[^\s?#<>()[\]"'`,;]*[^\s?#<>()[\]"'`,;.:!]/;

/** Undefined when `text` neither is one of our URIs nor holds one. */
export function parseHandle(text: string): Handle | undefined {
  const match = handle.exec(text.trim()) ?? handle.exec(cited.exec(text.slice(0, 4_000))?.[0] ?? '');
  if (match?.[1] === undefined) return undefined;
  try {
    const documentId = decodeURIComponent(match[1]);
    return match[2] === undefined ? { documentId } : { documentId, sectionId: decodeURIComponent(match[2]) };
  } catch {
    return undefined;
  }
}

/** A document id as a model writes it: the id itself, its URI, or either in quotes or backticks. */
export function toDocumentId(text: string): string {
  return parseHandle(text)?.documentId ?? unquoted(text);
}

/** A section id as a model writes it; undefined for the URI of a document. */
export function toSectionId(text: string): string | undefined {
  const named = parseHandle(text);
  return named === undefined ? unquoted(text) : named.sectionId;
}

function unquoted(text: string): string {
  return text.trim().replace(/^["'`]+|["'`]+$/g, '');
}
