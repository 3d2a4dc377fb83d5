import { expect, it } from 'vitest';
import * as z from 'zod';
import { loadConfig } from '../../src/config.ts';
import { openRegistry } from '../../src/registry/registry.ts';
import { type WireSchema, wireSchema } from '../../src/registry/schema.ts';
import { localCaller } from '../../src/tools/caller.ts';
import { silentLog } from '../support/documents.ts';

const kept = ['type', 'description', 'enum', 'minimum', 'maximum'] as const;

/** zod's own JSON Schema, cut down to what is sent. */
function pruned(node: z.core.JSONSchema.BaseSchema): WireSchema {
  const wire: Record<string, unknown> = {};
  for (const name of kept) {
    const value = node[name];
    if (value !== undefined && Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER) wire[name] = value;
  }
  if (node.items !== undefined) wire.items = pruned(node.items as z.core.JSONSchema.BaseSchema);
  const properties = Object.entries((node.properties ?? {}) as Record<string, z.core.JSONSchema.BaseSchema>);
  if (node.properties !== undefined)
    wire.properties = Object.fromEntries(properties.map(([name, child]) => [name, pruned(child)]));
  if (node.required !== undefined && node.required.length > 0) wire.required = node.required;
  return wire;
}

it('says of every tool what zod says', async () => {
  const config = loadConfig([], { VECTORLESS_TOOLS: 'all', VECTORLESS_TOOLSETS: 'documents,vectors' });
  const registry = await openRegistry({ config, log: silentLog });
  const { tools } = registry.bind(localCaller);
  expect(tools.length).toBeGreaterThan(10);
  for (const { name, input, output } of tools) {
    for (const [schema, io] of [[input, 'input'] as const, [output, 'output'] as const]) {
      const zods = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
      expect(wireSchema(schema, io), `${io} of ${name}`).toEqual(pruned(zods));
    }
  }
  await registry.close();
});
