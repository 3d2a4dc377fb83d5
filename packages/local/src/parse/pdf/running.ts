/** Running heads, running feet and page numbers: what repeats at the edges of pages and is no text. */

import type { BodyStyle } from './body-style.ts';
import type { Line, Page } from './layout.ts';

/** So many lines at each end of a page may be a head or foot. */
const EDGE_LINES = 4;
/** A head stands at the same height, give or take this, in points. */
const SAME_HEIGHT = 8;
const MIN_PAGES = 3;
const MIN_SHARE = 0.08;
const PAGE_NUMBER =
  /^[-–—\s(]*(?:page\s*)?(?:[A-Z]{1,2}-)?\d{1,4}(?:\s*(?:of|\/)\s*\d+)?[-–—\s)]*$|^[ivxl]{1,6}$/i;
const WITH_PAGE_NUMBER = /^\d{1,4}\s+\S|\s\|?\s*\d{1,4}$/;

type Edge = 'top' | 'bottom';

export function markRunning(pages: readonly Page[], body: BodyStyle): void {
  const edges = pages.map(edgesOf);
  const repeated = repeatedKeys(edges);
  const kept = new Set<string>();
  pages.forEach((page, i) => {
    for (const [line, edge] of edges[i] ?? []) {
      const key = keyOf(line, edge);
      if (PAGE_NUMBER.test(line.text) && (edge === 'bottom' || line.index <= 2)) line.running = 'page-number';
      else if (repeated.has(key)) line.running = 'repeated';
      else if (isNumberedFoot(line, page, body)) line.running = 'repeated';
    }
    // A head that is set as a heading names the part it stands on: its first occurrence is that heading.
    for (const [line, edge] of edges[i] ?? []) {
      const key = keyOf(line, edge);
      if (line.running !== 'repeated' || edge !== 'top' || !repeated.has(key) || kept.has(key)) continue;
      const styled = line.bold > 0.85 || line.size >= body.size * 1.12;
      if (!styled || /table of contents|^page/i.test(line.text)) continue;
      kept.add(key);
      line.running = '';
    }
  });
}

function edgesOf(page: Page): Map<Line, Edge> {
  const byHeight = [...page.lines].sort((a, b) => b.y - a.y);
  const edges = new Map<Line, Edge>();
  for (const line of byHeight.slice(0, EDGE_LINES)) edges.set(line, 'top');
  for (const line of byHeight.slice(-EDGE_LINES)) if (!edges.has(line)) edges.set(line, 'bottom');
  return edges;
}

/** Numbers masked, since a head may carry the page's or the chapter's. */
function keyOf(line: Line, edge: Edge): string {
  const masked = line.text
    .toLowerCase()
    .replace(/\d+/g, '#')
    .replace(/\b[ivxl]{1,5}\b$/, '#');
  return edge + masked.slice(0, 90);
}

function repeatedKeys(edges: readonly ReadonlyMap<Line, Edge>[]): Set<string> {
  const seen = new Map<string, { pages: number[]; heights: number[] }>();
  edges.forEach((lines, page) => {
    for (const [line, edge] of lines) {
      const key = keyOf(line, edge);
      const entry = seen.get(key) ?? { pages: [], heights: [] };
      seen.set(key, entry);
      if (entry.pages.at(-1) === page) continue;
      entry.pages.push(page);
      entry.heights.push(line.y);
    }
  });
  const repeated = new Set<string>();
  for (const [key, { pages, heights }] of seen) {
    if (pages.length < MIN_PAGES) continue;
    const middle = [...heights].sort((a, b) => a - b)[heights.length >> 1] ?? 0;
    const level = heights.filter((y) => Math.abs(y - middle) <= SAME_HEIGHT).length;
    if (level < pages.length * 0.6) continue;
    // The head of one chapter repeats on few pages of the whole, but on neighbouring ones.
    const close = pages.filter((page, i) => i > 0 && page - (pages[i - 1] ?? 0) <= 2).length;
    const often = pages.length >= Math.max(MIN_PAGES, edges.length * MIN_SHARE);
    if (often || (close >= 3 && close >= pages.length * 0.5)) repeated.add(key);
  }
  return repeated;
}

/** "12 Annual Report" alone at the very edge. */
function isNumberedFoot(line: Line, page: Page, body: BodyStyle): boolean {
  const outside = line.y < page.height * 0.075 || line.y > page.height * 0.955;
  const apart = line.gap > line.size * 1.8 || line.below > line.size * 1.8;
  return (
    outside &&
    apart &&
    line.size <= body.size * 1.05 &&
    line.text.length < 90 &&
    WITH_PAGE_NUMBER.test(line.text)
  );
}
