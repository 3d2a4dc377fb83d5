import type { Incoming } from './exchange.ts';

/** The answer is longer than the client is willing to hold. */
export class BodyTooLongError extends Error {}

/** The whole body as text. Past `limit` bytes it throws `BodyTooLongError`, or with `cut` returns what it has. */
export async function readText(incoming: Incoming, limit: number, beyond: 'throw' | 'cut'): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of incoming.body) {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length <= limit) continue;
    incoming.discard();
    if (beyond === 'throw') throw new BodyTooLongError(`The answer is longer than ${limit} bytes.`);
    break;
  }
  const [only] = chunks;
  const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
