/** DOCX: headings by style and outline level, lists and heading numbers by numbering, tables, footnotes. */
import type { Block, ParsedDocument } from '../../document.ts';
import { cleanText, oneLine } from '../clean.ts';
import { damaged } from '../detect.ts';
import type { ParseLimits } from '../limits.ts';
import { gridBlock } from '../table-rows.ts';
import type { Archive } from '../zip/archive.ts';
import { coreTitle, mainPart, relationsOf } from '../zip/package.ts';
import { type Paragraph, readBody, type Table } from './body.ts';
import { readNotes } from './notes.ts';
import { type NumberingState, readNumbering } from './numbering.ts';
import { type ParagraphStyle, PLAIN_STYLE, readStyles } from './styles.ts';

/** Without any heading style, a short line all in bold is one. */
const MAX_BOLD_HEADING_WORDS = 12;

interface Context {
  readonly styles: ReadonlyMap<string, ParagraphStyle>;
  readonly numbering: NumberingState;
  readonly notes: ReadonlyMap<string, string>;
  readonly paged: boolean;
  readonly boldHeadings: boolean;
}

export function readDocx(archive: Archive, limits: ParseLimits): ParsedDocument {
  const main = mainPart(archive, limits) ?? 'word/document.xml';
  const source = archive.text(main);
  if (source === undefined) throw damaged('docx');
  const relations = relationsOf(archive, main, limits);
  const part = (type: string) => {
    const target = relations.find((relation) => relation.type === type)?.target;
    return target === undefined ? undefined : archive.text(target);
  };
  const body = readBody(source, limits);
  const styles = readStyles(part('styles'), limits);
  const styled = body.content.some(
    (item) => item.kind === 'paragraph' && styleOf(item, styles).kind === 'heading',
  );
  const context: Context = {
    styles,
    numbering: readNumbering(part('numbering'), limits),
    notes: new Map([
      ...readNotes(part('footnotes'), 'f', limits),
      ...readNotes(part('endnotes'), 'e', limits),
    ]),
    paged: body.pages > 1,
    boldHeadings: !styled,
  };
  const title = body.content.find(
    (item): item is Paragraph => item.kind === 'paragraph' && styleOf(item, styles).kind === 'title',
  );
  const content = body.content.filter((item) => item !== title);
  return {
    title: title ? oneLine(cleanText(title.text)) : coreTitle(archive, limits),
    blocks: toBlocks(content, context),
    ...(context.paged ? { pageCount: body.pages, pagesRead: body.pages } : {}),
  };
}

function styleOf(paragraph: Paragraph, styles: ReadonlyMap<string, ParagraphStyle>): ParagraphStyle {
  const style = styles.get(paragraph.style) ?? PLAIN_STYLE;
  const outline = paragraph.outline;
  return outline === undefined || outline > 8 || style.kind !== 'text'
    ? style
    : { ...style, kind: 'heading', level: outline + 1 };
}

function toBlocks(content: readonly (Paragraph | Table)[], context: Context): Block[] {
  const blocks: Block[] = [];
  let list: { lines: string[]; page: number } | undefined;
  const endList = () => {
    if (list) blocks.push({ kind: 'text', text: list.lines.join('\n'), ...pageOf(list.page, context) });
    list = undefined;
  };
  for (const item of content) {
    const page = pageOf(item.page, context);
    if (item.kind === 'table') {
      endList();
      blocks.push(...tableBlocks(item).map((block) => ({ ...block, ...page })));
      continue;
    }
    const style = styleOf(item, context.styles);
    const text = cleanText(item.text).trimEnd();
    if (text.trim() === '' || style.kind === 'contents') continue;
    const reference =
      item.numId === undefined
        ? style.numbering
        : item.numId === '0'
          ? undefined
          : { numId: item.numId, level: item.numLevel };
    const label = reference ? context.numbering.next(reference) : '';
    const level = headingLevel(item, style, text, label, context);
    if (level > 0) {
      endList();
      blocks.push({ kind: 'heading', text: oneLine((label === '- ' ? '' : label) + text), level, ...page });
    } else if (reference) {
      list ??= { lines: [], page: item.page };
      list.lines.push('  '.repeat(Math.min(8, reference.level)) + label + oneLine(text));
    } else {
      endList();
      const last = blocks.at(-1);
      if (style.kind === 'code' && last?.kind === 'code')
        blocks[blocks.length - 1] = { ...last, text: `${last.text}\n${text}` };
      else
        blocks.push({
          kind: style.kind === 'code' ? 'code' : 'text',
          text: style.kind === 'code' ? text : text.trim(),
          ...page,
        });
    }
    const notes = item.notes.flatMap((id) => context.notes.get(id) ?? []);
    if (notes.length > 0) endList();
    for (const note of notes) blocks.push({ kind: 'text', text: `Note: ${note}`, ...page });
  }
  endList();
  return blocks;
}

function headingLevel(
  item: Paragraph,
  style: ParagraphStyle,
  text: string,
  label: string,
  context: Context,
): number {
  if (style.kind === 'heading' || style.kind === 'title') return style.level;
  const bold = context.boldHeadings && item.letters > 2 && item.bold === item.letters && label !== '- ';
  return bold && text.split(/\s+/).length <= MAX_BOLD_HEADING_WORDS && !/[.,;]$/.test(text) ? 1 : 0;
}

function tableBlocks(table: Table): Block[] {
  const rows = table.rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell) => oneLine(cleanText(cell))),
  }));
  const columns = Math.max(0, ...rows.map((row) => row.cells.length));
  if (columns < 2) {
    const text = rows
      .flatMap((row) => row.cells)
      .filter(Boolean)
      .join('\n');
    return text === '' ? [] : [{ kind: 'text', text }];
  }
  const headers = rows.findIndex((row) => !row.header);
  const block = gridBlock(
    rows.map((row) => row.cells),
    headers > 0 ? headers : undefined,
  );
  return block ? [block] : [];
}

function pageOf(page: number, { paged }: Context): { page?: number } {
  return paged ? { page } : {};
}
