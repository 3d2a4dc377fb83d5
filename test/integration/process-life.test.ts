/** The process lives as long as its client, and no longer: whatever is in flight, however the client goes. */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Child, repository, spawnChild } from '../support/child.ts';
import { spawnServer } from '../support/connect.ts';
import { type FakeBackend, fakeBackend, localBackend } from './backend.ts';

let backend: FakeBackend;
beforeAll(async () => {
  backend = await fakeBackend({ dialect: 'E', lifecycle: { stuckIn: 'parsing' } });
});
afterAll(() => backend.close());

/** The promise is one second; a loaded machine gets another. */
const promptly = 2_000;

async function exitAfter(child: Child, leave: () => void) {
  const from = Date.now();
  leave();
  const exit = await Promise.race([child.exited, sleep(15_000, undefined, { ref: false })]);
  return { ...exit, milliseconds: Date.now() - from };
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

async function goneWithin(pid: number, milliseconds: number): Promise<boolean> {
  for (const end = Date.now() + milliseconds; Date.now() < end; await sleep(50))
    if (!isAlive(pid)) return true;
  return false;
}

function ingest(child: Child, text: string): void {
  const params = { name: 'vectorless_ingest_document', arguments: { text, filename: 'a.md' } };
  child.write({ jsonrpc: '2.0', id: 'in-flight', method: 'tools/call', params });
}

test.each<[string, (child: Child) => Promise<unknown>]>([
  ['nothing', async () => {}],
  [
    'a call',
    async (child) => {
      backend.fake.faults.stall('GET /v1/sections/sec_1', 'headers');
      const params = { name: 'vectorless_get_section', arguments: { section_id: 'sec_1' } };
      child.write({ jsonrpc: '2.0', id: 'in-flight', method: 'tools/call', params });
      await backend.fake.sees('GET /v1/sections/sec_1');
    },
  ],
  [
    'a poll',
    async (child) => {
      ingest(child, `# Poll\n\n${Math.random()}`);
      await backend.fake.sees('GET /v1/documents/*');
    },
  ],
  [
    'a stalled upload',
    async (child) => {
      backend.fake.faults.stall('POST /v1/documents', 'upload', 1);
      ingest(child, `# Upload\n\n${'word '.repeat(600_000)}`);
      const before = backend.fake.requests('POST /v1/documents').length;
      while (backend.fake.requests('POST /v1/documents').length === before) await sleep(10);
    },
  ],
])('with %s in flight it exits with 0 when stdin ends', async (_what, begin) => {
  const child = spawnChild({ env: backend.env });
  await child.initialize();
  await begin(child);
  const exit = await exitAfter(child, () => child.end());
  expect(exit).toMatchObject({ code: 0, signal: null });
  expect(exit.milliseconds).toBeLessThan(promptly);
});

test('with an ingest in the embedded engine it exits just as fast', async () => {
  const local = await localBackend();
  const child = spawnChild({ env: local.env, args: local.args });
  await child.initialize();
  ingest(child, `# Engine\n\n${'word '.repeat(600_000)}`);
  await sleep(200);
  const exit = await exitAfter(child, () => child.end());
  expect(exit).toMatchObject({ code: 0, signal: null });
  expect(exit.milliseconds).toBeLessThan(promptly);
  await local.close();
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it cleanly', async (signal) => {
  const child = spawnChild({ env: backend.env });
  await child.initialize();
  const exit = await exitAfter(child, () => child.process.kill(signal));
  expect(exit).toMatchObject({ code: 0, signal: null });
  expect(exit.milliseconds).toBeLessThan(promptly);
});

test('a client that closes stdout does not leave it spinning', async () => {
  const child = spawnChild({ env: backend.env });
  await child.initialize();
  const exit = await exitAfter(child, () => {
    child.process.stdout.destroy();
    for (let id = 0; id < 20; id += 1) child.write({ jsonrpc: '2.0', id, method: 'tools/list', params: {} });
  });
  expect(exit.milliseconds).toBeLessThan(5_000);
});

test('a client that closes stderr loses the log and nothing else', async () => {
  const child = spawnChild({ env: { ...backend.env, VECTORLESS_LOG_LEVEL: 'debug' } });
  await child.initialize();
  child.process.stderr.destroy();
  for (let turn = 0; turn < 5; turn += 1) {
    const params = { name: 'vectorless_list_documents', arguments: {} };
    expect((await child.request('tools/call', params)).result).toBeDefined();
  }
  expect(await child.close()).toEqual({ code: 0, signal: null });
});

test.each([
  ['its end of the pipe goes with it', 'pipe'],
  ['somebody else holds the pipe open', 'inherit'],
])('a parent that is killed takes it along: %s', async (_what, stdio) => {
  const holder = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 30_000)'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // A client that starts the server and tells us its pid.
  const script = `const child = require('node:child_process').spawn(process.execPath, ['dist/index.js'],
    { stdio: ['${stdio}', 'ignore', 'ignore'] }); console.log(child.pid); setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['-e', script], {
    ...{ cwd: repository, env: { PATH: process.env.PATH ?? '', ...backend.env } },
    stdio: [holder.stdout, 'pipe', 'ignore'],
  });
  const pid = await new Promise<number>((resolve) =>
    parent.stdout?.once('data', (line) => resolve(Number(line))),
  );
  await sleep(1_000);
  expect(isAlive(pid)).toBe(true);
  parent.kill('SIGKILL');
  const isGone = await goneWithin(pid, 8_000);
  holder.kill('SIGKILL');
  if (!isGone) process.kill(pid, 'SIGKILL');
  expect(isGone).toBe(true);
});

test('cancelling a call lets go of the upstream request at once', async () => {
  const server = await spawnServer({ env: backend.env });
  const delays: number[] = [];
  for (const id of ['sec_a', 'sec_b', 'sec_c']) {
    backend.fake.faults.stall(`GET /v1/sections/${id}`, 'headers');
    const controller = new AbortController();
    const params = { name: 'vectorless_get_section', arguments: { section_id: id } };
    const calling = server.client.callTool(params, { signal: controller.signal }).catch(() => 'cancelled');
    const seen = await backend.fake.sees(`GET /v1/sections/${id}`);
    const from = Date.now();
    controller.abort();
    expect(await calling).toBe('cancelled');
    await Promise.race([seen.ended, sleep(5_000)]);
    expect(seen.aborted).toBe(true);
    delays.push((seen.endedAt ?? 0) - from);
  }
  // The promise is 200 ms; the best of three leaves out what a busy machine adds.
  expect(Math.min(...delays)).toBeLessThan(200);
  await server.close();
});

test('thirty starts and kills leave nothing behind', { timeout: 90_000 }, async () => {
  const pids: number[] = [];
  const ways: readonly ((child: Child) => void)[] = [
    (child) => child.end(),
    (child) => child.process.kill('SIGTERM'),
    (child) => child.process.kill('SIGKILL'),
    (child) => child.process.stdout.destroy(),
    (child) => child.process.stdin.destroy(),
  ];
  for (let round = 0; round < 6; round += 1) {
    await Promise.all(
      ways.map(async (leave, index) => {
        const child = spawnChild({ env: backend.env });
        pids.push(child.pid);
        if (index % 2 === 0 || round % 2 === 0) await child.initialize();
        leave(child);
        child.write({ jsonrpc: '2.0', id: 1, method: 'ping' });
        await Promise.race([child.exited, sleep(10_000)]);
      }),
    );
  }
  expect(pids).toHaveLength(30);
  expect(pids.filter(isAlive)).toEqual([]);
});
