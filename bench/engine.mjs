// How fast the embedded engine reads, indexes, opens and answers. `node bench/engine.mjs [SECTIONS…]`, after a build.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDocument } from './engine/documents.mjs';
import { folderOf } from './engine/folders.mjs';
import { openEngine } from './retrieval/engine-client.mjs';
import { settled } from './retrieval/library.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const sample = join(root, '../shared/data/financebench/pdfs/3M_2018_10K.pdf');

const PDF_PAGES = 500;
const RUNS = 3;

/**
 * @param {{ sizes?: number[], questions?: number, log?: (line: string) => void }} options sizes in sections
 * @returns pages read per second (undefined without a sample), MB of Markdown indexed per second, for each size the time to
 *   open the folder, query latencies and resident memory, and query latencies while a long PDF is being ingested
 */
export async function benchEngine({ sizes = [1000, 10_000, 100_000], questions = 200, log = () => {} } = {}) {
  const pagesPerSecond = existsSync(sample) ? await measurePages() : undefined;
  const megabytesPerSecond = await measureIndexing();
  const folders = [];
  for (const size of sizes) {
    const dir = await folderOf(size, log);
    const count = size > 100_000 ? Math.min(questions, 100) : questions;
    folders.push(quietest('measure-folder.mjs', dir, count, ({ p99 }) => p99));
  }
  const beside = [];
  for (const size of [20_000, 100_000]) {
    const dir = await folderOf(size, log);
    beside.push({ size, ...quietest('measure-beside.mjs', dir, PDF_PAGES, ({ all }) => all.p99) });
  }
  return { pagesPerSecond, megabytesPerSecond, folders, beside };
}

/** One of several runs, whole: a machine that does something else meanwhile shows in the highest latencies first. */
function quietest(script, dir, argument, latency) {
  const path = join(root, 'bench/engine', script);
  const runs = Array.from({ length: RUNS }, () =>
    JSON.parse(execFileSync(process.execPath, [path, dir, String(argument)], { encoding: 'utf8' })),
  );
  return runs.sort((a, b) => latency(a) - latency(b))[0];
}

/**
 * The rows of the scoreboard. The folders are made in the first run, which takes minutes, and kept under .cache. A million
 * sections take 2 GB more there and are measured with BENCH_MILLION=1.
 */
export async function measureEngine() {
  const log = (line) => process.stderr.write(`${line}\n`);
  const sizes = [1000, 10_000, 100_000, ...(process.env.BENCH_MILLION ? [1_000_000] : [])];
  const { pagesPerSecond, megabytesPerSecond, folders, beside } = await benchEngine({ sizes, log });
  const rows = [{ what: 'engine: Markdown indexed', value: megabytesPerSecond, unit: 'MB/s' }];
  if (pagesPerSecond)
    rows.push({ what: 'engine: PDF pages read and indexed', value: pagesPerSecond, unit: 'pages/s' });
  for (const folder of folders) rows.push(...folderRows(folder));
  for (const { size, all, one } of beside) {
    const while_ = `of ${size.toLocaleString('en')} sections while ${PDF_PAGES} PDF pages are ingested`;
    for (const [whom, { p50, p99 }] of Object.entries({ all, 'one document': one })) {
      rows.push(
        { what: `engine: query ${whom} ${while_}, p50`, value: p50, unit: 'ms' },
        { what: `engine: query ${whom} ${while_}, p99`, value: p99, unit: 'ms', bar: '< 100' },
      );
    }
  }
  return rows;
}

function folderRows({ sections, openMs, firstMs, p50, p99, oneP50, oneRssMb, rssMb }) {
  const of = `of ${sections.toLocaleString('en')} sections`;
  const bar = (limit) => sections >= 100_000 && sections < 1_000_000 && { bar: `≤ ${limit}` };
  return [
    { what: `engine: open a folder ${of}`, value: openMs, unit: 'ms', ...bar(150) },
    { what: `engine: first query over all ${of}`, value: firstMs, unit: 'ms' },
    { what: `engine: query all ${of}, p50`, value: p50, unit: 'ms', ...bar(20) },
    { what: `engine: query all ${of}, p99`, value: p99, unit: 'ms', ...bar(60) },
    { what: `engine: query one document ${of}, p50`, value: oneP50, unit: 'ms' },
    { what: `engine: resident, one document asked ${of}`, value: oneRssMb, unit: 'MB' },
    { what: `engine: resident, all documents asked ${of}`, value: rssMb, unit: 'MB', ...bar(250) },
  ];
}

async function inEmptyEngine(work) {
  const dir = mkdtempSync(join(tmpdir(), 'vectorless-bench-'));
  const engine = openEngine(dir);
  try {
    // The worker starts with its first document; that is not what is measured.
    await settled(
      engine,
      await engine.ingest({ name: 'warm.md', type: 'text/markdown', bytes: '# Warm\n\nUp.' }),
      '',
    );
    return await work(engine);
  } finally {
    await engine.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

const measurePages = () =>
  inEmptyEngine(async (engine) => {
    const started = performance.now();
    const id = await engine.ingest({ name: '3M.pdf', type: 'application/pdf', bytes: readFileSync(sample) });
    await settled(engine, id, '3M.pdf');
    const { page_count } = await engine.get(`/v1/documents/${id}`);
    return page_count / ((performance.now() - started) / 1000);
  });

const measureIndexing = () =>
  inEmptyEngine(async (engine) => {
    const bytes = makeDocument(1);
    const started = performance.now();
    await settled(engine, await engine.ingest({ name: '1.md', type: 'text/markdown', bytes }), '1.md');
    return Buffer.byteLength(bytes) / 1e6 / ((performance.now() - started) / 1000);
  });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sizes = process.argv.slice(2).map(Number);
  const result = await benchEngine({ ...(sizes.length > 0 && { sizes }), log: console.error });
  console.log(JSON.stringify(result, null, 2));
}
