/** The bundle for Claude Desktop, laid out as it is packed and started as its manifest says. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { layOutBundle } from '../../scripts/mcpb-bundle.mjs';
import { textOf } from '../support/connect.ts';

let folder = '';
let bundle = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'desktop-'));
  bundle = join(folder, 'bundle');
  layOutBundle(bundle);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Choice = string | readonly string[];

/** As the client does it: lists spread only where they are a whole argument, what was not chosen stays as it is. */
async function start(chosen: Readonly<Record<string, Choice>>) {
  const manifest = JSON.parse(await readFile(join(bundle, 'manifest.json'), 'utf8'));
  const fill = (text: string): readonly string[] => {
    const whole = chosen[/^\$\{user_config\.(\w+)\}$/.exec(text)?.[1] ?? ''];
    if (whole !== undefined) return [whole].flat();
    return [text.replace(`\${${'__dirname'}}`, bundle)];
  };
  const { args, env } = manifest.server.mcp_config as { args: string[]; env: Record<string, string> };
  const filled = Object.entries(env).map(([name, value]) => [name, fill(value).join('')] as const);
  return {
    command: process.execPath,
    args: args.flatMap(fill),
    env: { HOME: folder, PATH: process.env.PATH ?? '', ...Object.fromEntries(filled) },
  };
}

async function connect(chosen: Readonly<Record<string, Choice>>): Promise<Client> {
  const client = new Client({ name: 'desktop', version: '1' });
  await client.connect(new StdioClientTransport({ ...(await start(chosen)), stderr: 'ignore' }));
  return client;
}

test('on this computer alone, it reads the folders that were picked and no others', async () => {
  const folders = [join(folder, 'a b'), join(folder, 'ç')];
  for (const path of [...folders, join(folder, 'other')]) {
    await mkdir(path);
    await writeFile(join(path, 'stove.md'), `# Stove\n\nThe stove burns birch, in ${path}.\n`);
  }
  const client = await connect({ local: 'true', allowed_folders: folders });
  const ingest = (path: string) =>
    client.callTool({ name: 'vectorless_ingest_document', arguments: { path: join(path, 'stove.md') } });
  for (const path of folders) expect((await ingest(path)).isError ?? false).toBe(false);
  expect((await ingest(join(folder, 'other'))).isError).toBe(true);
  await client.close();
});

test('with nothing filled in it still starts and says what is missing', async () => {
  const client = await connect({ local: 'false' });
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(4);
  const result = await client.callTool({ name: 'vectorless_list_documents', arguments: {} });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('VECTORLESS_API_KEY');
  await client.close();
});

test('read only publishes no ingest', async () => {
  const client = await connect({ local: 'true', read_only: 'true' });
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain(
    'vectorless_ingest_document',
  );
  await client.close();
});

test('it ends when the client does', async () => {
  const { command, args, env } = await start({ local: 'true' });
  const child = spawn(command, args, { env, stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin?.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
});
