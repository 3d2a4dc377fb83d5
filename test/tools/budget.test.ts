import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { estimateTokens, pieceOf, shareFairly } from '../../src/tools/budget.ts';
import { textKinds } from '../support/text-kinds.ts';

/** Surrogates without their other half. */
const halfPairs = (text: string) => text.match(/\p{Surrogate}/gu)?.length ?? 0;

/** What a model pays for a text: as it is, or as a string in JSON, whichever is more. */
const paid = (text: string) => Math.max(encode(text).length, encode(JSON.stringify(text)).length - 2);

describe('the estimate of tokens', () => {
  it.each(Object.entries(textKinds))('is at least the cost of %s, and not far above it', (name, text) => {
    const ratio = estimateTokens(text) / paid(text);
    expect(ratio).toBeGreaterThanOrEqual(1);
    // Scripts outside Latin are counted a character each: dear for those with an alphabet, never too cheap.
    const isLatin = ![
      'Chinese',
      'Japanese',
      'Korean',
      'Hindi',
      'Arabic',
      'Thai',
      'Russian',
      'Greek',
      'emoji',
    ].includes(name);
    expect(ratio).toBeLessThan(isLatin ? 2 : 3.2);
  });

  it('stops reading above what it is asked about', () => {
    expect(estimateTokens('word '.repeat(1_000_000), 100)).toBeLessThan(110);
  });
});

describe('pieceOf', () => {
  it('cuts any text into pieces that are the text, none above its budget', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 400 }),
        fc.integer({ min: 1, max: 60 }),
        (text, tokens) => {
          let joined = '';
          let offset: number | undefined = 0;
          while (offset !== undefined) {
            const { content, nextOffset } = pieceOf(text, offset, tokens);
            if (nextOffset !== undefined) expect(nextOffset).toBe(offset + content.length);
            // A first character that alone is dearer is shown all the same: it always goes on.
            if (content.length > 2) expect(estimateTokens(content)).toBeLessThanOrEqual(tokens);
            if (halfPairs(text) === 0) expect(halfPairs(content)).toBe(0);
            joined += content;
            offset = nextOffset;
          }
          expect(joined).toBe(text);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('cuts after a paragraph, a line, a sentence or a word, the best there is in its second half', () => {
    const words = 'one two three four five six seven eight nine ten. ';
    expect(pieceOf(words.repeat(20), 0, 100).content).toMatch(/ten\. $/);
    expect(pieceOf(`${words.repeat(8)}\n\n${words.repeat(20)}`, 0, 130).content).toMatch(/\n\n$/);
    expect(pieceOf('这是第一句话。这是第二句话。这是第三句话。', 0, 16).content).toMatch(/。$/);
  });
});

describe('shareFairly', () => {
  it('gives nobody more than they want, and what is left to who wants more', () => {
    expect(shareFairly([10, 100, 1000], 300)).toEqual([10, 100, 190]);
    expect(shareFairly([500, 500], 300)).toEqual([150, 150]);
    expect(shareFairly([], 300)).toEqual([]);
  });
});
