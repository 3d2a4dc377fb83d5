import { findTerm, type Segment } from '../store/segment-reader.ts';
import { hashTerm } from '../store/term-hash.ts';
import { readVarint } from '../store/varint.ts';
import type { RankingParameters } from './parameters.ts';
import type { Question } from './question.ts';

interface Pair {
  readonly first: string;
  readonly second: string;
  readonly weight: number;
}

/** Neighbouring terms of the question that both occur, each pair with its weight and rarity as one factor. */
export function pairsOf(question: Question, idf: ReadonlyMap<string, number>): Pair[] {
  const pairs: Pair[] = [];
  for (const phrase of question.phrases) {
    for (let i = 0; i + 1 < phrase.length; i++) {
      const [first = '', second = ''] = phrase.slice(i, i + 2);
      const rarity = ((idf.get(first) ?? 0) + (idf.get(second) ?? 0)) / 2;
      const weight = Math.min(question.weights.get(first) ?? 0, question.weights.get(second) ?? 0) * rarity;
      if (first !== second && weight > 0 && idf.has(first) && idf.has(second))
        pairs.push({ first, second, weight });
    }
  }
  return pairs;
}

/**
 * What each section gains from pairs that stand together in it: in order as neighbours, and in any order within a window
 * (the sequential dependence model of Metzler and Croft, 2005, with saturated counts).
 */
export function proximityGains(
  segment: Segment,
  numbers: readonly number[],
  pairs: readonly Pair[],
  averageLength: number,
  { window, ordered, unordered }: RankingParameters['proximity'],
): number[] {
  const wanted = new Map<number, string>();
  for (const { first, second } of pairs) {
    for (const term of [first, second]) {
      const ordinal = findTerm(segment, ...hashTerm(term));
      if (ordinal >= 0) wanted.set(ordinal, term);
    }
  }
  if (wanted.size < 2) return numbers.map(() => 0);

  return segment.termSequences(numbers).map((sequence) => {
    const { positions, length } = locate(sequence, wanted);
    const stretch = 0.6 + (0.4 * length) / averageLength;
    const saturate = (count: number) => (1.9 * (count / stretch)) / (count / stretch + 0.9);
    let gain = 0;
    for (const { first, second, weight } of pairs) {
      const { adjacent, near } = meet(positions.get(first) ?? [], positions.get(second) ?? [], window);
      if (near > 0) gain += weight * (ordered * saturate(adjacent) + unordered * saturate(near));
    }
    return gain;
  });
}

/** Whether two terms stand within `window` words of each other somewhere in the sections. */
export function standTogether(
  segment: Segment,
  numbers: readonly number[],
  [first, second]: readonly [string, string],
  window: number,
): boolean {
  const wanted = new Map([first, second].map((term) => [findTerm(segment, ...hashTerm(term)), term]));
  return segment.termSequences(numbers).some((sequence) => {
    const { positions } = locate(sequence, wanted);
    const [a = [], b = []] = [positions.get(first), positions.get(second)];
    return meet(a, b, window).near > 0 || meet(b, a, window).near > 0;
  });
}

function locate(
  sequence: Uint8Array,
  wanted: ReadonlyMap<number, string>,
): { positions: Map<string, number[]>; length: number } {
  const positions = new Map<string, number[]>();
  const cursor = { bytes: sequence, at: 0 };
  let length = 0;
  for (; cursor.at < sequence.length; length++) {
    const term = wanted.get(readVarint(cursor));
    if (term === undefined) continue;
    const known = positions.get(term);
    if (known) known.push(length);
    else positions.set(term, [length]);
  }
  return { positions, length };
}

function meet(
  first: readonly number[],
  second: readonly number[],
  window: number,
): { adjacent: number; near: number } {
  let adjacent = 0;
  let near = 0;
  let from = 0;
  for (const a of first) {
    while ((second[from] ?? a) < a - window) from++;
    for (let i = from; i < second.length; i++) {
      const distance = (second[i] ?? 0) - a;
      if (distance > window) break;
      if (distance === 1) adjacent++;
      near++;
    }
  }
  return { adjacent, near };
}
