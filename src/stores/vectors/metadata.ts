/** Metadata is plain JSON. It is copied on the way in, so that nobody else holds a reference to what is stored. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export interface Metadata {
  readonly [key: string]: Json;
}

/** Levels of nesting: comparing and measuring recurse. */
export const maxDepth = 32;

/** Whether `value` nests deeper than allowed; stops at the bound, so that a hostile value cannot exhaust the stack. */
export function isTooDeep(value: unknown, allowed = maxDepth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (allowed === 0) return true;
  return Object.values(value).some((inner) => isTooDeep(inner, allowed - 1));
}

/** A private copy. JSON keeps `__proto__` an ordinary key, which assignment would not. */
export function copyMetadata(value: Metadata): Metadata {
  return JSON.parse(JSON.stringify(value)) as Metadata;
}

/** Types are strict and order matters in arrays only. */
export function deepEqual(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => deepEqual(item as Json, b[index] as Json));
  }
  const [left, right] = [a as Metadata, b as Metadata];
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length && keys.every((key) => holds(right, key, left[key] as Json))
  );
}

function holds(metadata: Metadata, key: string, value: Json): boolean {
  return Object.hasOwn(metadata, key) && deepEqual(metadata[key] as Json, value);
}

/** A test for `metadata_filter`; undefined when it filters nothing. */
export function metadataTest(filter: Metadata): ((metadata: Metadata) => boolean) | undefined {
  const wanted = Object.entries(filter);
  if (wanted.length === 0) return undefined;
  return (metadata) => wanted.every(([key, value]) => holds(metadata, key, value));
}

/** Bytes that a value takes on V8's heap, estimated from above: an object of unusual keys costs far more than its JSON. */
export function heapCost(value: Json): number {
  if (typeof value === 'string') return stringCost(value);
  if (typeof value !== 'object' || value === null) return 16;
  if (Array.isArray(value)) {
    return value.reduce<number>((sum, item) => sum + 16 + heapCost(item as Json), 64);
  }
  let cost = 128;
  for (const [key, inner] of Object.entries(value)) cost += 96 + stringCost(key) + heapCost(inner);
  return cost;
}

export function stringCost(text: string): number {
  return 32 + 2 * text.length;
}
