import type { z } from 'zod';
import { type BoundTool, Refusal } from '../tools/tool.ts';
import type { WireObject, WireSchema } from './schema.ts';

/** Arguments as the tool wants them, and what had to be changed to get there. */
export interface RepairedArguments {
  readonly args: Record<string, unknown>;
  /** One sentence each, for the model to see beside the result. */
  readonly notes: readonly string[];
}

/** More would only use up the result's budget. */
const mostNotes = 5;

/**
 * Makes sense of what models send: other names for an argument, arrays and objects as JSON strings, numbers as text,
 * limits out of range. What cannot be repaired is a Refusal that names the argument and shows a call that works.
 */
export function repairArguments(tool: BoundTool, schema: WireObject, given: unknown): RepairedArguments {
  const notes: string[] = [];
  const values = rename(tool, schema, asRecord(tool, given), notes);
  for (const [name, value] of Object.entries(values)) {
    const expected = schema.properties[name];
    if (expected !== undefined && !tool.asGiven.includes(name))
      values[name] = coerce(name, value, expected, notes);
  }
  const parsed = tool.input.safeParse(values);
  if (parsed.success) return { args: parsed.data, notes: notes.slice(0, mostNotes) };
  throw new Refusal(`${complaint(parsed.error.issues, values)} ${example(tool)}`);
}

function asRecord(tool: BoundTool, given: unknown): Record<string, unknown> {
  const value = typeof given === 'string' ? parseJson(given) : given;
  if (value === undefined || value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Refusal(`The arguments must be an object. ${example(tool)}`);
}

function rename(
  tool: BoundTool,
  schema: WireObject,
  given: Record<string, unknown>,
  notes: string[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const aliased: [string, unknown][] = [];
  const unknown: string[] = [];
  for (const [key, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    if (Object.hasOwn(schema.properties, key)) values[key] = value;
    else aliased.push([key, value]);
  }
  for (const [key, value] of aliased) {
    const target = targetOf(tool, key);
    if (tool.hidden.includes(target)) {
      throw new Refusal(`\`${target}\` is not available on this server. ${example(tool)}`);
    }
    if (!Object.hasOwn(schema.properties, target)) unknown.push(`\`${key.slice(0, 40)}\``);
    else if (!Object.hasOwn(values, target)) values[target] = value;
  }
  const others = unknown.length > mostNamed ? ` and ${unknown.length - mostNamed} others` : '';
  if (unknown.length === 1) notes.push(`There is no argument ${unknown[0]}; it was ignored.`);
  else if (unknown.length > 1)
    notes.push(
      `There are no arguments ${unknown.slice(0, mostNamed).join(', ')}${others}; they were ignored.`,
    );
  return values;
}

/** Of arguments that do not exist: a call may hold thousands. */
const mostNamed = 5;

function targetOf(tool: BoundTool, key: string): string {
  const snake = key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase();
  for (const name of [key, snake]) {
    if (Object.hasOwn(tool.aliases, name)) return tool.aliases[name] ?? name;
  }
  return snake;
}

function coerce(name: string, value: unknown, expected: WireSchema, notes: string[]): unknown {
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

function toText(value: unknown, expected: WireSchema): unknown {
  if (Array.isArray(value) && value.length === 1 && !Array.isArray(value[0]))
    return toText(value[0], expected);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || expected.enum === undefined) return value;
  const wanted = value.trim().toLowerCase();
  return (
    expected.enum.find((option) => typeof option === 'string' && option.toLowerCase() === wanted) ?? value
  );
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
  return minimum === undefined ? kind : `${kind}, at least ${minimum}`;
}

function toArray(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return [value];
  const parsed = parseJson(value);
  if (Array.isArray(parsed)) return parsed;
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function complaint(issues: readonly z.core.$ZodIssue[], values: Record<string, unknown>): string {
  const issue = issues[0];
  const name = String(issue?.path[0] ?? '');
  if (issue === undefined || name === '') return 'The arguments do not fit.';
  if (values[name] === undefined) return `The argument \`${name}\` is missing.`;
  // zod's own sentences are fit to read ("Too small: expected string to have >=1 characters").
  return `The argument \`${issue.path.join('.')}\` is not right: ${issue.message}.`;
}

function example(tool: BoundTool): string {
  return `A call that works: ${tool.name} ${JSON.stringify(tool.example)}`;
}
