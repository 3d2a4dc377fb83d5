import * as z from 'zod';
import { maxMetadataBytes } from '../../stores/vectors/limits.ts';
import { copyMetadata, isTooDeep, type Metadata, maxDepth } from '../../stores/vectors/metadata.ts';
import { refuse } from './refuse.ts';

/** Any object on the wire. Not a zod record: that would drop the key `__proto__`. */
export const metadataArgument = z.unknown().optional().meta({ type: 'object' });

export function toMetadata(argument: string, given: unknown): Metadata {
  if (given === undefined || given === null || given === '') return {};
  if (!isObject(given)) throw refuse(`${argument} must be an object`);
  if (isTooDeep(given)) throw refuse(`${argument} may nest at most ${maxDepth} levels deep`);
  const copy = copyMetadata(given);
  const size = Buffer.byteLength(JSON.stringify(copy));
  if (size <= maxMetadataBytes) return copy;
  throw refuse(
    `${argument} may take at most ${maxMetadataBytes} bytes as JSON; this takes ${size}. Keep long text elsewhere and store a reference`,
  );
}

function isObject(value: unknown): value is Metadata {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
