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

/** Undefined when `text` is not one of our URIs. */
export function parseHandle(text: string): Handle | undefined {
  const match = handle.exec(text.trim());
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
  const bare = text.trim().replace(/^["'`]+|["'`]+$/g, '');
  return parseHandle(bare)?.documentId ?? bare;
}
