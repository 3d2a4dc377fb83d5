/** PPTX: a slide is a page and a heading; its text, tables and speaker notes follow. */
import type { Block, ParsedDocument } from '../document.ts';
import { cleanText, oneLine } from './clean.ts';
import { damaged } from './detect.ts';
import type { ParseLimits } from './limits.ts';
import { gridBlock } from './table-rows.ts';
import type { Archive } from './zip/archive.ts';
import { coreTitle, mainPart, relationsOf } from './zip/package.ts';
import { readXml } from './zip/xml.ts';

interface Shape {
  /** `title`, `body`, `sldNum`… of a placeholder, else empty. */
  placeholder: string;
  readonly paragraphs: { readonly text: string; readonly level: number }[];
  readonly rows: string[][];
}

/** Placeholders that repeat on every slide. */
const FURNITURE = new Set(['sldNum', 'ftr', 'dt', 'hdr', 'sldImg']);
const MAX_LEVEL = 8;

export function readPptx(archive: Archive, limits: ParseLimits): ParsedDocument {
  const main = mainPart(archive, limits) ?? 'ppt/presentation.xml';
  const source = archive.text(main);
  if (source === undefined) throw damaged('pptx');
  const targets = new Map(
    relationsOf(archive, main, limits).map((relation) => [relation.id, relation.target]),
  );
  const order: string[] = [];
  readXml(source, limits, {
    open(name, attributes) {
      const target = name === 'sldId' ? targets.get(attributes['r:id'] ?? '') : undefined;
      if (target !== undefined) order.push(target);
    },
  });
  const blocks: Block[] = [];
  let title = coreTitle(archive, limits);
  let read = 0;
  order.slice(0, limits.pages).forEach((part, i) => {
    const slide = slideBlocks(archive, part, i + 1, limits);
    if (slide.length > 0) read++;
    const [heading] = slide;
    if (i === 0 && heading?.kind === 'heading' && !heading.text.startsWith('Slide ')) title ||= heading.text;
    blocks.push(...slide);
  });
  return { title, blocks, pageCount: order.length, pagesRead: read };
}

function slideBlocks(archive: Archive, part: string, page: number, limits: ParseLimits): Block[] {
  const shapes = readShapes(archive.text(part), limits).filter((shape) => !FURNITURE.has(shape.placeholder));
  const title = shapes.find((shape) => /^(?:title|ctrTitle)$/.test(shape.placeholder));
  const heading = title ? oneLine(title.paragraphs.map((paragraph) => paragraph.text).join(' ')) : '';
  const blocks = shapes.filter((shape) => shape !== title).flatMap(shapeBlocks);
  const notes = relationsOf(archive, part, limits).find((relation) => relation.type === 'notesSlide');
  if (notes) blocks.push(...notesBlocks(archive.text(notes.target), limits));
  if (heading === '' && blocks.length === 0) return [];
  return [
    { kind: 'heading', text: heading || `Slide ${page}`, level: 1, page },
    ...blocks.map((block) => ({ ...block, page })),
  ];
}

function shapeBlocks(shape: Shape): Block[] {
  const table = gridBlock(shape.rows);
  const { paragraphs } = shape;
  if (paragraphs.length === 0) return table ? [table] : [];
  // Paragraphs of a body are bullets, whether or not they say so.
  const list = paragraphs.length > 1 && shape.placeholder !== 'subTitle';
  const lines = paragraphs.map(({ text, level }) => (list ? `${'  '.repeat(level)}- ${text}` : text));
  return [{ kind: 'text', text: lines.join('\n') }, ...(table ? [table] : [])];
}

function notesBlocks(source: string | undefined, limits: ParseLimits): Block[] {
  const body = readShapes(source, limits).filter((shape) => shape.placeholder === 'body');
  const text = body.flatMap((shape) => shape.paragraphs.map((paragraph) => paragraph.text)).join('\n');
  return text === '' ? [] : [{ kind: 'text', text: `Speaker notes: ${text}` }];
}

function readShapes(source: string | undefined, limits: ParseLimits): Shape[] {
  const shapes: Shape[] = [];
  let shape: Shape = { placeholder: '', paragraphs: [], rows: [] };
  let text = '';
  let level = 0;
  let inText = false;
  let cell: string[] | undefined;
  const start = () => {
    shape = { placeholder: '', paragraphs: [], rows: [] };
    shapes.push(shape);
  };
  readXml(source ?? '<sld/>', limits, {
    open(name, { type, lvl }) {
      if (name === 'sp' || name === 'graphicFrame') start();
      else if (name === 'ph') shape.placeholder = type ?? 'body';
      else if (name === 'p') text = '';
      else if (name === 'pPr') level = Math.min(MAX_LEVEL, Number(lvl) || 0);
      else if (name === 'br') text += ' ';
      else if (name === 'tr') shape.rows.push([]);
      else if (name === 'tc') cell = [];
      inText = name === 't';
    },
    close(name) {
      inText = false;
      if (name === 'p') {
        const line = oneLine(cleanText(text));
        if (cell) cell.push(line);
        else if (line !== '') shape.paragraphs.push({ text: line, level });
        level = 0;
      } else if (name === 'tc') {
        shape.rows.at(-1)?.push((cell ?? []).filter((line) => line !== '').join(' '));
        cell = undefined;
      }
    },
    text(part) {
      if (inText) text += part;
    },
  });
  return shapes;
}
