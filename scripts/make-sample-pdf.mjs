// Renders samples/handbook.md to samples/handbook.pdf: headings in larger type, a running head, page numbers.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { textWidth, writePdf } from './pdf-writer.mjs';

const samples = fileURLToPath(new URL('../samples/', import.meta.url));
const PAGE = { width: 595, height: 842, left: 72, right: 523, top: 770, bottom: 76 };
const BODY = { size: 10.5, font: 'regular', leading: 14.5, before: 0, after: 7 };
const STYLES = {
  1: { size: 22, font: 'bold', leading: 27, before: 0, after: 14 },
  2: { size: 16, font: 'bold', leading: 20, before: 18, after: 8 },
  3: { size: 12.5, font: 'bold', leading: 16, before: 11, after: 4 },
};

const source = readFileSync(`${samples}handbook.md`, 'utf8');
const pages = [[]];
const outline = [];
let y = PAGE.top;

for (const block of source.trim().split(/\n{2,}/)) {
  const heading = /^(#{1,3}) (.*)$/.exec(block);
  if (heading) writeHeading(heading[2], heading[1].length);
  else if (block.startsWith('|')) writeTable(block);
  else writeLines(wrap(block, BODY), BODY);
}
const title = outline[0].title;
pages.forEach((items, i) => {
  items.push({ text: title, x: PAGE.left, y: 806, size: 8 });
  const number = `Page ${i + 1} of ${pages.length}`;
  items.push({ text: number, x: PAGE.right - textWidth(number, 'regular', 8), y: 40, size: 8 });
});
writeFileSync(
  `${samples}handbook.pdf`,
  writePdf({ pages, outline, title, width: PAGE.width, height: PAGE.height }),
);

function writeHeading(text, level) {
  const style = STYLES[level];
  // A chapter starts on a new page, and a heading at the foot of a page, away from its text, goes to the next one.
  const chapter = level === 2 && outline.length > 1;
  if (chapter || y - style.before - style.leading - 3 * BODY.leading < PAGE.bottom) newPage();
  outline.push({ title: text, page: pages.length, level });
  writeLines(wrap(text, style), style);
}

function writeTable(block) {
  const rows = block.split('\n').map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
  rows.splice(1, 1);
  if (y - (rows.length + 1) * BODY.leading < PAGE.bottom) newPage();
  const step = (PAGE.right - PAGE.left) / rows[0].length;
  rows.forEach((cells, r) => {
    const font = r === 0 ? 'bold' : 'regular';
    const size = 9;
    cells.forEach((text, c) => {
      const numeric = c > 0 && rows.slice(1).every((row) => /^[\d.,]+$/.test(row[c]));
      const right = PAGE.left + (c + 1) * step - textWidth(text, font, size) - 6;
      put({ text, x: numeric ? right : PAGE.left + c * step, size, font });
    });
    y -= BODY.leading;
  });
  y -= BODY.after;
}

function writeLines(lines, style) {
  if (y < PAGE.top) y -= style.before;
  for (const text of lines) {
    if (y - style.leading < PAGE.bottom) newPage();
    put({ text, x: PAGE.left, size: style.size, font: style.font });
    y -= style.leading;
  }
  y -= style.after;
}

function put(item) {
  pages.at(-1).push({ ...item, y });
}

function newPage() {
  pages.push([]);
  y = PAGE.top;
}

function wrap(text, { font, size }) {
  const lines = [];
  let line = '';
  for (const word of text.replaceAll('\n', ' ').split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && textWidth(longer, font, size) > PAGE.right - PAGE.left) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
