/** How long a text is to a reader, in words: what sections are measured in. */

/** Scripts written without spaces: about two characters make a word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
/** A token longer than any word (a URL, a data dump) weighs by its length, so that no section grows without bound. */
const LONGEST_WORD = 40;
const LETTERS_A_WORD = 8;
/** The bars between cells are not words, but whoever counts by white space counts them: they weigh a little. */
const BARS_WEIGHT = 0.85;

export function countWords(text: string): number {
  let words = 0;
  let tokens = 0;
  let start = -1;
  let ascii = true;
  for (let i = 0; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : 0x20;
    if (!isSpace(code)) {
      if (start < 0) start = i;
      if (code > 127) ascii = false;
    } else if (start >= 0) {
      tokens++;
      words += wordsOfToken(text, start, i, ascii);
      start = -1;
      ascii = true;
    }
  }
  return Math.max(words, Math.ceil(tokens * BARS_WEIGHT));
}

function isSpace(code: number): boolean {
  return (
    code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0 || code === 0x3000 || code === 0x2028
  );
}

function wordsOfToken(text: string, start: number, end: number, ascii: boolean): number {
  const length = end - start;
  if (length === 1 && text[start] === '|') return 0;
  const unspaced = ascii ? 0 : (text.slice(start, end).match(UNSPACED)?.length ?? 0);
  if (unspaced > 1) return Math.ceil(unspaced / 2);
  return length > LONGEST_WORD ? Math.ceil(length / LETTERS_A_WORD) : 1;
}

/** Pieces of at most about `limit` words, cut between sentences, then between words, then anywhere. */
export function splitText(text: string, limit: number): string[] {
  if (countWords(text) <= limit) return [text];
  return pack(sentences(text), limit, '').flatMap((piece) =>
    countWords(piece) <= limit ? [piece] : pack(piece.split(/(?<=\s)(?=\S)/).flatMap(shortTokens), limit, ''),
  );
}

/** Joins neighbours as long as they fit; an item that does not fit stands alone. */
export function pack(items: readonly string[], limit: number, glue: string): string[] {
  const out: string[] = [];
  let current: string[] = [];
  let used = 0;
  for (const item of items) {
    const words = countWords(item);
    if (current.length > 0 && used + words > limit) {
      out.push(current.join(glue).trimEnd());
      current = [];
      used = 0;
    }
    current.push(item);
    used += words;
  }
  if (current.length > 0) out.push(current.join(glue).trimEnd());
  return out;
}

/** With the space that follows each, so that joining them gives the text back. */
function sentences(text: string): string[] {
  return text.split(/(?<=[.!?;:…]\s)(?=\S)|(?<=[。！？；])/u);
}

function shortTokens(token: string): string[] {
  if (token.length <= 200) return [token];
  const out: string[] = [];
  for (let i = 0; i < token.length; i += 200) out.push(token.slice(i, i + 200));
  return out;
}
