/** The stdio protocol seen as raw lines: nothing but JSON-RPC goes out, and whatever comes in is survived. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Child, spawnChild } from '../support/child.ts';
import { type FakeBackend, fakeBackend } from './backend.ts';

let backend: FakeBackend;
let folder: string;
beforeAll(async () => {
  backend = await fakeBackend({ dialect: 'E' });
  folder = await mkdtemp(join(tmpdir(), 'vectorless-preload-'));
});
afterAll(async () => {
  await backend.close();
  await rm(folder, { recursive: true, force: true });
});

const isJsonRpc = (line: string) => (JSON.parse(line) as { jsonrpc?: string }).jsonrpc === '2.0';

async function stillServes(child: Child): Promise<void> {
  const { result } = await child.request('tools/list', {});
  expect((result?.tools as unknown[] | undefined)?.length).toBe(4);
}

test('what a dependency prints never reaches stdout', async () => {
  const preload = join(folder, 'preload.mjs');
  // What is printed before the server's own code runs nobody can catch, and clients skip it. From then on all is caught.
  await writeFile(
    preload,
    `console.log('noise at import');
     setInterval(() => { console.log('noise later'); console.info('info'); process.stdout.write('raw noise\\n'); }, 5).unref();`,
  );
  const child = spawnChild({ env: { ...backend.env, NODE_OPTIONS: `--import=${pathToFileURL(preload)}` } });
  await child.initialize();
  await stillServes(child);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await stillServes(child);
  expect(await child.close()).toEqual({ code: 0, signal: null });
  const first = child.stdout.findIndex((line) => line.startsWith('{'));
  const early = ['noise at import', 'noise later', 'info', 'raw noise'];
  expect(child.stdout.slice(0, first).filter((line) => !early.includes(line))).toEqual([]);
  expect(child.stdout.length).toBeGreaterThan(first + 2);
  expect(child.stdout.slice(first).every(isJsonRpc)).toBe(true);
  expect(child.stderr.some((line) => line.includes('noise later'))).toBe(true);
});

test('lines that are no requests are survived', async () => {
  const child = spawnChild({ env: backend.env });
  await child.initialize();
  for (const line of [
    'garbage',
    '{',
    '[]',
    '[1]',
    '',
    '   ',
    'null',
    '7',
    '"x"',
    '{}',
    '{"jsonrpc":"1.0"}',
    '\u0000\u0007',
  ]) {
    child.write(line);
  }
  child.write({ jsonrpc: '2.0', id: 1, method: 7 });
  child.write({ jsonrpc: '2.0', id: 99, result: {} });
  child.write({ jsonrpc: '2.0', method: 'notifications/no-such-thing' });
  child.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'never-seen' } });
  await stillServes(child);
  expect(await child.close()).toEqual({ code: 0, signal: null });
  expect(child.stdout.every(isJsonRpc)).toBe(true);
});

test('an unknown method is -32601 and an unknown tool an error', async () => {
  const child = spawnChild({ env: backend.env });
  await child.initialize();
  expect((await child.request('no/such/method', {})).error?.code).toBe(-32601);
  const unknown = await child.request('tools/call', { name: 'vectorless_nothing', arguments: {} });
  expect(unknown.error?.code ?? unknown.result?.isError).toBeTruthy();
  await stillServes(child);
  await child.close();
});

test('requests before the handshake is complete do not break it', async () => {
  const child = spawnChild({ env: backend.env });
  const clientInfo = { name: 'hasty', version: '0' };
  const hello = child.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  const early = child.request('tools/list', {});
  expect((await hello).result).toMatchObject({ protocolVersion: '2025-06-18' });
  expect(await early).toHaveProperty('id');
  child.notify('notifications/initialized');
  await stillServes(child);
  await child.close();
  const first = spawnChild({ env: backend.env });
  const answer = await first.request('tools/list', {});
  expect(answer.error ?? answer.result).toBeDefined();
  await first.initialize();
  expect(await first.close()).toEqual({ code: 0, signal: null });
});

test('a line of eight megabytes is served, garbage of that size is survived', {
  timeout: 60_000,
}, async () => {
  const child = spawnChild({ env: backend.env });
  await child.initialize();
  const text = `# Long\n\n${'sentence with words. '.repeat(400_000)}`;
  const args = { text, filename: 'long.md' };
  const { result } = await child.request(
    'tools/call',
    { name: 'vectorless_ingest_document', arguments: args },
    40_000,
  );
  expect(result).toMatchObject({ structuredContent: { status: 'ready', byte_size: text.length } });
  child.write('x'.repeat(8 * 1024 * 1024));
  await stillServes(child);
  expect(await child.close()).toEqual({ code: 0, signal: null });
});

test('a message in many pieces and many messages in one piece are both read', async () => {
  const child = spawnChild({ env: backend.env });
  await child.initialize();
  const line = `${JSON.stringify({ jsonrpc: '2.0', id: 'cut', method: 'tools/list', params: { _meta: { note: '日本語' } } })}\r\n`;
  const answered = new Promise<void>((resolve) => child.onLine((got) => got.includes('"cut"') && resolve()));
  for (const byte of Buffer.from(line)) child.process.stdin.write(Buffer.from([byte]));
  await answered;
  const ids = ['a', 'b', 'c'];
  child.process.stdin.write(
    ids.map((id) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`).join(''),
  );
  await stillServes(child);
  for (const id of ids) expect(child.stdout.some((got) => got.includes(`"id":"${id}"`))).toBe(true);
  await child.close();
});

test('the launcher starts the same server, and a mistyped flag ends with a sentence', async () => {
  const child = spawnChild({ env: backend.env, entry: 'dist/vectorless-mcp.cjs' });
  await child.initialize();
  await stillServes(child);
  expect(await child.close()).toEqual({ code: 0, signal: null });
  const mistyped = spawnChild({ env: backend.env, entry: 'dist/vectorless-mcp.cjs', args: ['--lcoal'] });
  expect((await mistyped.exited).code).toBe(1);
  expect(mistyped.stdout).toEqual([]);
  expect(mistyped.stderr.join('\n')).toMatch(/--lcoal/);
  expect(mistyped.stderr.join('\n')).not.toMatch(/ at .*\.js:\d/);
});
