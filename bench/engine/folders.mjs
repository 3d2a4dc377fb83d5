// Folders of documents for measuring, made once and kept under .cache until the engine would index them otherwise.
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { openEngine } from '../retrieval/engine-client.mjs';
import { settled } from '../retrieval/library.mjs';
import { importSource } from '../source.mjs';
import { makeDocument, SECTIONS_PER_DOCUMENT } from './documents.mjs';

const cache = fileURLToPath(new URL('../../.cache/', import.meta.url));
/** Beyond this, documents come again under other ids: to make a million of them takes a quarter of an hour. */
const MOST_INDEXED = 100_000;

/** A folder with about that many sections. */
export async function folderOf(size, log) {
  const { FORMAT_VERSION } = await importSource('packages/local/src/store/segment-format.ts');
  const { ANALYSER_VERSION } = await importSource('packages/local/src/analysis/analyse.ts');
  const dir = join(cache, `engine-${size}-${FORMAT_VERSION}.${ANALYSER_VERSION}`);
  const made = join(dir, 'made');
  if (existsSync(made)) return dir;
  mkdirSync(cache, { recursive: true });
  for (const old of readdirSync(cache)) {
    if (old.startsWith(`engine-${size}-`) || old === `engine-${size}`)
      rmSync(join(cache, old), { recursive: true });
  }
  mkdirSync(dir);
  if (size > MOST_INDEXED) await multiply(await folderOf(MOST_INDEXED, log), dir, size, log);
  else await index(dir, size, log);
  writeFileSync(made, '');
  return dir;
}

async function index(dir, size, log) {
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
}

/** The documents of a folder again and again, each time under new ids. */
async function multiply(from, dir, size, log) {
  const { HEADER } = await importSource('packages/local/src/store/segment-format.ts');
  for (const folder of ['segments', 'sources']) mkdirSync(join(dir, folder));
  const names = readdirSync(join(from, 'segments'));
  for (let n = 0; n * SECTIONS_PER_DOCUMENT < size; n++) {
    const name = names[n % names.length];
    const [id, ...rest] = name.split('.');
    const other = `doc_${String(n).padStart(18, '0')}`;
    const file = readFileSync(join(from, 'segments', name));
    const end = file.readUInt32LE(HEADER.indexLength);
    const at = file.indexOf(id);
    file.write(other, at);
    file.writeUInt32LE(crc32(file.subarray(HEADER.sectionCount, end)), HEADER.indexCrc);
    writeFileSync(join(dir, 'segments', [other, ...rest].join('.')), file);
    linkSync(join(from, 'sources', `${id}.src`), join(dir, 'sources', `${other}.src`));
    if (n % 500 === 499) log(`${n + 1} documents`);
  }
}
