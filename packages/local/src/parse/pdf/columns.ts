/** Finds the gutters between the columns of a page. */
import type { Row } from './lines.ts';

/** A run of one row without a wide gap. */
interface Segment {
  readonly left: number;
  right: number;
  readonly y: number;
  text: string;
}

/** A gutter lies in the middle part of the page; little ink crosses it, and both sides hold long lines of text. */
const MIDDLE = [0.28, 0.72] as const;
const MAX_CROSSING = 0.4;
const MIN_SEGMENTS = 16;
const MIN_PER_SIDE = 8;
const MIN_LONG_PER_SIDE = 7;
const MAX_NESTED = 2;

/** x of each gutter from left to right; none on a page of one column. */
export function findGutters(rows: readonly Row[]): number[] {
  const segments = rows.flatMap(segmentsOf);
  if (segments.length === 0) return [];
  const left = Math.min(...segments.map((segment) => segment.left));
  const right = Math.max(...segments.map((segment) => segment.right));
  const gutters: number[] = [];
  const divide = (within: readonly Segment[], from: number, to: number, depth: number) => {
    const gutter = depth > MAX_NESTED ? undefined : findGutter(within, from, to);
    if (!gutter) return;
    gutters.push(gutter.x);
    divide(gutter.left, from, gutter.x, depth + 1);
    divide(gutter.right, gutter.x, to, depth + 1);
  };
  divide(segments, left, right, 0);
  if (gutters.length === 0) gutters.push(...thirds(segments, left, right));
  return gutters.sort((a, b) => a - b);
}

function segmentsOf(row: Row): Segment[] {
  const out: Segment[] = [];
  let segment: Segment | undefined;
  for (const item of [...row.items].sort((a, b) => a.x - b.x)) {
    if (segment && item.x - segment.right < columnGap(row)) {
      segment.right = Math.max(segment.right, item.x + item.width);
      segment.text += ` ${item.text}`;
    } else {
      segment = { left: item.x, right: item.x + item.width, y: row.y, text: item.text };
      out.push(segment);
    }
  }
  return out;
}

/** A gap of this width may be a gutter. */
export function columnGap(row: Row): number {
  return Math.min(row.size, 14) * 0.85;
}

const ink = (segments: readonly Segment[]) =>
  segments.reduce((sum, segment) => sum + segment.right - segment.left, 0);

interface Gutter {
  readonly x: number;
  readonly left: Segment[];
  readonly right: Segment[];
}

function findGutter(segments: readonly Segment[], from: number, to: number): Gutter | undefined {
  if (segments.length < MIN_SEGMENTS) return undefined;
  const x = leastCrossed(segments, from, to);
  if (x === undefined) return undefined;
  const left = segments.filter((segment) => segment.right <= x + 1);
  const right = segments.filter((segment) => segment.right > x + 1 && segment.left >= x - 1);
  if (left.length < MIN_PER_SIDE || right.length < MIN_PER_SIDE) return undefined;
  const longLeft = longOnes(left, x - Math.min(...left.map((segment) => segment.left)));
  const longRight = longOnes(right, Math.max(...right.map((segment) => segment.right)) - x);
  if (longLeft.length < MIN_LONG_PER_SIDE || longRight.length < MIN_LONG_PER_SIDE) return undefined;
  if (ink(longLeft) < 0.5 * ink(left) || ink(longRight) < 0.5 * ink(right)) return undefined;
  if (sharedHeight(longLeft, longRight) < 0.3) return undefined;
  // Columns of numbers are a table, not columns of text.
  if (digitShare(right) > 0.25 || digitShare(left) > 0.35) return undefined;
  return { x, left, right };
}

/** The x with the most text on its poorer side and the least text across. */
function leastCrossed(segments: readonly Segment[], from: number, to: number): number | undefined {
  let best: { x: number; start: number; score: number } | undefined;
  for (let x = from + (to - from) * MIDDLE[0]; x <= from + (to - from) * MIDDLE[1]; x += 2) {
    let crossing = 0;
    let left = 0;
    let right = 0;
    for (const segment of segments) {
      const width = segment.right - segment.left;
      if (segment.right <= x + 1) left += width;
      else if (segment.left >= x - 1) right += width;
      else crossing += width;
    }
    if (crossing > MAX_CROSSING * (left + right)) continue;
    const score = Math.min(left, right) - crossing * 1.2;
    if (!best || score > best.score + 0.01) best = { x, start: x, score };
    else if (Math.abs(score - best.score) < 0.01 && x - best.start < 40) best.x = (best.start + x) / 2;
  }
  return best?.x;
}

function longOnes(segments: readonly Segment[], width: number): Segment[] {
  return segments.filter(
    (segment) => segment.right - segment.left >= width * 0.5 && segment.text.split(' ').length >= 4,
  );
}

function sharedHeight(a: readonly Segment[], b: readonly Segment[]): number {
  const [lowA, highA] = heights(a);
  const [lowB, highB] = heights(b);
  const shorter = Math.min(highA - lowA, highB - lowB);
  return shorter <= 0 ? 1 : (Math.min(highA, highB) - Math.max(lowA, lowB)) / shorter;
}

function heights(segments: readonly Segment[]): [number, number] {
  const ys = segments.map((segment) => segment.y);
  return [Math.min(...ys), Math.max(...ys)];
}

function digitShare(segments: readonly Segment[]): number {
  let digits = 0;
  let all = 0;
  for (const { text } of segments) {
    digits += text.match(/[\d$%—–]/g)?.length ?? 0;
    all += text.length;
  }
  return digits / Math.max(1, all);
}

/** Three columns have no gutter in the middle. */
function thirds(segments: readonly Segment[], left: number, right: number): number[] {
  const width = right - left;
  const third = (share: number) => left + width * share;
  const a = segments.filter((s) => s.right <= third(0.35));
  const b = segments.filter((s) => s.left >= third(0.31) && s.right <= third(0.69));
  const c = segments.filter((s) => s.left >= third(0.65));
  if (Math.min(a.length, b.length, c.length) < 12) return [];
  if (a.length + b.length + c.length <= 0.75 * segments.length) return [];
  const first = findGutter([...a, ...b], left, third(0.67));
  const second = findGutter([...b, ...c], third(0.33), right);
  return first && second ? [first.x, second.x] : [];
}
