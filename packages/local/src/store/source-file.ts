import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { crc32, deflateRaw, inflateRawSync } from 'node:zlib';
import { DamagedFile } from './errors.ts';

const deflate = promisify(deflateRaw);

/** A document as it was sent, kept from the moment it is accepted until it is deleted. */
export interface SourceHead {
  readonly id: string;
  readonly filename: string;
  readonly contentType: string;
  readonly byteSize: number;
  /** RFC 3339. */
  readonly createdAt: string;
}

const MAGIC = 0x31435253; // "SRC1"
const FIXED_BYTES = 20;
const MAX_HEAD = 1 << 16;

/** File layout: magic, head length, head CRC, body CRC, 1 if the body is deflated; the head as JSON; the body. */
export async function encodeSource(head: SourceHead, bytes: Uint8Array): Promise<Uint8Array[]> {
  const json = Buffer.from(JSON.stringify(head));
  const deflated: Buffer = await deflate(bytes, { level: 1 });
  const small = deflated.length < bytes.length * 0.9;
  const body = small ? deflated : bytes;
  const fixed = Buffer.alloc(FIXED_BYTES);
  [MAGIC, json.length, crc32(json), crc32(body), small ? 1 : 0].forEach((value, i) => {
    fixed.writeUInt32LE(value, i * 4);
  });
  return [fixed, json, body];
}

/** Throws DamagedFile. */
export function readSourceHead(path: string): SourceHead {
  const fd = openSync(path, 'r');
  try {
    const fixed = Buffer.alloc(FIXED_BYTES);
    readSync(fd, fixed, 0, FIXED_BYTES, 0);
    const json = Buffer.alloc(headLength(fixed));
    readSync(fd, json, 0, json.length, FIXED_BYTES);
    return parseHead(fixed, json);
  } finally {
    closeSync(fd);
  }
}

/** The bytes as they were sent. Throws DamagedFile. */
export function readSource(path: string): { head: SourceHead; bytes: Uint8Array } {
  const file = readFileSync(path);
  if (file.length < FIXED_BYTES) throw new DamagedFile('cut short');
  const bodyAt = FIXED_BYTES + headLength(file);
  const head = parseHead(file, file.subarray(FIXED_BYTES, bodyAt));
  const body = file.subarray(bodyAt);
  if (crc32(body) !== file.readUInt32LE(12)) throw new DamagedFile('checksum of the file does not match');
  return { head, bytes: file.readUInt32LE(16) === 1 ? inflateRawSync(body) : body };
}

function headLength(fixed: Buffer): number {
  const length = fixed.readUInt32LE(4);
  if (fixed.readUInt32LE(0) !== MAGIC || length > MAX_HEAD) throw new DamagedFile('not a stored document');
  return length;
}

function parseHead(fixed: Buffer, json: Buffer): SourceHead {
  if (crc32(json) !== fixed.readUInt32LE(8)) throw new DamagedFile('checksum of the head does not match');
  return JSON.parse(json.toString()) as SourceHead;
}
