/** Markdown: headings, lists, tables and code by the GFM lexer; prose is kept as it is written. */
import { lexer, type Token, type Tokens } from 'marked';
import type { Block, ParsedDocument } from '../document.ts';
import { cleanText, oneLine } from './clean.ts';
import { readHtml } from './html/html.ts';
import { readPlainText } from './plain-text.ts';
import { joinCells } from './table-rows.ts';

const FRONT_MATTER = /^---[ \t]*\n([\s\S]*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/;
const CONTENTS = /^(?:table of )?contents$/i;

export function readMarkdown(source: string): ParsedDocument {
  const text = cleanText(source).replace(/\r\n?/g, '\n');
  const front = FRONT_MATTER.exec(text);
  const tokens = lex(front ? text.slice(front[0].length) : text);
  if (!tokens) return readPlainText(text);
  const blocks = dropContents(tokens.flatMap(blocksOf));
  const matter = front?.[1]?.trim();
  if (matter) blocks.unshift({ kind: 'text', text: matter });
  return { title: frontTitle(matter) ?? firstTitle(blocks), blocks };
}

/** Nesting deep enough to exhaust the lexer's stack is no document; its text is still text. */
function lex(text: string): Token[] | undefined {
  try {
    return lexer(text);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function blocksOf(token: Token): readonly Block[] {
  switch (token.type) {
    case 'heading': {
      const heading = token as Tokens.Heading;
      const text = oneLine(plain(heading.tokens));
      return text === '' ? [] : [{ kind: 'heading', text, level: heading.depth }];
    }
    case 'code':
      return [{ kind: 'code', text: (token as Tokens.Code).text }];
    case 'table':
      return [table(token as Tokens.Table)];
    case 'html':
      return readHtml(token.raw).blocks;
    case 'space':
    case 'hr':
    case 'def':
      return [];
    default: {
      const text = withoutData(token.raw).trimEnd();
      return text.trim() === '' ? [] : [{ kind: 'text', text }];
    }
  }
}

function table(token: Tokens.Table): Block {
  const rows = [token.header, ...token.rows].map((cells) =>
    joinCells(cells.map((cell) => plain(cell.tokens))),
  );
  return { kind: 'table', rows: rows.filter((row) => row !== ''), headerRows: rows[0] === '' ? 0 : 1 };
}

/** Inline tokens as they are read, without their marks. */
function plain(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'br') return ' ';
      if (token.type === 'html') return '';
      if ('tokens' in token && token.tokens && token.tokens.length > 0) return plain(token.tokens);
      return 'text' in token && typeof token.text === 'string' ? unescapeEntities(token.text) : '';
    })
    .join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};

function unescapeEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (all, name: string) => ENTITIES[name] ?? all);
}

/** Pictures written into the text are bytes, not words. */
function withoutData(markdown: string): string {
  return markdown.replace(/\(data:[^)\s]{200,}\)/g, '(data)');
}

/** A contents list repeats every heading; it would answer each question with itself. */
function dropContents(blocks: readonly Block[]): Block[] {
  return blocks.filter((block, i) => {
    const next = blocks[i + 1];
    const before = blocks[i - 1];
    if (isContents(block) && next?.kind === 'text' && isLinkList(next.text)) return false;
    return !(before && isContents(before) && block.kind === 'text' && isLinkList(block.text));
  });
}

function isContents(block: Block): boolean {
  return block.kind === 'heading' && CONTENTS.test(block.text);
}

function isLinkList(text: string): boolean {
  return text
    .split('\n')
    .every((line) => /^\s*(?:[-*+]|\d+[.)])\s+\[.*\]\(#.*\)\s*$/.test(line) || line.trim() === '');
}

function frontTitle(matter: string | undefined): string | undefined {
  const value = /^title:\s*(.+)$/m.exec(matter ?? '')?.[1]?.trim();
  return value?.replace(/^(["'])(.*)\1$/, '$2') || undefined;
}

function firstTitle(blocks: readonly Block[]): string {
  const first = blocks.find((block) => block.kind === 'heading' && block.level === 1);
  return first?.kind === 'heading' ? first.text : '';
}
