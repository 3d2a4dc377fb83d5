// Calls per second and their cost over HTTP, beside a bare SDK server and a bare node:http floor; memory; streams.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { median, residentMb, startChild } from './child.mjs';
import { auth, initialize, load, openStream, queries, startHttp, tokenEnv } from './http-load.mjs';
import { startInstantApi } from './instant-api.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const launcher = join(root, 'dist/vectorless-mcp.cjs');
const blocks = 7;
const callsPerBlock = 200;
const warmUpCalls = 600;

/** @returns rows for the scoreboard */
export async function measureHttp() {
  const data = mkdtempSync(join(tmpdir(), 'vectorless-bench-'));
  const api = await startInstantApi();
  const base = { VECTORLESS_BASE_URL: api.url, VECTORLESS_LOG_LEVEL: 'silent' };
  try {
    const tools = join(data, 'tools.json');
    writeFileSync(tools, JSON.stringify(await productTools(base)));
    const servers = await startServers({ ...base, BENCH_TOOLS: tools });
    const rows = await throughput(servers);
    await Promise.all(Object.values(servers).map((server) => server.stop()));
    return [...rows, ...(await memory(base)), ...(await streams(base))];
  } finally {
    await api.close();
    rmSync(data, { recursive: true, force: true });
  }
}

async function productTools(env) {
  const child = startChild(process.execPath, [launcher], env);
  await child.initialize();
  const { tools } = await child.request('tools/list', {});
  await child.stop();
  return tools;
}

function startProduct(env) {
  const roomy = { VECTORLESS_MAX_CONCURRENCY: '64', VECTORLESS_MAX_CONCURRENCY_PER_CALLER: '64' };
  return startHttp([launcher, '--http', '--port', '0'], { ...env, ...tokenEnv, ...roomy });
}

async function startServers(env) {
  const out = join(root, '.cache/bench-http');
  mkdirSync(out, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: ['bench/servers/http-floor.mjs', 'bench/servers/http-bare.mjs'],
    ...{ outdir: out, outExtension: { '.js': '.mjs' }, bundle: true, splitting: true, minify: true },
    ...{ format: 'esm', platform: 'node', target: 'node20.19' },
    banner: {
      js: "import { createRequire as __r } from 'node:module'; const require = __r(import.meta.url);",
    },
  });
  return {
    floor: await startHttp([join(out, 'http-floor.mjs')], env),
    bare: await startHttp([join(out, 'http-bare.mjs')], env),
    product: await startProduct(env),
  };
}

/** Blocks take turns, so that whatever else the machine does hits all alike. */
async function throughput(servers) {
  const rows = [];
  for (const server of Object.values(servers)) {
    for (const message of Object.values(queries))
      await load(server, message, { width: 8, total: warmUpCalls });
  }
  for (const [revision, message] of Object.entries(queries)) {
    for (const width of [1, 32]) {
      const samples = Object.fromEntries(Object.keys(servers).map((name) => [name, []]));
      for (let block = 0; block < blocks; block += 1) {
        for (const [name, server] of Object.entries(servers)) {
          samples[name].push(await load(server, message, { width, total: callsPerBlock }));
        }
      }
      const of = (name, key) => median(samples[name].map((sample) => sample[key]));
      const row = (what, key, unit, bar) => ({
        what: `${what}, revision ${revision}, ${width} at once`,
        ...{ value: of('product', key), bare: of('bare', key), floor: of('floor', key), unit, bar },
      });
      rows.push(
        row('calls over HTTP', 'perSecond', '/s', '≥ 0.8 × bare'),
        row('CPU per call', 'cpuMs', 'ms', '–'),
      );
    }
  }
  return rows;
}

async function memory(env) {
  const server = await startProduct(env);
  await load(server, initialize, { width: 32, total: 2_000 });
  const before = residentMb(server.pid);
  await load(server, initialize, { width: 32, total: 10_000 });
  const grown = residentMb(server.pid) - before;
  await server.stop();
  return [
    { what: 'memory before 10,000 more initialize', value: before, unit: 'MB', bar: '–' },
    { what: 'memory that 10,000 initialize add', value: grown, unit: 'MB', bar: '≤ 20 MB' },
  ];
}

async function streams(env) {
  const count = 1_000;
  const server = await startProduct(env);
  await load(server, initialize, { width: 8, total: 200 });
  const before = residentMb(server.pid);
  const open = [];
  const started = performance.now();
  while (open.length < count) {
    open.push(...(await Promise.all(Array.from({ length: 50 }, () => openStream(server.url)))));
  }
  const ms = performance.now() - started;
  const each = ((residentMb(server.pid) - before) * 1024) / count;
  const answered = await fetch(`${server.url}/readyz`, { headers: auth });
  for (const stream of open) stream.close();
  await server.stop();
  return [
    { what: `time to open ${count} event streams`, value: ms, unit: 'ms', bar: '–' },
    { what: `memory of one of ${count} open event streams`, value: each, unit: 'kB', bar: '–' },
    { what: 'still ready beside them', value: answered.ok ? 1 : 0, unit: 'yes', bar: '= 1' },
  ];
}
