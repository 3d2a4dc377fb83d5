import * as z from 'zod';
import { maxDimension } from '../../stores/vectors/limits.ts';
import { parseJson } from '../parse-json.ts';
import { refuse } from './refuse.ts';

/** Larger ones are taken with a warning. */
export const largeDimension = 4096;

/** An array of numbers on the wire, required; whatever comes is judged by `toEmbedding`, whose error is promised. */
export const embeddingArgument = z
  .preprocess((value) => value ?? null, z.unknown())
  .meta({ type: 'array', items: { type: 'number' } });

/** Numbers as float32. Text that holds an array is read, text that holds a number is not a number. */
export function toEmbedding(given: unknown, error: string): Float32Array {
  const values = typeof given === 'string' ? parseList(given) : given;
  if (!Array.isArray(values) || values.length === 0) throw refuse(error);
  if (values.length > maxDimension) {
    throw refuse(`An embedding may have at most ${maxDimension} dimensions; this one has ${values.length}`);
  }
  if (values.some((value) => typeof value !== 'number')) throw refuse(error);
  const embedding = Float32Array.from(values);
  // What is finite but beyond float32 has become infinite.
  if (!embedding.every(Number.isFinite)) throw refuse(error);
  return embedding;
}

/** `[1, 2]` as models write it, with or without its brackets. */
function parseList(text: string): unknown {
  const list = text.trim();
  return parseJson(list.startsWith('[') ? list : `[${list}]`);
}
