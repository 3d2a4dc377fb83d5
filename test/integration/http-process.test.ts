/** The HTTP service as a process: how it starts, refuses to start, is told to stop, and is restarted. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { spawnChild } from '../support/child.ts';
import { startFakeApi } from '../support/fake-api.ts';
import { type HttpChild, spawnHttp } from '../support/http-child.ts';
import { ask, callTool, rpc } from '../support/http-client.ts';
import { tokenMode, until, withToken } from '../support/http-service.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(cleanups.splice(0).map((cleanup) => cleanup()));
});

async function start(env: Readonly<Record<string, string>> = {}, args: string[] = []) {
  const api = await startFakeApi({ dialect: 'E' });
  const server = await spawnHttp({ args, env: { ...tokenMode, VECTORLESS_BASE_URL: api.url, ...env } });
  cleanups.push(
    () => server.close(),
    () => api.close(),
  );
  const id = api.add({ content: '# Stove\n\nIt burns birch.\n' });
  const query = (url = server.url) =>
    ask(`${url}/mcp`, {
      headers: withToken,
      body: callTool('vectorless_query', { query: 'birch', document_id: id }),
    });
  return { api, server, query };
}

async function exitOf(args: string[], env: Readonly<Record<string, string>>) {
  const child = spawnChild({ args: ['--http', '--port', '0', ...args], env });
  const { code } = await child.exited;
  return { code, lines: child.stderr.filter((line) => !line.startsWith('{')) };
}

test('a refusal to start is one sentence and a failing exit', async () => {
  expect(await exitOf(['--host', '0.0.0.0'], { VECTORLESS_HTTP_AUTH: 'none' })).toMatchObject({
    code: 1,
    lines: [
      expect.stringMatching(/^vectorless-mcp: VECTORLESS_HTTP_AUTH=none on 0\.0\.0\.0 would let everyone/),
    ],
  });
  expect(await exitOf(['--local'], {})).toMatchObject({
    code: 1,
    lines: [expect.stringMatching(/^vectorless-mcp: VECTORLESS_HTTP_AUTH=key cannot be used with --local/)],
  });
});

test('SIGTERM lets the call in flight finish, and ends the process', async () => {
  const { api, server, query } = await start();
  const done = api.faults.delay('POST /v1/query', 600);
  const running = query();
  await api.sees('POST /v1/query');
  const exit = server.close();
  expect((await running).text).toContain('birch');
  expect(await exit).toBe(0);
  done();
});

test('SIGTERM ends a server that is still waiting for its upstream', async () => {
  const nowhere = { VECTORLESS_BASE_URL: 'http://127.0.0.1:9' };
  const child = spawnChild({ args: ['--http', '--port', '0'], env: nowhere });
  await until(() => child.stderr.some((line) => line.includes('waiting_for_upstream')), 'it waits', 15_000);
  child.process.kill('SIGTERM');
  // By itself: as the first process of a container it would get no signal that it does not ask for.
  expect(await child.exited).toMatchObject({ code: 0, signal: null });
});

test('SIGINT asks once and then insists', async () => {
  const { api, server, query } = await start();
  api.faults.stall('POST /v1/query', 'headers');
  const running = query().catch(() => 'cut off');
  await api.sees('POST /v1/query');
  server.child.process.kill('SIGINT');
  await sleep(200);
  expect(server.child.process.exitCode).toBeNull();
  const asked = Date.now();
  server.child.process.kill('SIGINT');
  expect(await server.child.exited).toMatchObject({ code: 130 });
  // The calls that it lets finish have ten seconds.
  expect(Date.now() - asked).toBeLessThan(5_000);
  expect(await running).toBe('cut off');
});

test('a restart between two calls loses nothing, and any replica serves any request', async () => {
  const { api, server, query } = await start();
  const session = { ...withToken, 'mcp-session-id': 'of-an-older-process' };
  expect((await query()).text).toContain('birch');
  server.child.process.kill('SIGKILL');
  await server.child.exited;
  const port = new URL(server.url).port;
  const again: HttpChild = await spawnHttp({
    ...{ env: { ...tokenMode, VECTORLESS_BASE_URL: api.url }, args: ['--port', port] },
  });
  cleanups.push(() => again.close());
  expect(again.url).toBe(server.url);
  expect((await ask(`${again.url}/mcp`, { headers: session, body: rpc('tools/list') })).status).toBe(200);
  expect((await query(again.url)).text).toContain('birch');
});

test('path exists over HTTP only where folders are named', async () => {
  const schema = async ({ server }: { server: HttpChild }) =>
    (await ask(`${server.url}/mcp`, { headers: withToken, body: rpc('tools/list') })).text;
  expect(await schema(await start())).not.toContain('"path"');
  expect(await schema(await start({ VECTORLESS_ALLOWED_DIRS: '/tmp' }))).toContain('"path"');
});

test('stdout stays empty', async () => {
  const { server, query } = await start();
  await query();
  expect(server.child.stdout).toEqual([]);
});

test('a team shares one embedded corpus, which outlives a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vectorless-http-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  const env = { ...tokenMode, VECTORLESS_LOCAL_DIR: folder };
  const say = async (url: string, token: string, name: string, args: object) =>
    (await ask(`${url}/mcp`, { headers: { authorization: `Bearer ${token}` }, body: callTool(name, args) }))
      .text;
  const first = await spawnHttp({ args: ['--local'], env });
  const text = '# Stove\n\nThe stove burns birch.\n';
  const added = await say(first.url, 'team-secret-one', 'vectorless_ingest_document', {
    text,
    filename: 's.md',
  });
  expect(added).toContain('"status":"ready"');
  expect(await say(first.url, 'team-secret-two', 'vectorless_query', { query: 'birch' })).toContain(
    'burns birch',
  );
  await first.close();
  const second = await spawnHttp({ args: ['--local'], env });
  cleanups.push(() => second.close());
  expect(await say(second.url, 'team-secret-one', 'vectorless_query', { query: 'birch' })).toContain(
    'burns birch',
  );
});
