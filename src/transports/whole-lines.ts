import { Transform } from 'node:stream';

const newline = 0x0a;

/**
 * Hands on nothing but whole lines. The SDK searches and copies all that it has of a line with every piece that comes:
 * a file of 30 MB pasted as base64 would keep it busy for twelve seconds. What passes `maxBytes` without an end goes on
 * as it is, for the SDK to refuse.
 */
export function wholeLines(maxBytes: number): Transform {
  let pieces: Buffer[] = [];
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const end = chunk.lastIndexOf(newline) + 1;
      size += chunk.length;
      if (end === 0 && size <= maxBytes) {
        pieces.push(chunk);
        return done();
      }
      const cut = end === 0 ? chunk.length : end;
      const whole = [...pieces, chunk.subarray(0, cut)];
      pieces = cut < chunk.length ? [chunk.subarray(cut)] : [];
      size = chunk.length - cut;
      done(null, whole.length === 1 ? whole[0] : Buffer.concat(whole));
    },
    flush: (done) => done(null, pieces.length > 0 ? Buffer.concat(pieces) : undefined),
  });
}
