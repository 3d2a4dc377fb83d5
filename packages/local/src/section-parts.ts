/** Cuts one block into parts that fit a section: rows stay rows, code and lists stay whole where they can. */
import type { Content } from './heading-tree.ts';
import { rowLabel } from './row-label.ts';
import { countWords, pack, splitText } from './words.ts';

/** Words in a section. Retrieval was measured at many sizes: 280 to 400 rank alike, 450 and more rank worse. */
export const MAX_WORDS = 350;
/** Code, a list or a table may be this long before it is cut: whole is worth more than even. */
const MAX_WHOLE = 410;
/** A longer header is no header; repeating it would fill the sections. */
const MAX_HEADER = 80;

export interface Part {
  readonly kind: 'text' | 'code' | 'table';
  readonly text: string;
  readonly words: number;
  readonly pageStart: number | undefined;
  readonly pageEnd: number | undefined;
  readonly rowLabels: readonly string[];
}

/** Parts of a block in reading order, each small enough to be a section. */
export function partsOf(block: Content): Part[] {
  if (block.kind === 'table') return tableParts(block);
  const fence = block.kind === 'code' ? fenceFor(block.text) : undefined;
  return pieces(block.text.trimEnd(), block.kind).map((piece) => ({
    kind: block.kind,
    text: fence ? `${fence}\n${piece}\n${fence}` : piece,
    words: countWords(piece),
    pageStart: block.page,
    pageEnd: block.pageEnd ?? block.page,
    rowLabels: [],
  }));
}

function pieces(text: string, kind: 'text' | 'code'): string[] {
  const words = countWords(text);
  if (words === 0) return [];
  const lines = text.split('\n');
  if (words <= (kind === 'code' || lines.length > 1 ? MAX_WHOLE : MAX_WORDS)) return [text];
  return pack(
    lines.flatMap((line) => splitText(line, MAX_WORDS)),
    MAX_WORDS,
    '\n',
  );
}

/** A fence longer than any run of backticks inside. */
function fenceFor(code: string): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length));
  return '`'.repeat(longest + 1);
}

interface Row {
  readonly text: string;
  readonly page: number | undefined;
}

function tableParts(block: Extract<Content, { kind: 'table' }>): Part[] {
  const rows: Row[] = block.rows.map((text, i) => ({ text, page: block.rowPages?.[i] ?? block.page }));
  const total = countWords(block.rows.join('\n'));
  if (total === 0) return [];
  if (total <= MAX_WHOLE) return [tablePart(rows, [])];
  const head = rows.slice(0, block.headerRows);
  const headWords = countWords(head.map((row) => row.text).join('\n'));
  const repeated = headWords <= MAX_HEADER ? head : [];
  const body = (repeated === head ? rows.slice(head.length) : rows).flatMap((row) =>
    splitText(row.text, MAX_WORDS - MAX_HEADER).map((text) => ({ text, page: row.page })),
  );
  const parts: Part[] = [];
  let current: Row[] = [];
  let used = repeated === head ? headWords : 0;
  for (const row of body) {
    const words = countWords(row.text);
    if (current.length > 0 && used + words > MAX_WORDS) {
      parts.push(tablePart(current, repeated));
      current = [];
      used = repeated === head ? headWords : 0;
    }
    current.push(row);
    used += words;
  }
  if (current.length > 0) parts.push(tablePart(current, repeated));
  return parts;
}

function tablePart(rows: readonly Row[], header: readonly Row[]): Part {
  const text = [...header, ...rows].map((row) => row.text).join('\n');
  return {
    kind: 'table',
    text,
    words: countWords(text),
    pageStart: rows[0]?.page,
    pageEnd: rows.at(-1)?.page,
    rowLabels: rows.map((row) => rowLabel(row.text)).filter((label) => label !== ''),
  };
}
