/**
 * Marks document text as quoted material. The marker is drawn for each result, so no document can contain it and
 * pretend that its text has ended.
 */
export function fence(text: string): string {
  // The first 48 bits of a version 4 UUID are random, and Node keeps a stock of them.
  const marker = crypto.randomUUID().replace('-', '').slice(0, 12);
  return `<<<document ${marker}>>>\n${text}\n<<<end ${marker}>>>`;
}

/** A title or name from a document, made safe for one line of our own text. */
export function inline(text: string, limit = 160): string {
  // What follows the first pages of a title cannot matter, and a title can be as long as a book.
  const line = text
    .slice(0, limit * 8)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A title within one of our own sentences, where there is no fence: short, on one line, and unable to end its quotes. */
export function quoted(title: string): string {
  return `"${inline(title, 80).replace(/["“”]/g, '’')}"`;
}
