/** XLSX: a sheet is a page and a heading; blank rows part its tables, and a lone cell above a table is its title. */
import type { Block, ParsedDocument } from '../../document.ts';
import { damaged } from '../detect.ts';
import type { ParseLimits } from '../limits.ts';
import { gridBlock } from '../table-rows.ts';
import type { Archive } from '../zip/archive.ts';
import { coreTitle, mainPart, relationsOf } from '../zip/package.ts';
import { readXml } from '../zip/xml.ts';
import { readFormats } from './formats.ts';
import { readSharedStrings, readSheet, type Workbook } from './sheet.ts';

const MAX_TITLE_WORDS = 12;

interface Sheet {
  readonly name: string;
  readonly part: string;
}

export function readXlsx(archive: Archive, limits: ParseLimits): ParsedDocument {
  const main = mainPart(archive, limits) ?? 'xl/workbook.xml';
  const source = archive.text(main);
  if (source === undefined) throw damaged('xlsx');
  const relations = relationsOf(archive, main, limits);
  const { sheets, from1904 } = readSheets(source, new Map(relations.map((r) => [r.id, r.target])), limits);
  const part = (type: string) => {
    const target = relations.find((relation) => relation.type === type)?.target;
    return target === undefined ? undefined : archive.text(target);
  };
  const workbook: Workbook = {
    strings: readSharedStrings(part('sharedStrings'), limits),
    formats: readFormats(part('styles'), limits),
    from1904,
  };
  let count = 0;
  const blocks = sheets.slice(0, limits.pages).flatMap(({ name, part: sheetPart }, i) => {
    const rows = readSheet(archive.text(sheetPart) ?? '<worksheet/>', workbook, count, limits);
    count += rows.size;
    const content = sheetBlocks(rows);
    if (content.length === 0) return [];
    const heading: Block = { kind: 'heading', text: name, level: 1 };
    return [heading, ...content].map((block) => ({ ...block, page: i + 1 }));
  });
  return { title: coreTitle(archive, limits), blocks, pageCount: sheets.length, pagesRead: sheets.length };
}

/** Sheets in the order of their tabs; hidden ones are not for the reader. */
function readSheets(source: string, targets: ReadonlyMap<string, string>, limits: ParseLimits) {
  const sheets: Sheet[] = [];
  let from1904 = false;
  readXml(source, limits, {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
      if (name !== 'sheet' || /hidden/i.test(attributes.state ?? '')) return;
      const part = targets.get(attributes['r:id'] ?? '');
      if (part !== undefined) sheets.push({ name: attributes.name ?? '', part });
    },
  });
  return { sheets, from1904 };
}

function sheetBlocks(rows: ReadonlyMap<number, readonly string[]>): Block[] {
  const blocks: Block[] = [];
  let region: (readonly string[])[] = [];
  let last = 0;
  const close = () => {
    blocks.push(...regionBlocks(region));
    region = [];
  };
  for (const [number, cells] of rows) {
    const blank = cells.every((cell) => cell === '');
    if (blank || number > last + 1) close();
    if (!blank) region.push(cells);
    last = number;
  }
  close();
  return blocks;
}

function regionBlocks(region: readonly (readonly string[])[]): Block[] {
  const wide = region.findIndex((cells) => cells.filter((cell) => cell !== '').length > 1);
  const lone = (wide < 0 ? region : region.slice(0, wide)).map(
    (cells) => cells.find((cell) => cell !== '') ?? '',
  );
  const table = wide < 0 ? undefined : gridBlock(region.slice(wide));
  const [title, ...rest] = lone;
  const titled =
    table && title !== undefined && title.split(' ').length <= MAX_TITLE_WORDS && !/[.;]$/.test(title);
  const blocks: Block[] = [];
  if (titled) blocks.push({ kind: 'heading', text: title, level: 2 });
  const text = (titled ? rest : lone).join('\n');
  if (text !== '') blocks.push({ kind: 'text', text });
  if (table) blocks.push(table);
  return blocks;
}
