/** Joins lines to paragraphs, lists and code. */
import type { Block } from '../../document.ts';
import type { Line } from './layout.ts';
import { BULLET, countOfWords, MONOSPACE } from './patterns.ts';
import { joinLines, type WordCounts } from './word-counts.ts';

/** Fits every symbol that lists start with; letters and numbers stay as they are. */
const SYMBOL = /^[•·▪■□●○◦‣➢➤✓\uf0b7\uf0a7§]\s*/;

interface Paragraph {
  readonly kind: 'text' | 'item' | 'code' | 'footnote';
  readonly lines: Line[];
  readonly page: number;
  pageEnd: number;
}

/** Collects lines; `flush` gives the blocks that they make. */
export function paragraphWriter(counts: WordCounts) {
  let paragraphs: Paragraph[] = [];

  return {
    add(line: Line, page: number, leading: number): void {
      const last = paragraphs.at(-1);
      const kind = kindOf(line);
      if (last && continues(last, line, kind, page, leading)) {
        last.lines.push(line);
        last.pageEnd = page;
      } else {
        paragraphs.push({ kind, lines: [line], page, pageEnd: page });
      }
    },
    /** The last lines, when they may introduce the table that follows. */
    takeIntroduction(page: number): string | undefined {
      const last = paragraphs.at(-1);
      if (!last || last.pageEnd !== page || last.lines.length > 3) return undefined;
      const text = join(last, counts);
      return /:$/.test(text) ? text : undefined;
    },
    flush(): Block[] {
      const blocks: Block[] = [];
      for (const group of grouped(paragraphs)) {
        const [first] = group;
        const last = group.at(-1);
        if (!first || !last) continue;
        const text = group.map((paragraph) => join(paragraph, counts)).join('\n');
        const pages = { page: first.page, ...(last.pageEnd === first.page ? {} : { pageEnd: last.pageEnd }) };
        blocks.push({ kind: first.kind === 'code' ? 'code' : 'text', text, ...pages });
      }
      paragraphs = [];
      return blocks;
    },
  };
}

function kindOf(line: Line): Paragraph['kind'] {
  if (line.footnote) return 'footnote';
  if (MONOSPACE.test(line.font)) return 'code';
  return BULLET.test(line.text) ? 'item' : 'text';
}

function continues(
  paragraph: Paragraph,
  line: Line,
  kind: Paragraph['kind'],
  page: number,
  leading: number,
): boolean {
  const last = paragraph.lines.at(-1);
  if (!last || kind === 'item' || (kind === 'footnote') !== (paragraph.kind === 'footnote')) return false;
  if ((kind === 'code') !== (paragraph.kind === 'code')) return false;
  if (Math.abs(last.size - line.size) > 1.2) return false;
  if (paragraph.pageEnd !== page) return /[\p{Ll},;–—-]$/u.test(last.text);
  if (Number.isFinite(line.gap) && line.gap > line.size * leading * 1.35)
    return kind === 'code' && line.gap < line.size * leading * 2.2;
  // Paragraphs without a gap: the last line ends early, the next one is indented.
  const ended =
    /[.!?:]$/.test(last.text) && last.x1 < last.box.right - (last.box.right - last.box.left) * 0.15;
  const indented = line.x0 - last.x0 > line.size * 0.8 && paragraph.kind === 'text';
  return (
    kind === 'code' || !(ended && (indented || countOfWords(last.text) > 3) && paragraph.kind !== 'item')
  );
}

/** Items of one list stand in one block. */
function grouped(paragraphs: readonly Paragraph[]): Paragraph[][] {
  const groups: Paragraph[][] = [];
  for (const paragraph of paragraphs) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last?.kind === 'item' && paragraph.kind === 'item' && paragraph.page - last.pageEnd <= 1) {
      group.push(paragraph);
    } else {
      groups.push([paragraph]);
    }
  }
  return groups;
}

function join(paragraph: Paragraph, counts: WordCounts): string {
  if (paragraph.kind === 'code') return codeText(paragraph.lines);
  let text = '';
  for (const line of paragraph.lines) text = text === '' ? line.text : joinLines(text, line.text, counts);
  return paragraph.kind === 'item' ? text.replace(SYMBOL, '- ') : text;
}

/** Indentation comes from where a line starts. */
function codeText(lines: readonly Line[]): string {
  const left = Math.min(...lines.map((line) => line.x0));
  return lines
    .map((line) => ' '.repeat(Math.max(0, Math.round((line.x0 - left) / (line.size * 0.6)))) + line.text)
    .join('\n');
}
