/**
 * What a text costs in o200k tokens, one UTF-16 unit after the other, in quarter tokens. The tokenizer cuts a text
 * into words with the space before them, groups of three digits and runs of signs, and most of these are one token;
 * long or unusual words are several. A result is read as text or as JSON, so escapes count: a line break is `\n`.
 * The weights are fitted so that the sum errs high by a little on filings, code and a dozen languages.
 */
export function createMeter(): (unit: number) => number {
  let previous: number = kinds.break;
  let lastUnit = 0;
  let run = 0;
  return (unit) => {
    const kind = unit < latinKinds.length ? (latinKinds[unit] ?? kinds.unknown) : kindBeyondLatin(unit);
    run = kind === previous || (kind <= lastLetter && previous <= lastLetter) ? run + 1 : 1;
    const cost = quartersOf(kind, previous, run, unit === lastUnit);
    previous = kind;
    lastUnit = unit;
    return cost;
  };
}

/** Numbers, since every character of every result passes here. Letters come first. */
const kinds = {
  ...{ lower: 0, upper: 1, accented: 2, digit: 3, space: 4, break: 5, sign: 6 },
  ...{ control: 7, cyrillic: 8, character: 9, surrogate: 10, symbol: 11, unknown: 12 },
} as const;
const lastLetter: number = kinds.accented;

/** What the kinds after `sign` cost, wherever they stand. */
const flat: readonly number[] = [
  16, // control: written as `\u0001` in JSON
  2, // Greek and Cyrillic come in pieces of a few letters
  4, // a character a token: CJK, Hangul, Arabic, the scripts of India
  6, // half of an emoji or of a rare ideograph
  6, // arrows, operators, box drawing: often two bytes of a token each
  12, // private glyphs of PDF fonts, scripts that the vocabulary does not know: a token a byte
];

function quartersOf(kind: number, previous: number, run: number, repeats: boolean): number {
  switch (kind) {
    case kinds.lower:
      if (run === 1) return 4;
      return run > 6 ? 1.75 : 0;
    case kinds.space:
      return previous === kinds.space ? 1 : 0;
    case kinds.digit:
      // The space before a number is a token of its own.
      return (run % 3 === 1 ? 4 : 0.5) + (run === 1 && previous === kinds.space ? 4 : 0);
    case kinds.sign:
      if (previous !== kinds.sign) return 4;
      return repeats ? 0.5 : 2;
    case kinds.upper:
      if (run === 1 || previous === kinds.lower) return 4;
      return 1.5;
    case kinds.accented:
      return run === 1 ? 9.5 : run > 6 ? 7.25 : 5.5;
    case kinds.break:
      return previous === kinds.break ? 2 : 6;
    default:
      return flat[kind - kinds.control] ?? 12;
  }
}

const latinKinds = Uint8Array.from({ length: 0x250 }, (_, unit) => {
  if (unit >= 0x61 && unit <= 0x7a) return kinds.lower;
  if (unit === 0x20) return kinds.space;
  if (unit >= 0x30 && unit <= 0x39) return kinds.digit;
  if (unit >= 0x41 && unit <= 0x5a) return kinds.upper;
  if (unit < 0x20) return unit === 0x0a || unit === 0x09 ? kinds.break : kinds.control;
  return unit < 0x80 ? kinds.sign : kinds.accented;
});

function kindBeyondLatin(unit: number): number {
  if (unit >= 0x370 && unit < 0x530) return kinds.cyrillic;
  if (unit >= 0x2010 && unit < 0x2040) return kinds.sign;
  if (unit >= 0x1100 && unit < 0x2c00) {
    return unit >= 0x1e00 && unit < 0x1f00 ? kinds.accented : kinds.symbol;
  }
  if (unit >= 0xd800 && unit < 0xe000) return kinds.surrogate;
  const isKnown = unit < 0x1100 || (unit >= 0x2e80 && unit < 0xa000) || (unit >= 0xac00 && unit < 0xd800);
  return isKnown || unit >= 0xff00 ? kinds.character : kinds.unknown;
}
