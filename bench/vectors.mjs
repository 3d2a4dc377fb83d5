// Exact vector search beside what one would write first, and beside an approximate index where that is installed.
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
const dimension = 384;
const sizes = [
  { n: 10_000, label: '10k', queries: 200, plain: 50 },
  { n: 100_000, label: '100k', queries: 100, plain: 20 },
  { n: 1_000_000, label: '1M', queries: 15, plain: 5 },
];
/** Building the graph takes minutes beyond this: 100k took more than five. */
const maxHnsw = Number(process.env.BENCH_HNSW_ROWS ?? 10_000);

/** @returns rows for the scoreboard; `bare` is the plain loop */
export async function measureVectors() {
  const bundles = await bundle();
  const hasHnsw = isInstalled('hnswlib-node');
  if (!hasHnsw) console.error('hnswlib-node is not installed: no approximate index to compare with');
  const rows = [];
  for (const size of sizes) {
    const store = await contend('store', bundles.memory, size);
    const plain = await contend('plain', '-', { ...size, queries: size.plain });
    rows.push(...searchRows(size, store, plain));
    if (hasHnsw && size.n <= maxHnsw) rows.push(...hnswRows(size, store, await contend('hnsw', '-', size)));
  }
  return [...rows, ...durableRows(await contend('durable', bundles.durable, { n: 20_000, queries: 0 }))];
}

function searchRows({ n, label }, store, plain) {
  const what = (text) => `${label} × ${dimension}: ${text}`;
  return [
    {
      what: what('search p50'),
      value: store.p50,
      unit: 'ms',
      bare: plain.p50,
      ...(n === 100_000 && { bar: '≤ 40' }),
    },
    { what: what('search p50, processor time'), value: store.cpu, unit: 'ms', bare: plain.cpu },
    { what: what('search p99'), value: store.p99, unit: 'ms', bare: plain.p99 },
    { what: what('search of a filtered half, p50'), value: store.filtered.p50, unit: 'ms' },
    {
      what: what('longest pause of the event loop'),
      value: store.longestPause,
      unit: 'ms',
    },
    { what: what('adds'), value: store.addsPerSecond, unit: '/s' },
    { what: what('memory per vector'), value: store.bytes, unit: 'B', bare: plain.bytes },
    {
      what: what('memory over raw float32'),
      ...{ value: store.bytes / (4 * dimension), unit: '×', ...(n === 100_000 && { bar: '≤ 1.6' }) },
    },
    {
      what: what('same top 10 as the plain loop'),
      value: overlap(store.found, plain.found),
      unit: 'share',
      bar: '= 1',
    },
  ];
}

function hnswRows({ label }, store, hnsw) {
  const what = (text) => `${label} × ${dimension}: hnswlib-node ${text}`;
  return [
    { what: what('search p50'), value: hnsw.p50, unit: 'ms' },
    { what: what('recall of the top 10'), value: overlap(store.found, hnsw.found), unit: 'share' },
    { what: what('adds'), value: hnsw.addsPerSecond, unit: '/s' },
    { what: what('memory per vector'), value: hnsw.bytes, unit: 'B' },
  ];
}

function durableRows({ addsPerSecond, reopenMs }) {
  return [
    { what: 'durable: adds, 64 at a time, each on disk', value: addsPerSecond, unit: '/s' },
    { what: 'durable: 20k read again', value: reopenMs, unit: 'ms' },
  ];
}

/** How much of the expected results was found, over the queries that were put to both. */
function overlap(expected, found) {
  const both = expected.slice(0, found.length);
  const hits = both.flatMap((ids, query) => ids.filter((id) => found[query].includes(id)));
  return hits.length / both.flat().length;
}

async function contend(name, file, { n, queries }) {
  const script = fileURLToPath(new URL('vectors/contender.mjs', import.meta.url));
  const node = ['--expose-gc', '--max-old-space-size=8192'];
  const args = [...node, script, name, file, String(n), String(dimension), String(queries)];
  const { stdout } = await run(process.execPath, args, { cwd: root, maxBuffer: 2 ** 26 });
  return JSON.parse(stdout);
}

async function bundle() {
  const outdir = join(root, '.cache/bench/vectors');
  await build({
    absWorkingDir: root,
    entryPoints: ['src/stores/vectors/memory-stores.ts', 'src/stores/vectors/durable-stores.ts'],
    ...{ outdir, outExtension: { '.js': '.mjs' }, bundle: true, minify: true, logLevel: 'warning' },
    ...{ format: 'esm', platform: 'node', target: 'node20.19' },
  });
  return { memory: join(outdir, 'memory-stores.mjs'), durable: join(outdir, 'durable-stores.mjs') };
}

function isInstalled(name) {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}
