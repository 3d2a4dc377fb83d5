import * as z from 'zod';

/** The JSON Schema that goes over the wire: only what every client accepts. */
export interface WireSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: WireSchema;
  readonly properties?: Readonly<Record<string, WireSchema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Root of a tool's schema: some clients refuse one without `type` and `properties`. */
export interface WireObject extends WireSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, WireSchema>>;
}

/**
 * Gemini refuses `$schema` and `additionalProperties`, others `anyOf`, `format`, `exclusiveMinimum` and type arrays;
 * so only this short list of keywords is ever sent.
 */
const keywords = ['type', 'description', 'enum', 'minimum', 'maximum'] as const;

/** Largest bound worth sending; zod's own bounds for an integer are noise to a model. */
const noisyBound = Number.MAX_SAFE_INTEGER;

export function wireSchema(
  schema: z.ZodObject,
  io: 'input' | 'output',
  hidden: readonly string[] = [],
): WireObject {
  // Over HTTP tools are bound for every request, from the same few schemas.
  const variants = known.get(schema) ?? new Map<string, WireObject>();
  known.set(schema, variants);
  const variant = `${io} ${hidden.join(' ')}`;
  const wire = variants.get(variant) ?? convert(schema, io, hidden);
  variants.set(variant, wire);
  return wire;
}

const known = new WeakMap<z.ZodObject, Map<string, WireObject>>();

function convert(schema: z.ZodObject, io: 'input' | 'output', hidden: readonly string[]): WireObject {
  const {
    properties = {},
    required,
    ...rest
  } = clean(z.toJSONSchema(schema, { io, unrepresentable: 'any' }));
  const shown = Object.fromEntries(Object.entries(properties).filter(([name]) => !hidden.includes(name)));
  const needed = required?.filter((name) => !hidden.includes(name)) ?? [];
  return { ...rest, type: 'object', properties: shown, ...(needed.length > 0 && { required: needed }) };
}

function clean(node: z.core.JSONSchema.BaseSchema): WireSchema {
  const wire: Record<string, unknown> = {};
  for (const keyword of keywords) {
    const value = node[keyword];
    if (value === undefined || (typeof value === 'number' && Math.abs(value) >= noisyBound)) continue;
    wire[keyword] = value;
  }
  if (isSchema(node.items)) wire.items = clean(node.items);
  if (node.properties !== undefined) {
    const entries = Object.entries(node.properties).filter(
      (entry): entry is [string, z.core.JSONSchema.BaseSchema] => isSchema(entry[1]),
    );
    wire.properties = Object.fromEntries(entries.map(([name, child]) => [name, clean(child)]));
  }
  if (node.required !== undefined && node.required.length > 0) wire.required = node.required;
  return wire;
}

function isSchema(value: unknown): value is z.core.JSONSchema.BaseSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
