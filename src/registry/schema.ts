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

/** Which side of a schema: what may be given, or what comes out of it. */
type Direction = 'input' | 'output';

/** Root of a tool's schema: some clients refuse one without `type` and `properties`. */
export interface WireObject extends WireSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, WireSchema>>;
}

/** Largest bound worth sending; zod's own bounds for an integer are noise to a model. */
const noisyBound = Number.MAX_SAFE_INTEGER;

export function wireSchema(schema: z.ZodObject, io: Direction, hidden: readonly string[] = []): WireObject {
  // Over HTTP tools are bound for every request, from the same few schemas.
  const variants = known.get(schema) ?? new Map<string, WireObject>();
  known.set(schema, variants);
  const variant = `${io} ${hidden.join(' ')}`;
  const wire = variants.get(variant) ?? convert(schema, io, hidden);
  variants.set(variant, wire);
  return wire;
}

const known = new WeakMap<z.ZodObject, Map<string, WireObject>>();

function convert(schema: z.ZodObject, io: Direction, hidden: readonly string[]): WireObject {
  const properties: Record<string, WireSchema> = {};
  const required: string[] = [];
  for (const [name, field] of Object.entries(schema.shape)) {
    if (hidden.includes(name)) continue;
    properties[name] = wire(field as z.ZodType, io);
    if (!mayBeAbsent(field as z.ZodType, io)) required.push(name);
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/**
 * Written here rather than by `z.toJSONSchema`, whose first call takes a good part of the time to start. Gemini refuses
 * `$schema` and `additionalProperties`, others `anyOf`, `format`, `exclusiveMinimum` and type arrays; so nothing but
 * what a `WireSchema` has is ever sent.
 */
function wire(schema: z.ZodType, io: Direction): WireSchema {
  const { type, items, description } = (schema.meta() ?? {}) as WireSchema;
  return {
    ...kind(schema, io),
    ...(type !== undefined && { type }),
    ...(items !== undefined && { items }),
    ...(description !== undefined && { description }),
  };
}

function kind(schema: z.ZodType, io: Direction): WireSchema {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return wire(schema.unwrap() as z.ZodType, io);
  if (schema instanceof z.ZodObject) return convert(schema, io, []);
  if (schema instanceof z.ZodArray) return { type: 'array', items: wire(schema.element as z.ZodType, io) };
  if (schema instanceof z.ZodNumber) return numeric(schema);
  if (schema instanceof z.ZodString) return { type: 'string' };
  if (schema instanceof z.ZodBoolean) return { type: 'boolean' };
  if (schema instanceof z.ZodEnum) return { type: 'string', enum: schema.options };
  return schema instanceof z.ZodRecord ? { type: 'object' } : {};
}

function mayBeAbsent(schema: z.ZodType, io: Direction): boolean {
  return schema instanceof z.ZodOptional || (io === 'input' && schema instanceof z.ZodDefault);
}

function numeric({ isInt, minValue, maxValue }: z.ZodNumber): WireSchema {
  return {
    type: isInt ? 'integer' : 'number',
    ...(isTold(minValue) && { minimum: minValue }),
    ...(isTold(maxValue) && { maximum: maxValue }),
  };
}

function isTold(bound: number | null): bound is number {
  return bound !== null && Math.abs(bound) < noisyBound;
}
