import type { z } from 'zod';
import { parseJson } from '../tools/parse-json.ts';
import { type BoundTool, Refusal } from '../tools/tool.ts';
import { coerce, isLeftOut, listIn, wanted } from './coercion.ts';
import type { WireObject } from './schema.ts';

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
  const values = pluralised(rename(tool, schema, asRecord(tool, given), notes), schema);
  for (const [name, value] of Object.entries(values)) {
    const expected = schema.properties[name];
    if (expected !== undefined && !tool.asGiven.includes(name))
      values[name] = coerce(name, value, expected, notes);
  }
  const parsed = tool.input.safeParse(values);
  if (parsed.success) return { args: parsed.data, notes: notes.slice(0, mostNotes) };
  throw new Refusal(`${complaint(parsed.error.issues, values, schema)} ${example(tool)}`);
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
    // Where a text is needed, an empty one is a mistake worth naming, and "null" may be meant.
    const isNeeded = value !== null && value !== undefined && schema.required?.includes(key);
    if (isLeftOut(value) && !isNeeded) continue;
    if (Object.hasOwn(schema.properties, key)) values[key] = value;
    else aliased.push([key, value]);
  }
  for (const [key, value] of aliased) {
    const target = targetOf(tool, key);
    if (tool.hidden.includes(target)) {
      throw new Refusal(`\`${target}\` is not available on this server. ${example(tool)}`);
    }
    if (!Object.hasOwn(schema.properties, target)) unknown.push(`\`${key.slice(0, 40)}\``);
    else if (!Object.hasOwn(values, target) || isLeftOut(values[target])) values[target] = value;
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

/** A list where one text belongs goes to the argument of the same name in the plural, where there is one. */
function pluralised(values: Record<string, unknown>, { properties }: WireObject): Record<string, unknown> {
  const placed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const plural = `${name}s`;
    const isOfMany = properties[name]?.type === 'string' && properties[plural]?.type === 'array';
    const list = isOfMany && !Object.hasOwn(values, plural) ? listIn(value) : undefined;
    placed[list === undefined ? name : plural] = list ?? value;
  }
  return placed;
}

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

function complaint(
  issues: readonly z.core.$ZodIssue[],
  values: Record<string, unknown>,
  schema: WireObject,
): string {
  const [issue] = issues;
  const name = String(issue?.path[0] ?? '');
  if (issue === undefined || name === '') return 'The arguments do not fit.';
  const [value, expected] = [values[name], schema.properties[name]];
  if (value === undefined) return `The argument \`${name}\` is missing.`;
  if (typeof value === 'string' && value.trim() === '') return `The argument \`${name}\` is empty.`;
  if (
    issue.code === 'too_big' &&
    issue.path.length === 1 &&
    (typeof value === 'string' || Array.isArray(value))
  ) {
    const what = typeof value === 'string' ? 'characters' : 'items';
    return `The argument \`${name}\` may have at most ${issue.maximum} ${what}; it has ${value.length}.`;
  }
  const must = expected === undefined ? `be right: ${issue.message}` : `be ${wanted(expected)}`;
  return `The argument \`${name}\` must ${must}.`;
}

function example(tool: BoundTool): string {
  return `A call that works: ${tool.name} ${JSON.stringify(tool.example)}`;
}
