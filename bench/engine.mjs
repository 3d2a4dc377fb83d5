// How fast the embedded engine reads, indexes, opens and answers. `node bench/engine.mjs [SECTIONS…]`, after a build.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDocument, SECTIONS_PER_DOCUMENT } from './engine/documents.mjs';
import { openEngine } from './retrieval/engine-client.mjs';
import { settled } from './retrieval/library.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const sample = join(root, '../shared/data/financebench/pdfs/3M_2018_10K.pdf');

/**
 * @param {{ sizes?: number[], questions?: number, log?: (line: string) => void }} options sizes in sections
 * @returns pages read per second (undefined without a sample), MB of Markdown indexed per second, and for each size the
 *   time to open the folder, query latencies and resident memory
 */
export async function benchEngine({ sizes = [1000, 10_000, 100_000], questions = 200, log = () => {} } = {}) {
  const pagesPerSecond = existsSync(sample) ? await measurePages() : undefined;
  const megabytesPerSecond = await measureIndexing();
  const folders = [];
  for (const size of sizes) {
    const dir = await folderOf(size, log);
    const script = join(root, 'bench/engine/measure-folder.mjs');
    const output = execFileSync(process.execPath, [script, dir, String(questions)], { encoding: 'utf8' });
    folders.push(JSON.parse(output));
  }
  return { pagesPerSecond, megabytesPerSecond, folders };
}

/** The rows of the scoreboard. The folders are made in the first run, which takes minutes, and kept under .cache. */
export async function measureEngine() {
  const log = (line) => process.stderr.write(`${line}\n`);
  const { pagesPerSecond, megabytesPerSecond, folders } = await benchEngine({ log });
  const rows = [{ what: 'engine: Markdown indexed', value: megabytesPerSecond, unit: 'MB/s' }];
  if (pagesPerSecond)
    rows.push({ what: 'engine: PDF pages read and indexed', value: pagesPerSecond, unit: 'pages/s' });
  for (const { sections, openMs, p50, p99, oneP50, rssMb } of folders) {
    const large = sections >= 100_000;
    const of = `of ${sections.toLocaleString('en')} sections`;
    rows.push(
      { what: `engine: open a folder ${of}`, value: openMs, unit: 'ms', ...(large && { bar: '≤ 150' }) },
      { what: `engine: query all ${of}, p50`, value: p50, unit: 'ms', ...(large && { bar: '≤ 20' }) },
      { what: `engine: query all ${of}, p99`, value: p99, unit: 'ms', ...(large && { bar: '≤ 60' }) },
      { what: `engine: query one document ${of}, p50`, value: oneP50, unit: 'ms' },
      {
        what: `engine: resident with ${sections.toLocaleString('en')} sections`,
        value: rssMb,
        unit: 'MB',
        ...(large && { bar: '≤ 250' }),
      },
    );
  }
  return rows;
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

/** A folder with about that many sections, made once and kept under .cache. */
async function folderOf(size, log) {
  const dir = join(root, '.cache', `engine-${size}`);
  const made = join(dir, 'made');
  if (existsSync(made)) return dir;
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const engine = openEngine(dir);
  const documents = Math.ceil(size / SECTIONS_PER_DOCUMENT);
  const ids = [];
  for (let n = 0; n < documents; n++) {
    ids.push(await engine.ingest({ name: `${n}.md`, type: 'text/markdown', bytes: makeDocument(n) }));
    // Half a dozen wait at a time, so that the folder's sources are not all in memory.
    if (n >= 6) await settled(engine, ids[n - 6], `${n}.md`);
    if (n % 50 === 49) log(`${n + 1} of ${documents} documents`);
  }
  for (const [n, id] of ids.entries()) await settled(engine, id, `${n}.md`);
  await engine.close();
  writeFileSync(made, '');
  return dir;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sizes = process.argv.slice(2).map(Number);
  const result = await benchEngine({ ...(sizes.length > 0 && { sizes }), log: console.error });
  console.log(JSON.stringify(result, null, 2));
}
