/** HTML tables: those that hold data become rows; those that only lay out a page are read as their content. */
import type { Block } from '../../document.ts';
import { cleanText, oneLine } from '../clean.ts';
import { headerRows, joinCells } from '../table-rows.ts';
import { attribute, type Element, findElement, headingLevel, isElement, textOf } from './dom.ts';

const MAX_SPAN = 100;

/** A table with a table, a heading or a list of paragraphs inside, or with one column, is there for the layout. */
export function isDataTable(table: Element): boolean {
  if (attribute(table, 'role') === 'presentation') return false;
  if (findElement(table, (element) => element.tagName === 'table' || headingLevel(element) > 0)) return false;
  return rowsOf(table).some(({ cells }) => cells.length > 1);
}

export function readTable(table: Element): Block[] {
  const grid = gridOf(rowsOf(table));
  const rows = withoutEmptyColumns(grid.map((row) => row.cells)).map((cells, i) => ({
    cells,
    text: joinCells(cells),
    header: grid[i]?.header === true,
  }));
  const filled = rows.filter((row) => row.text !== '');
  if (filled.length === 0) return [];
  const marked = filled.findIndex((row) => !row.header);
  const header = marked > 0 ? marked : headerRows(filled.map((row) => row.cells));
  const caption = findElement(table, (element) => element.tagName === 'caption');
  const title = caption ? oneLine(cleanText(textOf(caption))) : '';
  const block: Block = {
    kind: 'table',
    rows: filled.map((row) => row.text),
    headerRows: Math.min(header, 5),
  };
  return title === '' ? [block] : [{ kind: 'text', text: title }, block];
}

interface Row {
  readonly cells: readonly Element[];
  readonly header: boolean;
}

function rowsOf(table: Element): Row[] {
  const rows: Row[] = [];
  for (const part of table.childNodes) {
    if (!isElement(part)) continue;
    const candidates = part.tagName === 'tr' ? [part] : part.childNodes.filter(isElement);
    for (const tr of candidates) {
      if (tr.tagName !== 'tr') continue;
      const cells = tr.childNodes
        .filter(isElement)
        .filter((cell) => cell.tagName === 'td' || cell.tagName === 'th');
      const heads = cells.length > 0 && cells.every((cell) => cell.tagName === 'th');
      rows.push({ cells, header: part.tagName === 'thead' || heads });
    }
  }
  return rows;
}

/** Cells at their columns. A cell that spans rows is repeated in each, as a reader's eye does. */
function gridOf(rows: readonly Row[]): { cells: string[]; header: boolean }[] {
  const carried = new Map<number, { text: string; left: number }>();
  return rows.map(({ cells, header }) => {
    const out: string[] = [];
    const carry = () => {
      for (let above = carried.get(out.length); above; above = carried.get(out.length)) {
        if (above.left <= 1) carried.delete(out.length);
        else above.left--;
        out.push(above.text);
      }
    };
    for (const cell of cells) {
      carry();
      const text = oneLine(cleanText(textOf(cell)));
      const rowSpan = span(cell, 'rowspan');
      if (rowSpan > 1) carried.set(out.length, { text, left: rowSpan - 1 });
      out.push(text);
      for (let extra = span(cell, 'colspan'); extra > 1; extra--) out.push('');
    }
    carry();
    return { cells: out, header };
  });
}

function span(cell: Element, name: 'rowspan' | 'colspan'): number {
  const value = Number(attribute(cell, name) ?? 1);
  return Number.isInteger(value) && value > 1 ? Math.min(value, MAX_SPAN) : 1;
}

function withoutEmptyColumns(rows: readonly (readonly string[])[]): string[][] {
  const used = new Set<number>();
  for (const row of rows) {
    row.forEach((cell, i) => {
      if (cell !== '') used.add(i);
    });
  }
  return rows.map((row) => row.filter((_, i) => used.has(i)));
}
