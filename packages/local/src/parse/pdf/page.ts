/** A page's items to lines in reading order: column by column, with lines across the page between bands of columns. */
import { columnGap, findGutters } from './columns.ts';
import type { FontStyle, Line, Page, RawPage, TextItem } from './layout.ts';
import { commonest, type Glyphs, type Row, toGlyphs, toLine, toRows } from './lines.ts';

type Fonts = ReadonlyMap<string, FontStyle>;

export function layOutPage(raw: RawPage, fonts: Fonts): Page {
  const { items, rotated } = upright(raw.items);
  const rows = toRows(toGlyphs(items));
  const gutters = findGutters(rows);
  const lines =
    gutters.length === 0 ? rows.map((row) => toLine(row.items, fonts)) : inColumns(rows, gutters, fonts);
  const filled = lines.filter((line) => line.text !== '');
  filled.forEach((line, i) => {
    line.index = i;
  });
  return {
    lines: filled,
    width: rotated ? raw.height : raw.width,
    height: rotated ? raw.width : raw.height,
    rotated,
    roles: raw.roles,
    leading: 1.2,
    modalSize: 0,
    contents: false,
  };
}

/** Sideways text is dropped, unless the whole page is set sideways: then the page is turned. */
function upright(items: readonly TextItem[]): { items: readonly TextItem[]; rotated: boolean } {
  const letters = (some: readonly TextItem[]) => some.reduce((sum, item) => sum + item.text.trim().length, 0);
  const level = items.filter((item) => item.angle === 0);
  const turned = items.filter((item) => item.angle !== 0 && item.text.trim() !== '');
  const turnedLetters = letters(turned);
  if (turnedLetters <= 40 || turnedLetters <= letters(level) * 2) return { items: level, rotated: false };
  const angle = commonest(turned.map((item) => [item.angle, item.text.trim().length])) ?? 0;
  return {
    items: turned.filter((item) => item.angle === angle).map((item) => turn(item, angle)),
    rotated: Math.abs(angle) !== 180,
  };
}

function turn(item: TextItem, angle: number): TextItem {
  if (Math.abs(angle) === 180) return { ...item, x: -item.x, y: -item.y };
  return angle > 0 ? { ...item, x: item.y, y: -item.x } : { ...item, x: -item.y, y: item.x };
}

function inColumns(rows: readonly Row[], gutters: readonly number[], fonts: Fonts): Line[] {
  const columns: Glyphs[][] = Array.from({ length: gutters.length + 1 }, () => []);
  const across: Glyphs[] = [];
  for (const row of rows) {
    for (const run of runsOf(row, gutters)) (columns[columnOf(run, gutters)] ?? across).push(...run);
  }
  const toLines = (glyphs: readonly Glyphs[]) =>
    toRows(glyphs)
      .map((row) => toLine(row.items, fonts))
      .filter((line) => line.text !== '');
  const columnLines = columns.map(toLines);
  const acrossLines = toLines(across);
  joinSplitRows(columnLines, acrossLines, gutters);
  columnLines.forEach((lines, i) => {
    for (const line of lines) line.column = i + 1;
    lines.sort((a, b) => b.y - a.y);
  });
  return inBands(
    columnLines,
    acrossLines.sort((a, b) => b.y - a.y),
  );
}

/** Runs of a row that may stand in different columns: cut at wide gaps, and at narrow ones right on a gutter. */
function runsOf(row: Row, gutters: readonly number[]): Glyphs[][] {
  const runs: Glyphs[][] = [];
  let run: Glyphs[] | undefined;
  let end = 0;
  for (const item of [...row.items].sort((a, b) => a.x - b.x)) {
    const gap = item.x - end;
    const onGutter = gutters.some(
      (x) => Math.abs(end - x) < 14 && Math.abs(item.x - x) < 14 && gap > row.size * 0.45,
    );
    if (run && gap < columnGap(row) && !onGutter) {
      run.push(item);
      end = Math.max(end, item.x + item.width);
    } else {
      run = [item];
      end = item.x + item.width;
      runs.push(run);
    }
  }
  return runs;
}

function columnOf(run: readonly Glyphs[], gutters: readonly number[]): number {
  const left = Math.min(...run.map((item) => item.x));
  const right = Math.max(...run.map((item) => item.x + item.width));
  for (let i = 0; i <= gutters.length; i++) {
    const from = gutters[i - 1] ?? Number.NEGATIVE_INFINITY;
    const to = gutters[i] ?? Number.POSITIVE_INFINITY;
    if (left >= from - 3 && right <= to + 5) return i;
  }
  return -1;
}

/** Puts back together what the gutter cut: the parts of a line across, and words that run over the gutter. */
function joinSplitRows(columns: Line[][], across: Line[], gutters: readonly number[]): void {
  for (const line of across) {
    for (const column of columns)
      takeAll(column, (other) => Math.abs(other.y - line.y) < line.size * 0.5, line);
  }
  gutters.forEach((gutter, i) => {
    const left = columns[i] ?? [];
    const right = columns[i + 1] ?? [];
    for (const line of [...left]) {
      if (line.x1 <= gutter - 6) continue;
      const joined = takeAll(
        right,
        (other) => Math.abs(other.y - line.y) < 1.5 && other.x0 - line.x1 < line.size * 0.45,
        line,
        1,
      );
      if (!joined) continue;
      left.splice(left.indexOf(line), 1);
      across.push(line);
    }
  });
}

/** Moves lines that `test` accepts out of a column into `target`. */
function takeAll(
  column: Line[],
  test: (line: Line) => boolean,
  target: Line,
  limit = Number.POSITIVE_INFINITY,
): boolean {
  let taken = 0;
  for (let k = column.length - 1; k >= 0 && taken < limit; k--) {
    const line = column[k];
    if (!line || !test(line)) continue;
    column.splice(k, 1);
    taken++;
    target.text = line.x0 < target.x0 ? `${line.text} ${target.text}` : `${target.text} ${line.text}`;
    target.cells = [...target.cells, ...line.cells].sort((a, b) => a.x0 - b.x0);
    target.x0 = Math.min(target.x0, line.x0);
    target.x1 = Math.max(target.x1, line.x1);
  }
  return taken > 0;
}

/** A line across the page ends what stands above it in every column. */
function inBands(columns: readonly Line[][], across: readonly Line[]): Line[] {
  const out: Line[] = [];
  const next = columns.map(() => 0);
  const emit = (until: number) => {
    columns.forEach((lines, i) => {
      for (let line = lines[next[i] ?? 0]; line && line.y > until; line = lines[next[i] ?? 0]) {
        out.push(line);
        next[i] = (next[i] ?? 0) + 1;
      }
    });
  };
  for (const line of across) {
    emit(line.y);
    out.push(line);
  }
  emit(Number.NEGATIVE_INFINITY);
  return out;
}
