import { randomBytes } from 'node:crypto';

/**
 * Marks document text as quoted material. The marker is drawn for each result, so no document can contain it and
 * pretend that its text has ended.
 */
export function fence(text: string): string {
  const marker = randomBytes(6).toString('hex');
  return `<<<document ${marker}>>>\n${text}\n<<<end ${marker}>>>`;
}

/** A title or name from a document, made safe for one line of our own text. */
export function inline(text: string, limit = 160): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
