import { crc32 } from 'node:zlib';
import type { Metadata } from './metadata.ts';
import type { StoredVector } from './table.ts';
import { VectorRefusal } from './vector-stores.ts';

/**
 * A log is a run of records: mark (4 bytes), length of the payload (4), CRC-32 over length and payload (4), payload.
 * A payload is a kind (1), the length of its JSON (4), the JSON, and for a vector its numbers as float32. Everything is
 * little-endian, as every machine that Node is released for, but one, keeps it in memory. JSON holds strings that UTF-8
 * cannot. The mark lets a reader find the next record after a damaged one.
 */
const mark = Buffer.from('\u0001VL\u0002', 'latin1');
const envelope = 12;
const payloadHead = 5;
/** Above any payload that the limits allow. */
const maxPayload = 1024 ** 2;
const format = 1;

export type Entry =
  | { readonly kind: 'header' }
  | ({ readonly kind: 'put' } & StoredVector)
  | { readonly kind: 'delete'; readonly namespace: string; readonly id: string };

const kinds = ['header', 'put', 'delete'] as const;

/** `version` is for tests of what a later server wrote. */
export const encodeHeader = (version: number = format): Buffer => encode(0, { format: version });
export const encodePut = ({ namespace, id, metadata, embedding }: StoredVector): Buffer =>
  encode(1, [namespace, id, metadata], embedding);
export const encodeDelete = (namespace: string, id: string): Buffer => encode(2, [namespace, id]);

/** Bytes that a vector takes in a log. */
export function putSize(vector: Omit<StoredVector, 'embedding'>, dimension: number): number {
  const json = JSON.stringify([vector.namespace, vector.id, vector.metadata]);
  return envelope + payloadHead + Buffer.byteLength(json) + 4 * dimension;
}

function encode(kind: number, head: unknown, embedding: Float32Array = new Float32Array()): Buffer {
  const json = Buffer.from(JSON.stringify(head));
  const length = payloadHead + json.length + embedding.byteLength;
  const record = Buffer.alloc(envelope + length);
  mark.copy(record);
  record.writeUInt32LE(length, 4);
  record.writeUInt8(kind, envelope);
  record.writeUInt32LE(json.length, envelope + 1);
  json.copy(record, envelope + payloadHead);
  const numbers = Buffer.from(embedding.buffer, embedding.byteOffset, embedding.byteLength);
  numbers.copy(record, envelope + payloadHead + json.length);
  record.writeUInt32LE(checksum(record, 0, length), 8);
  return record;
}

function checksum(buffer: Buffer, at: number, length: number): number {
  return crc32(
    buffer.subarray(at + envelope, at + envelope + length),
    crc32(buffer.subarray(at + 4, at + 8)),
  );
}

export interface Decoded {
  readonly entry: Entry;
  /** Offsets in the buffer; what lies between one record's end and the next one's start is damaged. */
  readonly start: number;
  readonly end: number;
}

/**
 * Reads record after record from offset 0 and returns where it stopped: at the first that is not whole. With
 * `acrossDamage`, which is for a buffer that ends where the file does, it goes on with the next whole one, if any.
 */
export function decode(buffer: Buffer, acrossDamage: boolean, onRecord: (record: Decoded) => void): number {
  let [at, end] = [0, 0];
  while (at >= 0) {
    const length = wholeLength(buffer, at);
    if (length !== undefined) {
      end = at + envelope + length;
      onRecord({ entry: parse(buffer.subarray(at + envelope, end)), start: at, end });
      at = end;
    } else if (acrossDamage) at = buffer.indexOf(mark, at + 1);
    else break;
  }
  return end;
}

/** Length of the payload of the record at `at`; undefined when it is damaged or not all there. */
function wholeLength(buffer: Buffer, at: number): number | undefined {
  if (at + envelope > buffer.length || buffer.compare(mark, 0, mark.length, at, at + mark.length) !== 0)
    return;
  const length = buffer.readUInt32LE(at + 4);
  if (length > maxPayload || at + envelope + length > buffer.length) return;
  return buffer.readUInt32LE(at + 8) === checksum(buffer, at, length) ? length : undefined;
}

/** More than any record takes: who has that many bytes and no whole record at their start looks at damage. */
export const maxRecord = envelope + maxPayload;

function parse(payload: Buffer): Entry {
  const kind = kinds[payload.readUInt8(0)];
  const jsonEnd = payloadHead + payload.readUInt32LE(1);
  const head: unknown = JSON.parse(payload.toString('utf8', payloadHead, jsonEnd));
  if (kind === 'header') {
    if ((head as { format: number }).format === format) return { kind };
    throw new VectorRefusal('This store was written by a newer version of the server; update the server');
  }
  if (kind === undefined) throw new Error('unknown kind of record in a vector log');
  const [namespace, id, metadata] = head as [string, string, Metadata];
  if (kind === 'delete') return { kind, namespace, id };
  const embedding = new Float32Array((payload.length - jsonEnd) / 4);
  payload.copy(Buffer.from(embedding.buffer), 0, jsonEnd);
  return { kind, namespace, id, metadata, embedding };
}
