import { parseJson } from '../tools/parse-json.ts';
import type { WireSchema } from './schema.ts';

/** One value as its schema wants it, as far as it can be made so. Each change that alters its meaning is noted. */
export function coerce(name: string, value: unknown, expected: WireSchema, notes: string[]): unknown {
  switch (expected.type) {
    case 'string':
      return toText(value, expected);
    case 'boolean':
      return toBoolean(value);
    case 'integer':
    case 'number':
      return toNumber(name, value, expected, notes);
    case 'array':
      return toArray(value).map((item) => coerce(name, item, expected.items ?? {}, notes));
    case 'object':
      return typeof value === 'string' ? (parseJson(value) ?? value) : value;
    default:
      return value;
  }
}

/** What models send for an optional argument that they mean to leave out; some clients make them send every one. */
export function isLeftOut(value: unknown): boolean {
  return value === null || value === undefined || value === '' || value === 'null' || value === 'undefined';
}

/** The items of a list, or of one that is written as JSON; undefined for anything else. */
export function listIn(value: unknown): unknown[] | undefined {
  const list = typeof value === 'string' && value.trimStart().startsWith('[') ? parseJson(value) : value;
  return Array.isArray(list) ? list : undefined;
}

/** What a value must be, as the end of a sentence. */
export function wanted(expected: WireSchema): string {
  const { type, enum: options, items } = expected;
  if (options !== undefined) return `one of ${options.map((option) => JSON.stringify(option)).join(', ')}`;
  switch (type) {
    case 'integer':
    case 'number':
      return range(expected);
    case 'boolean':
      return 'true or false';
    case 'array':
      return items?.type === 'string' ? 'a list of texts' : 'a list';
    case 'object':
      return 'an object';
    default:
      return 'a text';
  }
}

function toText(value: unknown, expected: WireSchema): unknown {
  if (Array.isArray(value) && value.length === 1 && !Array.isArray(value[0]))
    return toText(value[0], expected);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || expected.enum === undefined) return value;
  const word = value.trim().toLowerCase();
  return expected.enum.find((option) => typeof option === 'string' && option.toLowerCase() === word) ?? value;
}

function toBoolean(value: unknown): unknown {
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== 'string') return value;
  const word = value.trim().toLowerCase();
  if (['true', 'yes', '1'].includes(word)) return true;
  return ['false', 'no', '0'].includes(word) ? false : value;
}

function toNumber(name: string, value: unknown, expected: WireSchema, notes: string[]): unknown {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || Number.isNaN(number)) return value;
  const whole = expected.type === 'integer' && Number.isFinite(number) ? Math.trunc(number) : number;
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = expected;
  const used = Math.min(Math.max(whole, minimum), maximum);
  if (used !== number) notes.push(`\`${name}\` must be ${range(expected)}; ${used} was used.`);
  return used;
}

function range({ type, minimum, maximum }: WireSchema): string {
  const kind = type === 'integer' ? 'a whole number' : 'a number';
  if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}`;
  if (maximum !== undefined) return `${kind}, at most ${maximum}`;
  return minimum === undefined ? kind : `${kind}, at least ${minimum}`;
}

function toArray(value: unknown): unknown[] {
  const list = listIn(value);
  if (list !== undefined) return list;
  if (typeof value !== 'string') return [value];
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
