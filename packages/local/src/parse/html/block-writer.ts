/** Collects running text into blocks: white space as HTML means it, a whole list as one block. */
import type { Block } from '../../document.ts';
import { cleanText, oneLine } from '../clean.ts';

const MAX_INDENT = 8;

interface OpenList {
  readonly ordered: boolean;
  next: number;
}

export function blockWriter() {
  const blocks: Block[] = [];
  const lists: OpenList[] = [];
  let line: string[] = [];
  let paragraph: string[] = [];
  let listLines: string[] = [];
  let marker = '';

  const takeLine = (): string => {
    const text = oneLine(cleanText(line.join('')));
    line = [];
    return text;
  };

  const endLine = (): void => {
    const text = takeLine();
    if (text !== '') paragraph.push(text);
    if (paragraph.length === 0) return;
    if (lists.length === 0) {
      blocks.push({ kind: 'text', text: paragraph.join('\n') });
    } else {
      const indent = '  '.repeat(Math.min(lists.length - 1, MAX_INDENT));
      listLines.push(indent + (marker || '  ') + paragraph.join(' '));
      marker = '';
    }
    paragraph = [];
  };

  const endList = (): void => {
    endLine();
    if (listLines.length > 0) blocks.push({ kind: 'text', text: listLines.join('\n') });
    listLines = [];
  };

  const push = (block: Block): void => {
    endList();
    blocks.push(block);
  };

  return {
    endLine,
    push,
    text(value: string): void {
      line.push(value);
    },
    lineBreak(): void {
      const text = takeLine();
      if (text !== '') paragraph.push(text);
    },
    heading(text: string, level: number): void {
      endList();
      if (text !== '') blocks.push({ kind: 'heading', text, level });
    },
    code(text: string): void {
      endList();
      if (text.trim() !== '') blocks.push({ kind: 'code', text });
    },
    /** Opens a list; the answer closes it. */
    list(ordered: boolean, start: number): () => void {
      endLine();
      lists.push({ ordered, next: Number.isFinite(start) ? start : 1 });
      return () => {
        endLine();
        lists.pop();
        marker = '';
        if (lists.length === 0) endList();
      };
    },
    item(): void {
      endLine();
      const list = lists.at(-1);
      marker = list?.ordered ? `${list.next++}. ` : '- ';
    },
    finish(): Block[] {
      endList();
      return blocks;
    },
  };
}
