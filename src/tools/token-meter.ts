/**
 * What a text costs in o200k tokens, one UTF-16 unit after the other, in quarter tokens. The tokenizer cuts a text
 * into words with the space before them, groups of three digits and runs of signs, and most of these are one token;
 * long or unusual words are several. A result is read as text or as JSON, so escapes count: a line break is `\n`.
 * The weights are fitted so that the sum errs high by a little on filings, code and a dozen languages.
 */
export function createMeter(): (unit: number) => number {
  let previous: Kind = 'break';
  let lastUnit = 0;
  let run = 0;
  return (unit) => {
    const kind = kindOf(unit);
    run = kind === previous || (letters.has(kind) && letters.has(previous)) ? run + 1 : 1;
    const cost = quartersOf(kind, previous, run, unit === lastUnit);
    previous = kind;
    lastUnit = unit;
    return cost;
  };
}

type Kind = 'lower' | 'upper' | 'accented' | 'digit' | 'space' | 'break' | 'sign' | keyof typeof flat;

const letters: ReadonlySet<Kind> = new Set<Kind>(['lower', 'upper', 'accented']);

/** Kinds that cost the same wherever they stand. */
const flat = {
  /** Written as `\u0001` in JSON. */
  control: 16,
  /** Greek and Cyrillic come in pieces of a few letters. */
  cyrillic: 2,
  /** A character a token: CJK, Hangul, Arabic, the scripts of India. */
  character: 4,
  /** Half of an emoji or of a rare ideograph. */
  surrogate: 6,
  /** Arrows, operators, box drawing: often two bytes of a token each. */
  symbol: 6,
  /** Private glyphs of PDF fonts, scripts that the vocabulary does not know: a token a byte. */
  unknown: 12,
} as const;

function quartersOf(kind: Kind, previous: Kind, run: number, repeats: boolean): number {
  switch (kind) {
    case 'lower':
    case 'upper':
    case 'accented':
      return (kind === 'accented' ? 5.5 : 0) + letter(kind, previous, run);
    case 'digit':
      // The space before a number is a token of its own.
      return (run % 3 === 1 ? 4 : 0.5) + (run === 1 && previous === 'space' ? 4 : 0);
    case 'space':
      return previous === 'space' ? 1 : 0;
    case 'break':
      return previous === 'break' ? 2 : 6;
    case 'sign':
      if (previous !== 'sign') return 4;
      return repeats ? 0.5 : 2;
    default:
      return flat[kind];
  }
}

function letter(kind: Kind, previous: Kind, run: number): number {
  if (run === 1) return 4;
  if (kind === 'upper') return previous === 'lower' ? 4 : 1.5;
  return run > 6 ? 1.75 : 0;
}

function kindOf(unit: number): Kind {
  if (unit >= 0x61 && unit <= 0x7a) return 'lower';
  if (unit === 0x20) return 'space';
  if (unit >= 0x30 && unit <= 0x39) return 'digit';
  if (unit >= 0x41 && unit <= 0x5a) return 'upper';
  if (unit < 0x20) return unit === 0x0a || unit === 0x09 ? 'break' : 'control';
  if (unit < 0x80) return 'sign';
  if (unit < 0x250) return 'accented';
  return beyondLatin(unit);
}

function beyondLatin(unit: number): Kind {
  if (unit >= 0x370 && unit < 0x530) return 'cyrillic';
  if (unit >= 0x2010 && unit < 0x2040) return 'sign';
  if (unit >= 0x1100 && unit < 0x2c00) return unit >= 0x1e00 && unit < 0x1f00 ? 'accented' : 'symbol';
  if (unit >= 0xd800 && unit < 0xe000) return 'surrogate';
  const isKnown = unit < 0x1100 || (unit >= 0x2e80 && unit < 0xa000) || (unit >= 0xac00 && unit < 0xd800);
  return isKnown || unit >= 0xff00 ? 'character' : 'unknown';
}
