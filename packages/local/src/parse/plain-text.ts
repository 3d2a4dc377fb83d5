/** Plain text: paragraphs between blank lines, a few sure kinds of headings, form feeds as page ends. */
import type { Block, ParsedDocument } from '../document.ts';
import { cleanText, oneLine } from './clean.ts';
import { joinCells } from './table-rows.ts';

const MAX_HEADING = 90;
const NUMBERED = /^(\d{1,2}(?:\.\d{1,3}){0,4})\.?\s+\p{Lu}/u;
const NAMED =
  /^(?:part|chapter|section|article|appendix|annex|schedule|item)\s+(?:\d+|[ivxlc]+|[a-z]|one|two|three|four|five|six)\b/i;
const UNDERLINE = /^\s*(={3,}|-{3,}|~{3,}|\*{3,})\s*$/;

type Heading = Extract<Block, { kind: 'heading' }>;

export function readPlainText(source: string): ParsedDocument {
  const text = cleanText(source).replace(/\r\n?/g, '\n');
  const pages = text.split('\f');
  const blocks: Block[] = [];
  pages.forEach((page, i) => {
    const at = pages.length > 1 ? { page: i + 1 } : {};
    for (const paragraph of page.split(/\n(?:[ \t]*\n)+/)) {
      for (const block of blocksOf(paragraph)) blocks.push({ ...block, ...at });
    }
  });
  const first = blocks.find((block) => block.kind === 'heading');
  const title = first?.kind === 'heading' && first === blocks[0] ? first.text : '';
  return { title, blocks, ...(pages.length > 1 ? { pageCount: pages.length, pagesRead: pages.length } : {}) };
}

function blocksOf(paragraph: string): Block[] {
  const lines = paragraph.split('\n').map((line) => line.trimEnd());
  while (lines[0] === '') lines.shift();
  while (lines.at(-1) === '') lines.pop();
  if (lines.length === 0) return [];
  const underline = UNDERLINE.exec(lines[1] ?? '')?.[1];
  const heading: Heading | undefined = underline
    ? { kind: 'heading', text: oneLine(lines[0] ?? ''), level: underline.startsWith('=') ? 1 : 2 }
    : lines.length === 1
      ? loneHeading(lines[0] ?? '')
      : undefined;
  const rest = heading ? lines.slice(underline ? 2 : 1) : lines;
  const body = rest.length === 0 ? [] : [tabbed(rest) ?? textBlock(rest)];
  return heading && heading.text !== '' ? [heading, ...body] : body;
}

/** A line between blank lines is a heading when it is numbered, named or in capitals, and no sentence. */
function loneHeading(raw: string): Heading | undefined {
  const line = oneLine(raw);
  if (line.length > MAX_HEADING || /[.;,:!?]$/.test(line)) return undefined;
  const number = NUMBERED.exec(line)?.[1];
  if (number) return { kind: 'heading', text: line, level: 1 + number.split('.').length };
  if (NAMED.test(line)) return { kind: 'heading', text: line, level: 1 };
  const letters = line.match(/\p{L}/gu)?.length ?? 0;
  const capitals = letters >= 4 && line === line.toUpperCase() && line !== line.toLowerCase();
  return capitals ? { kind: 'heading', text: line, level: 2 } : undefined;
}

function textBlock(lines: readonly string[]): Block {
  return { kind: 'text', text: lines.join('\n') };
}

/** Lines that all have the same tabs are rows. */
function tabbed(lines: readonly string[]): Block | undefined {
  const rows = lines.map((line) => line.split('\t'));
  const columns = rows[0]?.length ?? 0;
  if (rows.length < 3 || columns < 2 || rows.some((row) => row.length !== columns)) return undefined;
  return { kind: 'table', rows: rows.map(joinCells), headerRows: 1 };
}
