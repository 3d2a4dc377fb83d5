/** Measures a page's lines against each other: column edges, gaps, usual line distance, rows of tables. */

import { sizeStep } from './body-style.ts';
import type { Box, Line, Page, RowKind } from './layout.ts';
import { commonest } from './lines.ts';
import { isNumericCell, ONLY_NUMBERS } from './patterns.ts';

/** Numbers set with little space between them: "Label 1,234 5,678". */
const TIGHT_NUMBERS = /\s[$(]?\d[\d,.]*\)?%?(?:\s+[$(—–-]*\s*\d[\d,.]*\)?%?)+$/;

export function rowKind(line: Line): RowKind {
  const { cells, text } = line;
  if (cells.length >= 2) {
    const numeric = cells.slice(1).filter((cell) => isNumericCell(cell.text)).length;
    if (numeric >= 1 && numeric >= (cells.length - 1) * 0.5) return 'numeric';
    if (cells.length >= 3) return 'cells';
  } else if (text.length > 4 && /\d/.test(text) && ONLY_NUMBERS.test(text)) {
    return 'numbers';
  }
  return cells.length >= 2 && TIGHT_NUMBERS.test(text) ? 'numeric' : '';
}

export function measurePage(page: Page, bodySize: number): void {
  const boxes = new Map<number, Box>();
  const gaps: number[] = [];
  page.lines.forEach((line, i) => {
    const above = page.lines[i - 1];
    const under = page.lines[i + 1];
    const follows = above?.column === line.column && above.y > line.y;
    line.gap = follows ? above.y - line.y : Number.POSITIVE_INFINITY;
    line.below =
      under?.column === line.column && under.y < line.y ? line.y - under.y : Number.POSITIVE_INFINITY;
    if (line.gap < line.size * 3) gaps.push(line.gap / line.size);
    const box = boxes.get(line.column) ?? boxOf(page.lines.filter((other) => other.column === line.column));
    boxes.set(line.column, box);
    line.box = box;
  });
  page.leading = quantile(gaps, 0.4) ?? 1.2;
  page.modalSize = commonest(page.lines.map((line) => [sizeStep(line.size), line.text.length])) ?? bodySize;
}

/** The edges most lines keep to: a few may hang out. */
function boxOf(lines: readonly Line[]): Box {
  return {
    left:
      quantile(
        lines.map((line) => line.x0),
        0.05,
      ) ?? 0,
    right:
      quantile(
        lines.map((line) => line.x1),
        0.95,
      ) ?? 0,
  };
}

function quantile(values: readonly number[], share: number): number | undefined {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)];
}
