import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Refusal } from '../refusal.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Reads a body, decompressed, and stops as soon as it is larger than `maxBytes`. */
export async function readBody(
  body: Readable,
  contentEncoding: string,
  where: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Bytes> {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const [coding = 'identity', ...more] = codings;
  const decoder = decoders[coding];
  if (more.length > 0 || (coding !== 'identity' && decoder === undefined)) {
    body.on('error', () => {}).destroy();
    throw new Refusal(`${where} is compressed in a way that is not read (${contentEncoding.slice(0, 60)}).`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  const collect = async (source: AsyncIterable<Uint8Array>) => {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > maxBytes) return;
      chunks.push(chunk);
    }
  };
  try {
    if (decoder) await pipeline(body, decoder(), collect, { signal });
    else await pipeline(body, collect, { signal });
  } catch (error) {
    // Leaving before the end destroys the body, which is an error of its own.
    if (size <= maxBytes) throw error;
  }
  if (size > maxBytes) throw largerThanLimit(where);
  return new Uint8Array(Buffer.concat(chunks));
}

export function largerThanLimit(where: string): Refusal {
  return new Refusal(
    `${where} is larger than the limit (VECTORLESS_MAX_FILE_MB). Split it or raise the limit.`,
  );
}

/** Servers parse text as UTF-8; a page that says it is in another encoding is rewritten. */
export function toUtf8(bytes: Uint8Array, contentType: string): Bytes {
  const charset = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1]?.toLowerCase();
  if (charset !== undefined && !/^utf-?8$|ascii/.test(charset)) {
    try {
      return new Uint8Array(Buffer.from(new TextDecoder(charset).decode(bytes), 'utf8'));
    } catch {
      // An encoding that nobody knows: as it came.
    }
  }
  return new Uint8Array(bytes);
}
