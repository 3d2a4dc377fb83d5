// A report of many pages as a PDF, made up for measuring: headings, paragraphs and a table now and then, the same in every run.
import { textWidth, writePdf } from '../../scripts/pdf-writer.mjs';
import { makeWords } from './documents.mjs';

const LINES_A_PAGE = 46;
const LINE_WIDTH = 450;

export function makePdf(pageCount) {
  const nextWord = makeWords(5077);
  const outline = [];
  const pages = Array.from({ length: pageCount }, (_, n) => {
    const items = [{ text: `Page ${n + 1} of ${pageCount}`, x: 470, y: 40, size: 8 }];
    for (let line = 0; line < LINES_A_PAGE; line++) {
      const y = 780 - line * 15;
      if (line % 20 === 0) {
        const title = `${nextWord()} ${nextWord()} ${n + 1}`;
        if (line === 0) outline.push({ title, page: n + 1, level: 1 });
        items.push({ text: title, x: 72, y, size: 15, font: 'bold' });
      } else if (n % 5 === 4 && line > 30) {
        for (let column = 0; column < 4; column++) {
          const text = column === 0 ? nextWord() : String(nextWord().length * 1711 * (line + column));
          items.push({ text, x: 72 + column * 110, y, size: 10 });
        }
      } else items.push({ text: lineOf(nextWord), x: 72, y, size: 10 });
    }
    return items;
  });
  return writePdf({ pages, outline: outline.slice(0, 60), title: 'Measured report' });
}

function lineOf(nextWord) {
  let line = nextWord();
  for (;;) {
    const longer = `${line} ${nextWord()}`;
    if (textWidth(longer, 'regular', 10) > LINE_WIDTH) return line;
    line = longer;
  }
}
