/** The order of heading styles: larger before smaller, bold capitals before bold before italic, as the document has it. */
import { type BodyStyle, sizeStep } from './body-style.ts';
import type { Heading } from './candidates.ts';

/** Sizes within this ratio are one step. */
const SIZE_STEP = Math.log(1.06);
const SAME_SIZE = 0.035;

interface Style {
  readonly key: string;
  readonly size: number;
  readonly bold: boolean;
  readonly value: number;
}

export function styleKey(heading: Heading): string {
  const size = sizeStep(heading.lines[0]?.size ?? 0);
  return [size, heading.bold, heading.italic, heading.capitals].join('|');
}

/** Rank of each style from 0, the outermost. */
export function rankStyles(headings: readonly Heading[], body: BodyStyle): Map<string, number> {
  const real = headings.filter((heading) => !heading.virtual);
  const styles = new Map(real.map((heading) => [styleKey(heading), styleOf(heading, body)]));
  const order = [...styles.values()].sort((a, b) => a.value - b.value);
  learnOrder(order, stackedPairs(real));
  const ranks = new Map<string, number>();
  let rank = 0;
  order.forEach((style, i) => {
    const above = order[i - 1];
    if (above && Math.abs(style.value - above.value) >= 1) rank++;
    ranks.set(style.key, rank);
  });
  return ranks;
}

function styleOf(heading: Heading, body: BodyStyle): Style {
  const size = sizeStep(heading.lines[0]?.size ?? body.size);
  const steps = Math.round(Math.log(size / body.size) / SIZE_STEP);
  const weight = (heading.bold ? 5 : 0) + (heading.capitals ? 3 : 0) - (heading.italic ? 2.5 : 0);
  return { key: styleKey(heading), size, bold: heading.bold, value: -steps * 10 - weight };
}

/** How often a heading of one style stands directly on one of another: the upper one is further out. */
function stackedPairs(headings: readonly Heading[]): (upper: Style, lower: Style) => number {
  const pairs = new Map<string, number>();
  headings.forEach((lower, i) => {
    const upper = headings[i - 1];
    if (upper?.page !== lower.page || lower.first !== upper.last + 1) return;
    const key = `${styleKey(upper)}>${styleKey(lower)}`;
    pairs.set(key, (pairs.get(key) ?? 0) + 1);
  });
  return (upper, lower) => pairs.get(`${upper.key}>${lower.key}`) ?? 0;
}

/** Whether bold italic stands above bold or below it differs between documents: stacked headings tell. */
function learnOrder(order: Style[], stacked: (upper: Style, lower: Style) => number): void {
  for (let pass = 0; pass < order.length; pass++) {
    for (let i = 1; i < order.length; i++) {
      const [a, b] = [order[i - 1], order[i]];
      if (!a || !b || a.bold !== b.bold || Math.abs(Math.log(a.size / b.size)) >= SAME_SIZE) continue;
      const reversed = stacked(b, a);
      if (reversed >= 2 && reversed >= 2 * stacked(a, b) + 1) [order[i - 1], order[i]] = [b, a];
    }
  }
}
