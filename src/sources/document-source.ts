import { createHash } from 'node:crypto';
import type { BlobLike } from '@vectorless/sdk';
import { Refusal } from '../refusal.ts';

/** A document that was read and checked, ready to be uploaded. `close` it when the upload is over. */
export interface DocumentSource {
  readonly filename: string;
  readonly contentType: string;
  readonly byteSize: number;
  /** Of the bytes, in lower-case hex. */
  readonly sha256: string;
  /** Can be streamed any number of times, until `close`. */
  readonly body: BlobLike;
  close(): Promise<void>;
}

/** What every way in takes. */
export interface SourceLimits {
  readonly maxBytes: number;
  /** The embedded engine takes it, which parses more types. */
  readonly local?: boolean | undefined;
  /** What the bytes must hash to, in hex. */
  readonly sha256?: string | undefined;
  /** How a file can be given to this server, as a sentence names it: "path or url". */
  readonly fileWays?: string | undefined;
  /** What to call it; its own name otherwise. It gets the extension of its type if it has another. */
  readonly filename?: string | undefined;
}

/** A source whose bytes are in memory. */
export function sourceFromBytes(
  bytes: Uint8Array<ArrayBuffer>,
  filename: string,
  contentType: string,
): DocumentSource {
  return {
    filename,
    contentType,
    byteSize: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    body: new Blob([bytes], { type: contentType }),
    async close() {},
  };
}

export function refuseSize(what: string, byteSize: number, maxBytes: number): void {
  if (byteSize === 0) throw new Refusal(`${what} is empty (0 bytes); there is nothing to ingest.`);
  if (byteSize <= maxBytes) return;
  throw new Refusal(
    `${what} is ${megabytes(byteSize)} MB; the limit is ${megabytes(maxBytes)} MB (VECTORLESS_MAX_FILE_MB). Split it or raise the limit.`,
  );
}

const megabytes = (bytes: number) => Number((bytes / 2 ** 20).toFixed(bytes < 10 * 2 ** 20 ? 2 : 1));

/** Compares with what the caller said; `expected` may be in upper case. */
export function refuseDigest(
  what: string,
  { sha256, byteSize }: Pick<DocumentSource, 'sha256' | 'byteSize'>,
  expected: string | undefined,
  advice = 'Check that it is the file you mean, or leave sha256 out.',
): void {
  const wanted = expected
    ?.trim()
    .replace(/^sha-?256[:=-]/i, '')
    .toLowerCase();
  if (wanted === undefined || wanted === '' || wanted === sha256) return;
  if (!/^[0-9a-f]{64}$/.test(wanted))
    throw new Refusal('sha256 must be 64 hexadecimal digits; leave it out if you do not know it.');
  throw new Refusal(
    `${what} does not have the sha256 you gave: got ${byteSize} bytes with sha256 ${sha256}. ${advice}`,
  );
}
