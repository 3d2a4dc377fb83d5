/**
 * What the MCP registry takes, by its schema of 2025-12-11 and by what it refuses beyond it: names are checked as a closed
 * set here, since the schema lets a misspelt one pass in silence.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { settings } from '../src/settings.ts';
import { repository } from './support/child.ts';

const text = (file: string) => readFileSync(repository + file, 'utf8');
const server = JSON.parse(text('server.json'));
const manifest = JSON.parse(text('package.json'));

const https = z.url({ protocol: /^https$/ });
const shared = {
  description: z.string().min(1),
  format: z.enum(['string', 'number', 'boolean', 'filepath']),
  isRequired: z.boolean(),
  isSecret: z.boolean(),
  default: z.string(),
  placeholder: z.string(),
  choices: z.array(z.string()),
  value: z.string(),
};
const input = z.strictObject(shared).partial();
const variables = z.record(z.string(), input);
const named = z.strictObject({ ...input.shape, name: z.string().min(1), variables: variables.optional() });
/** A fixed one: the registry takes neither a range nor `latest`. */
const version = z.string().regex(/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/);

const document = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .max(200)
    .regex(/^[a-zA-Z0-9][a-zA-Z0-9.-]*[a-zA-Z0-9]\/[a-zA-Z0-9][a-zA-Z0-9._-]*[a-zA-Z0-9]$/),
  title: z.string().trim().min(1).max(100),
  description: z.string().min(1).max(100),
  version,
  websiteUrl: https,
  packages: z.array(
    z.strictObject({
      registryType: z.enum(['npm', 'pypi', 'oci', 'nuget', 'mcpb']),
      identifier: z.string().regex(/^\S+$/),
      version,
      runtimeHint: z.enum(['npx', 'uvx', 'docker', 'dnx']).optional(),
      // A stdio package has no address.
      transport: z.strictObject({ type: z.literal('stdio') }),
      environmentVariables: z.array(named),
    }),
  ),
  remotes: z.array(
    z.strictObject({
      type: z.enum(['streamable-http', 'sse']),
      url: z.string(),
      variables,
      headers: z.array(named),
    }),
  ),
});

test('server.json holds what the registry takes, and nothing else', () => {
  expect(z.prettifyError(document.safeParse(server).error ?? new z.ZodError([]))).toBe('');
  // The registry looks the name up in the published package.json, and in the image.
  expect(server.name).toBe(manifest.mcpName);
  expect(text('Dockerfile')).toContain(`io.modelcontextprotocol.server.name="${server.name}"`);
  // It is this domain, spelt backwards, that has to prove the name.
  const [namespace = ''] = server.name.split('/');
  expect(new URL(server.websiteUrl).hostname).toBe(namespace.split('.').reverse().join('.'));
  expect(
    server.packages.map(({ registryType, identifier }: Record<string, string>) => [registryType, identifier]),
  ).toEqual([['npm', manifest.name]]);
});

test('the remote is an address of its own, filled in from variables that are declared', () => {
  const [remote] = server.remotes;
  const [header] = remote.headers;
  for (const { template, declared } of [
    { template: remote.url, declared: remote.variables },
    { template: header.value, declared: header.variables },
  ]) {
    const used = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(declared)).toEqual(used);
  }
  const filled = remote.url.replace(/\{\w+\}/g, 'docs.example.com');
  expect(https.safeParse(filled).success && new URL(filled).pathname).toBe('/mcp');
  // One address belongs to one server: a bare {host} is somebody else's since long.
  expect(remote.url).toContain('{vectorless_host}');
  expect(header).toMatchObject({ name: 'Authorization', isSecret: true, isRequired: true });
});

test('defaults are those of the settings', () => {
  const known: Record<string, { fallback: unknown; shown?: string }> = Object.fromEntries(
    Object.values(settings).map((setting) => [setting.env, setting]),
  );
  for (const { name, default: value, format } of server.packages[0].environmentVariables) {
    const { fallback, shown } = known[name] ?? {};
    if (value !== undefined) expect([name, value]).toEqual([name, shown ?? String(fallback)]);
    expect([name, format ?? 'string']).toEqual([name, typeof fallback === 'boolean' ? 'boolean' : 'string']);
  }
});
