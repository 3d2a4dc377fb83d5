// Start-up, memory, token cost and cost per call over stdio, beside a bare SDK server and a bare-Node floor.
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { nodeOf } from '../scripts/nodes.mjs';
import { cpuMs, median, residentMb, startChild } from './child.mjs';
import { startInstantApi } from './instant-api.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const runs = 15;
const calls = 400;

/** @returns rows for the scoreboard */
export async function measureStdio() {
  const data = mkdtempSync(join(tmpdir(), 'vectorless-bench-'));
  const api = await startInstantApi();
  const env = { VECTORLESS_BASE_URL: api.url, VECTORLESS_LOG_LEVEL: 'silent', XDG_DATA_HOME: data };
  try {
    const tools = await productTools(env);
    writeFileSync(join(data, 'tools.json'), JSON.stringify(tools));
    const servers = await prepare({ ...env, BENCH_TOOLS: join(data, 'tools.json') });
    const starts = await interleaved(servers);
    const newer = newestNode();
    const cached = newer === undefined ? undefined : await interleaved(servers, newer);
    const costs = await perCall(servers);
    return [
      ...startRows(starts),
      ...(cached === undefined ? [] : cachedRows(cached)),
      ...callRows(costs),
      tokenRow(tools),
      await sizeRow(),
    ];
  } finally {
    await api.close();
    rmSync(data, { recursive: true, force: true });
  }
}

async function productTools(env) {
  const child = startChild(process.execPath, [join(root, 'dist/vectorless-mcp.cjs')], env);
  await child.initialize();
  const { tools } = await child.request('tools/list', {});
  await child.stop();
  return tools;
}

async function prepare(env) {
  const out = join(root, '.cache/bench');
  mkdirSync(out, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: ['bench/servers/floor.mjs', 'bench/servers/bare.mjs'],
    ...{ outdir: out, outExtension: { '.js': '.mjs' }, bundle: true, splitting: true, minify: true },
    ...{ format: 'esm', platform: 'node', target: 'node20.19' },
    banner: {
      js: "import { createRequire as __r } from 'node:module'; const require = __r(import.meta.url);",
    },
  });
  const launcher = join(root, 'dist/vectorless-mcp.cjs');
  const { VECTORLESS_BASE_URL: _unused, ...local } = env;
  return {
    floor: { args: [join(out, 'floor.mjs')], env },
    bare: { args: [join(out, 'bare.mjs')], env },
    hosted: { args: [launcher], env },
    local: { args: [launcher, '--local'], env: local },
  };
}

async function interleaved(servers, node = process.execPath) {
  const samples = Object.fromEntries(Object.keys(servers).map((name) => [name, []]));
  for (let run = 0; run <= runs; run++) {
    for (const [name, { args, env }] of Object.entries(servers)) {
      const started = performance.now();
      const child = startChild(node, args, env);
      await child.initialize();
      await child.request('tools/list', {});
      const sample = { wall: performance.now() - started, cpu: cpuMs(child.pid), rss: residentMb(child.pid) };
      await child.stop();
      if (run > 0) samples[name].push(sample);
    }
  }
  return samples;
}

async function perCall(servers) {
  const results = {};
  for (const name of ['floor', 'bare', 'hosted']) {
    const { args, env } = servers[name];
    const child = startChild(process.execPath, args, env);
    await child.initialize();
    const call = () =>
      child.request('tools/call', {
        name: 'vectorless_query',
        arguments: { query: 'bench', document_id: 'doc_1' },
      });
    for (let index = 0; index < calls; index++) await call();
    const before = cpuMs(child.pid);
    const times = [];
    for (let index = 0; index < calls; index++) {
      const started = performance.now();
      await call();
      times.push(performance.now() - started);
    }
    results[name] = { cpu: (cpuMs(child.pid) - before) / calls, wall: median(times) };
    await child.stop();
  }
  return results;
}

/** Fetched from npm on first use; without it there is nothing to say of the compile cache. */
function newestNode() {
  try {
    return nodeOf(24);
  } catch (error) {
    console.error(`${error.message}: the compile cache is not measured`);
    return undefined;
  }
}

/** `bare` is the SDK's server with equal tools, `floor` JSON-RPC by hand. */
function rowOf(samples) {
  const of = (name, key) => median(samples[name].map((sample) => sample[key]));
  return (what, name, key, unit, bar) => ({
    ...{ what, value: of(name, key), unit, bare: of('bare', key), floor: of('floor', key), bar },
  });
}

/** Node 22 and later keep compiled code; the first run, which fills the cache, is not counted. */
function cachedRows(samples) {
  const row = rowOf(samples);
  return [
    row('start to tools/list, hosted, Node 24, compile cache, wall', 'hosted', 'wall', 'ms', '< 1 × bare'),
    row('start to tools/list, hosted, Node 24, compile cache, CPU', 'hosted', 'cpu', 'ms', '< 1 × bare'),
  ];
}

function startRows(samples) {
  const row = rowOf(samples);
  return [
    row('start to tools/list, hosted, wall', 'hosted', 'wall', 'ms', '≤ 1.25 × bare'),
    row('start to tools/list, hosted, CPU', 'hosted', 'cpu', 'ms', '≤ 1.25 × bare'),
    row('start to tools/list, --local, wall', 'local', 'wall', 'ms', '–'),
    row('start to tools/list, --local, CPU', 'local', 'cpu', 'ms', '–'),
    row('resident memory after tools/list, hosted', 'hosted', 'rss', 'MB', '≤ 65 MB'),
  ];
}

function callRows({ floor, bare, hosted }) {
  return [
    {
      what: 'one query over stdio, latency',
      value: hosted.wall,
      unit: 'ms',
      bare: bare.wall,
      floor: floor.wall,
      bar: '–',
    },
    {
      what: 'one query over stdio, CPU',
      value: hosted.cpu,
      unit: 'ms',
      bare: bare.cpu,
      floor: floor.cpu,
      bar: '≤ bare + 0.2 ms',
    },
  ];
}

function tokenRow(tools) {
  const value = encode(JSON.stringify({ tools })).length;
  return { what: 'tools/list, default', value, unit: 'tokens', bar: '≤ 1,500' };
}

/** JavaScript that hosted stdio loads before its first call: the entry and everything it imports statically. */
async function sizeRow() {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['dist/index.js'],
    ...{
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      outdir: '.cache/size',
      write: false,
    },
    ...{ metafile: true, logLevel: 'silent' },
  });
  const seen = new Set();
  const visit = (path) => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { path: target, kind } of metafile.inputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && metafile.inputs[target] !== undefined) visit(target);
    }
  };
  visit('dist/index.js');
  const bytes = [...seen].reduce((sum, path) => sum + statSync(join(root, path)).size, 0);
  return {
    what: 'JavaScript loaded before the first call',
    value: bytes / 1000,
    unit: 'kB',
    bar: '≤ 600 kB',
  };
}
