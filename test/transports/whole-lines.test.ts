import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wholeLines } from '../../src/transports/whole-lines.ts';

/** What comes out, as the SDK sees it: by events. */
function through(pieces: readonly Buffer[], maxBytes = 1000): Promise<string[]> {
  const out: string[] = [];
  const lines = Readable.from(pieces, { objectMode: true }).pipe(wholeLines(maxBytes));
  lines.on('data', (chunk: Buffer) => out.push(chunk.toString('latin1')));
  return new Promise((resolve) => lines.once('end', () => resolve(out)));
}

describe('wholeLines', () => {
  it('changes no byte, and ends every piece but the last with a line, however the bytes come', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.stringMatching(/^[ab\n]{1,6}$/)), async (pieces) => {
        const out = await through(pieces.map((piece) => Buffer.from(piece)));
        expect(out.join('')).toBe(pieces.join(''));
        for (const chunk of out.slice(0, -1)) expect(chunk.endsWith('\n')).toBe(true);
      }),
    ));

  it('keeps a line in pieces to itself until it is whole', async () => {
    expect(await through(['{"a"', ':1}\n{"b":', '2}\n'].map((piece) => Buffer.from(piece)))).toEqual([
      '{"a":1}\n',
      '{"b":2}\n',
    ]);
  });

  it('hands on a line that is too long before it has all of it', async () => {
    const pieces = Array.from({ length: 30 }, () => Buffer.alloc(100, 'x'));
    const out = await through(pieces, 1000);
    expect(out[0]).toHaveLength(1100);
    expect(out.join('')).toHaveLength(3000);
  });
});
