/** Numbers of lists and headings: Word stores how to count, not the count. */
import type { ParseLimits } from '../limits.ts';
import { readXml } from '../zip/xml.ts';
import type { NumberingRef } from './styles.ts';

interface Level {
  format: string;
  /** Such as `%1.%2`. */
  text: string;
  start: number;
}

type Levels = Map<number, Level>;
const MAX_LEVEL = 8;

export interface NumberingState {
  /** The label of the next paragraph with this numbering, `- ` for bullets; empty where nothing is shown. */
  next(ref: NumberingRef): string;
}

export function readNumbering(source: string | undefined, limits: ParseLimits): NumberingState {
  const { abstracts, abstractOf } = readDefinitions(source ?? '<numbering/>', limits);
  const counters = new Map<string, number[]>();

  return {
    next({ numId, level }) {
      const abstract = abstractOf.get(numId) ?? '';
      const levels = abstracts.get(abstract);
      const at = Math.min(Math.max(0, level), MAX_LEVEL);
      const definition = levels?.get(at);
      if (!levels || !definition) return '- ';
      if (definition.format === 'bullet') return '- ';
      if (definition.format === 'none') return '';
      // Lists with one definition count on together; deeper levels start anew.
      const counts = counters.get(abstract) ?? [];
      counters.set(abstract, counts);
      counts[at] = (counts[at] ?? definition.start - 1) + 1;
      counts.length = at + 1;
      return labelOf(definition.text, levels, counts);
    },
  };
}

function labelOf(text: string, levels: Levels, counts: readonly number[]): string {
  const label = text.replace(/%(\d)/g, (_, digit: string) => {
    const at = Number(digit) - 1;
    const level = levels.get(at);
    return formatNumber(counts[at] ?? level?.start ?? 1, level?.format ?? 'decimal');
  });
  return label.trim() === '' ? '' : `${label.trim()} `;
}

function readDefinitions(source: string, limits: ParseLimits) {
  const abstracts = new Map<string, Levels>();
  const abstractOf = new Map<string, string>();
  let levels: Levels | undefined;
  let level: Level | undefined;
  let numId = '';
  readXml(source, limits, {
    open(name, { abstractNumId, numId: id, ilvl, val }) {
      if (name === 'abstractNum') {
        levels = new Map();
        abstracts.set(abstractNumId ?? '', levels);
      } else if (name === 'num') {
        numId = id ?? '';
        levels = undefined;
      } else if (name === 'abstractNumId') abstractOf.set(numId, val ?? '');
      else if (name === 'lvl' && levels) {
        level = { format: 'decimal', text: '', start: 1 };
        levels.set(Number(ilvl), level);
      } else if (!level) return;
      else if (name === 'numFmt') level.format = val ?? 'decimal';
      else if (name === 'lvlText') level.text = val ?? '';
      else if (name === 'start') level.start = Number(val ?? 1);
    },
    close(name) {
      if (name === 'lvl') level = undefined;
      if (name === 'abstractNum') levels = undefined;
    },
  });
  return { abstracts, abstractOf };
}

const ROMAN = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
] as const;

function formatNumber(value: number, format: string): string {
  switch (format) {
    case 'lowerLetter':
    case 'upperLetter': {
      // After z comes aa, then bb.
      const letter = String.fromCharCode(97 + ((Math.max(1, value) - 1) % 26));
      const text = letter.repeat(Math.min(9, 1 + Math.floor((Math.max(1, value) - 1) / 26)));
      return format === 'upperLetter' ? text.toUpperCase() : text;
    }
    case 'lowerRoman':
    case 'upperRoman': {
      const text = roman(Math.min(3999, Math.max(1, value)));
      return format === 'upperRoman' ? text.toUpperCase() : text;
    }
    case 'decimalZero':
      return String(value).padStart(2, '0');
    default:
      return String(value);
  }
}

function roman(value: number): string {
  let rest = value;
  let text = '';
  for (const [number, letters] of ROMAN) {
    while (rest >= number) {
      text += letters;
      rest -= number;
    }
  }
  return text;
}
