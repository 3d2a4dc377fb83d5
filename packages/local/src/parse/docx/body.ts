/** The body of a Word document as paragraphs and tables, in order, with the page that Word last put them on. */
import type { ParseLimits } from '../limits.ts';
import { tooManyRows } from '../table-rows.ts';
import { readXml } from '../zip/xml.ts';

export interface Paragraph {
  readonly kind: 'paragraph';
  text: string;
  style: string;
  numId: string | undefined;
  numLevel: number;
  outline: number | undefined;
  /** Letters in all and in bold. */
  letters: number;
  bold: number;
  readonly page: number;
  readonly notes: string[];
}

export interface Table {
  readonly kind: 'table';
  readonly rows: { readonly cells: string[]; header: boolean }[];
  readonly page: number;
}

export interface Body {
  readonly content: (Paragraph | Table)[];
  /** Pages as Word broke them; 1 when the file does not say. */
  readonly pages: number;
}

/** Content that is not there for the reader: deleted, moved away, or a second version for older readers. */
const SKIPPED = new Set(['del', 'moveFrom', 'Fallback', 'instrText', 'delText']);
const MAX_SPAN = 100;

interface OpenTable {
  readonly table: Table;
  cells: string[];
  cell: string[] | undefined;
  span: number;
  merged: boolean;
  header: boolean;
}

export function readBody(source: string, limits: ParseLimits): Body {
  const content: (Paragraph | Table)[] = [];
  const tables: OpenTable[] = [];
  const paragraphs: Paragraph[] = [];
  let page = 1;
  let skipped = 0;
  let inText = false;
  let inRun = false;
  let run = { bold: false, hidden: false };
  let rows = 0;

  const write = (text: string) => {
    const paragraph = paragraphs.at(-1);
    if (!paragraph || run.hidden) return;
    paragraph.text += text;
    const letters = text.trim().length;
    paragraph.letters += letters;
    if (run.bold) paragraph.bold += letters;
  };

  const closeParagraph = () => {
    const paragraph = paragraphs.pop();
    const cell = tables.at(-1)?.cell;
    if (!paragraph) return;
    if (cell) cell.push(paragraph.text.trim());
    else content.push(paragraph);
  };

  const closeCell = (open: OpenTable) => {
    const column = open.cells.length;
    const above = open.table.rows.at(-1)?.cells[column] ?? '';
    const text = (open.cell ?? []).filter((part) => part !== '').join(' ');
    open.cells.push(open.merged && text === '' ? above : text);
    for (let extra = 1; extra < open.span; extra++) open.cells.push('');
    open.cell = undefined;
  };

  const closeTable = () => {
    const open = tables.pop();
    if (!open) return;
    const outer = tables.at(-1)?.cell;
    // A table inside a cell is read as that cell's text.
    if (outer) outer.push(open.table.rows.map((row) => row.cells.filter(Boolean).join(' ')).join(' '));
    else content.push(open.table);
  };

  readXml(source, limits, {
    open(name, { val, type, id }) {
      if (skipped > 0 || SKIPPED.has(name)) {
        skipped++;
        return;
      }
      const open = tables.at(-1);
      const paragraph = paragraphs.at(-1);
      switch (name) {
        case 'tbl':
          tables.push({
            table: { kind: 'table', rows: [], page },
            cells: [],
            cell: undefined,
            span: 1,
            merged: false,
            header: false,
          });
          break;
        case 'tr':
          if (open) Object.assign(open, { cells: [], header: false });
          break;
        case 'tc':
          if (open) Object.assign(open, { cell: [], span: 1, merged: false });
          break;
        case 'tblHeader':
          if (open) open.header = isOn(val);
          break;
        case 'gridSpan':
          if (open) open.span = Math.min(MAX_SPAN, Number(val) || 1);
          break;
        case 'vMerge':
          if (open) open.merged = val !== 'restart';
          break;
        case 'p':
          paragraphs.push({
            kind: 'paragraph',
            text: '',
            style: '',
            numId: undefined,
            numLevel: 0,
            outline: undefined,
            letters: 0,
            bold: 0,
            page,
            notes: [],
          });
          break;
        case 'pStyle':
          if (paragraph) paragraph.style = val ?? '';
          break;
        case 'numId':
          if (paragraph) paragraph.numId = val;
          break;
        case 'ilvl':
          if (paragraph) paragraph.numLevel = Number(val) || 0;
          break;
        case 'outlineLvl':
          if (paragraph) paragraph.outline = Number(val);
          break;
        case 'r':
          inRun = true;
          run = { bold: false, hidden: false };
          break;
        case 'b':
          // Bold of the paragraph's mark is outside of a run, and says nothing.
          if (inRun) run.bold = isOn(val);
          break;
        case 'vanish':
          if (inRun) run.hidden = isOn(val);
          break;
        case 't':
          inText = true;
          break;
        case 'tab':
          if (inRun) write('\t');
          break;
        case 'br':
        case 'cr':
          if (type !== 'page') write('\n');
          break;
        case 'noBreakHyphen':
          write('-');
          break;
        case 'lastRenderedPageBreak':
          page++;
          break;
        case 'footnoteReference':
        case 'endnoteReference':
          if (paragraph && id) paragraph.notes.push(`${name === 'footnoteReference' ? 'f' : 'e'}${id}`);
          break;
      }
    },
    close(name) {
      if (skipped > 0) {
        skipped--;
        return;
      }
      const open = tables.at(-1);
      if (name === 't') inText = false;
      else if (name === 'r') inRun = false;
      else if (name === 'p') closeParagraph();
      else if (name === 'tc' && open) closeCell(open);
      else if (name === 'tr' && open) {
        if (++rows > limits.rows) throw tooManyRows(limits.rows);
        open.table.rows.push({ cells: open.cells, header: open.header });
      } else if (name === 'tbl') closeTable();
    },
    text(text) {
      if (inText && skipped === 0) write(text);
    },
  });
  return { content, pages: page };
}

function isOn(value: string | undefined): boolean {
  return value === undefined || !/^(?:0|false|off|none)$/.test(value);
}
