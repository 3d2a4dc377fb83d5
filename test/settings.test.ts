/** Whatever a setting holds, the server starts, lists its tools, and says of what it could not use what it did instead. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { createLog } from '../src/log.ts';
import { openRegistry } from '../src/registry/registry.ts';
import { createServer } from '../src/server/server.ts';
import { type Setting, settings } from '../src/settings.ts';
import { localCaller } from '../src/tools/caller.ts';
import { connectInMemory, spawnServer, textOf } from './support/connect.ts';
import { type FakeApi, startFakeApi, testOrg } from './support/fake-api.ts';

const all = Object.values(settings) as Setting<unknown>[];
const names = all.map(({ env }) => env);
/** What clients leave where they do not expand a variable, and people where they do not fill one in. */
const open = '$' + '{';
const placeholders = [
  `${open}VECTORLESS_X}`,
  `${open}env:X}`,
  `${open}input:key}`,
  '$VAR',
  '{{VAR}}',
  '<YOUR_KEY>',
  '%VAR%',
];
const nonsense = ['☃ ключ', '-1', 'a\tb', '0x', ',,;:', `${'9'.repeat(400)}`];

/** Starts the server in this process, with the embedded engine nowhere near. */
async function start(env: Record<string, string>) {
  const lines: string[] = [];
  const config = loadConfig([], env);
  const log = createLog('info', (line) => lines.push(line));
  const registry = await openRegistry({ config, log });
  const client = await connectInMemory(createServer({ registry, caller: localCaller, log }));
  const { tools } = await client.listTools();
  await client.close();
  await registry.close();
  return { tools, said: [...config.warnings, ...lines].join('\n') };
}

it.each(names)('%s may be empty, hold a placeholder or nonsense', async (name) => {
  const empty = await start({ [name]: '' });
  expect(empty.tools).toHaveLength(4);
  expect(empty.said).toBe('');
  for (const value of placeholders) {
    const { tools, said } = await start({ [name]: value });
    expect(tools).toHaveLength(4);
    expect(said, value).toContain(`${name} holds a placeholder`);
  }
  const { parse } = all.find(({ env }) => env === name) ?? {};
  for (const value of nonsense) {
    const { tools, said } = await start({ [name]: value });
    expect(tools.length, value).toBeGreaterThan(0);
    if (parse?.(value.trim()) === undefined) expect(said, value).toContain(`${name} must be`);
  }
});

describe('the built server', () => {
  let fake: FakeApi;
  beforeAll(async () => {
    fake = await startFakeApi({ dialect: 'S' });
    fake.add({ content: '# Stove\n\nIt burns birch.\n' });
  });
  afterAll(() => fake.close());

  // What decides how it is served is left out: a nonsense value means stdio, which the test above holds.
  const used = names.filter((name) => !/_HTTP$|_STRICT$|_LOCAL$|_LOG_LEVEL$/.test(name));
  it.each([
    ['empty', ''],
    ['a placeholder', `${open}user_config.x}`],
    ['nonsense', '☃ nonsense\u0007'],
  ])('with every variable %s starts, and each call explains what is wrong', async (_name, value) => {
    const server = await spawnServer({
      env: { ...Object.fromEntries(used.map((name) => [name, value])), VECTORLESS_BASE_URL: fake.url },
    });
    const { tools } = await server.client.listTools();
    expect(tools.length).toBeGreaterThan(0);
    for (const args of [{ query: 'stove' }, {}]) {
      const result = await server.client.callTool({ name: 'vectorless_query', arguments: args });
      expect(textOf(result)).toMatch(/\S/);
      // A sentence for the agent, never a crash.
      expect(JSON.stringify(result)).not.toContain('"internal"');
    }
    await server.close();
  });

  it('is quiet: not a line before the first call, one line for each call', async () => {
    const server = await spawnServer({ env: { VECTORLESS_BASE_URL: fake.url, VECTORLESS_ORG: testOrg } });
    await server.client.listTools();
    expect(server.child.stderr).toEqual([]);
    await server.client.callTool({ name: 'vectorless_query', arguments: { query: 'stove' } });
    await server.client.callTool({ name: 'vectorless_list_documents', arguments: {} });
    await server.close();
    expect(server.child.stderr.map((line) => JSON.parse(line).event)).toEqual(['tool_call', 'tool_call']);
  });

  it('keeps its store where nothing can be kept from failing in a sentence', async () => {
    for (const dir of ['/proc/nowhere', '/dev/null/x']) {
      const server = await spawnServer({ args: ['--local'], env: { VECTORLESS_LOCAL_DIR: dir } });
      const result = await server.client.callTool({
        name: 'vectorless_ingest_document',
        arguments: { text: '# A\n\nb', filename: 'a.md' },
      });
      expect(result.isError).toBe(true);
      expect(JSON.stringify(result)).not.toContain('"internal"');
      await server.close();
    }
  });
});
