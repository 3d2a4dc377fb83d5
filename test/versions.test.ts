/** What is published in several places says the same everywhere. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { openRegistry } from '../src/registry/registry.ts';
import { settings } from '../src/settings.ts';
import { localCaller } from '../src/tools/caller.ts';
import { version } from '../src/version.ts';
import { repository } from './support/child.ts';
import { silentLog } from './support/documents.ts';

const text = (file: string) => readFileSync(repository + file, 'utf8');
const json = (file: string) => JSON.parse(text(file));
const label = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(text('Dockerfile'))?.[1];

const manifest = json('package.json');
const server = json('server.json');
const bundle = json('mcpb/manifest.json');
const variables = Object.values(settings).map(({ env }) => env);

test('one version everywhere', () => {
  expect({
    'packages/sdk': json('packages/sdk/package.json').version,
    'packages/local': json('packages/local/package.json').version,
    lock: json('package-lock.json').version,
    'server.json': server.version,
    'server.json, package': server.packages[0].version,
    'desktop bundle': bundle.version,
    image: label('image.version'),
    'newest entry of CHANGELOG.md': /^## (\S+)/m.exec(text('CHANGELOG.md'))?.[1],
    running: version,
  }).toEqual({
    ...{ 'packages/sdk': version, 'packages/local': version, lock: version, running: version },
    ...{ 'server.json': version, 'server.json, package': version, 'desktop bundle': version },
    ...{ image: version, 'newest entry of CHANGELOG.md': version },
  });
  expect(manifest.version).toBe(version);
});

test('one licence and one Node everywhere', () => {
  for (const licence of [bundle.license, label('image.licenses'), json('packages/sdk/package.json').license])
    expect(licence).toBe(manifest.license);
  expect(bundle.compatibility.runtimes.node).toBe(`${manifest.engines.node}.0`);
  expect(json('packages/sdk/package.json').engines.node).toBe(manifest.engines.node);
  expect(text('src/launcher.cjs')).toContain(`needs Node ${manifest.engines.node.slice(2)} or newer`);
  expect(text('README.md')).toContain(`Node ${manifest.engines.node.slice(2)} or newer`);
});

test('directories ask for settings that exist, and treat the key as a secret', () => {
  const asked: { name: string; isSecret?: boolean; isRequired?: boolean }[] =
    server.packages[0].environmentVariables;
  for (const { name } of asked) expect(variables).toContain(name);
  const key = asked.find(({ name }) => name === 'VECTORLESS_API_KEY');
  // It is not needed with the embedded engine, and a server without it still lists its tools.
  expect([key?.isSecret, key?.isRequired ?? false]).toEqual([true, false]);
  expect(Object.keys(bundle.server.mcp_config.env).filter((name) => !variables.includes(name))).toEqual([]);
  expect(bundle.user_config.api_key).toMatchObject({ sensitive: true, required: false });
});

test('the desktop bundle names the tools that are published', async () => {
  const registry = await openRegistry({ config: loadConfig([], {}), log: silentLog });
  const published = registry.bind(localCaller).tools.map(({ name }) => name);
  await registry.close();
  expect(bundle.tools.map(({ name }: { name: string }) => name).sort()).toEqual(published.sort());
});
