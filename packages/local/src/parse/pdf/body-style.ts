/** What the running text of a document looks like: headings are what looks different. */
import type { Line, Page } from './layout.ts';
import { commonest } from './lines.ts';
import { countOfWords } from './patterns.ts';

export interface BodyStyle {
  readonly size: number;
  /** Fonts of the running text, and every font that a long line of its size is set in. */
  readonly fonts: ReadonlySet<string>;
  readonly knownFonts: ReadonlySet<string>;
  /** The text itself is bold or italic, which then says nothing. */
  readonly bold: boolean;
  readonly italic: boolean;
}

const LONG_LINE = 7;

/** Half points: the same size comes out a little different from line to line. */
export function sizeStep(size: number): number {
  return Math.round(size * 2) / 2;
}

export function bodyStyle(pages: readonly Page[]): BodyStyle {
  const lines = pages.flatMap((page) => page.lines);
  const long = lines.filter((line) => countOfWords(line.text) >= LONG_LINE);
  const prose = long.filter((line) => line.row === '');
  const sizes = (some: readonly Line[]) =>
    commonest(some.map((line) => [sizeStep(line.size), line.text.length]));
  const size = sizes(prose) ?? sizes(lines) ?? 10;
  const near = (line: Line) => Math.abs(line.size - size) <= 0.5;
  const letters = { all: 0, bold: 0, italic: 0 };
  for (const line of lines.filter(near)) {
    letters.all += line.text.length;
    letters.bold += line.bold * line.text.length;
    letters.italic += line.italic * line.text.length;
  }
  const byFont = new Map<string, number>();
  for (const line of long.filter(near))
    byFont.set(line.font, (byFont.get(line.font) ?? 0) + line.text.length);
  return {
    size,
    fonts: mainFonts(byFont),
    knownFonts: new Set(byFont.keys()),
    bold: letters.bold > letters.all * 0.6,
    italic: letters.italic > letters.all * 0.6,
  };
}

/** The fonts that set four fifths of the text, and any with a tenth of it. */
function mainFonts(byFont: ReadonlyMap<string, number>): Set<string> {
  const total = [...byFont.values()].reduce((sum, letters) => sum + letters, 0);
  const fonts = new Set<string>();
  let covered = 0;
  for (const [font, letters] of [...byFont].sort((a, b) => b[1] - a[1])) {
    if (covered > total * 0.8 && letters < total * 0.1) break;
    fonts.add(font);
    covered += letters;
  }
  return fonts;
}
