// A folder's documents in an engine of their own, kept under .cache until the parser or the analyser changes.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openEngine } from './engine-client.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cache = join(root, '.cache', 'retrieval');

/** Changes with everything that the worker is built from, and with nothing else. */
function version() {
  const hash = createHash('sha256');
  const seen = new Set();
  const add = (path) => {
    if (seen.has(path)) return;
    seen.add(path);
    const text = readFileSync(path, 'utf8');
    hash.update(text);
    for (const [, name] of text.matchAll(/["'](\.\.?\/[\w./-]+\.js)["']/g)) {
      const next = join(dirname(path), name);
      if (existsSync(next)) add(next);
    }
  };
  add(join(root, 'dist', 'local-worker.js'));
  return hash.digest('hex').slice(0, 10);
}

/** Ingests what is missing; answers the engine and the document id of each file. */
export async function openLibrary({ name, files }, log) {
  const dir = join(cache, `${name}-${version()}`);
  mkdirSync(cache, { recursive: true });
  for (const old of readdirSync(cache)) {
    if (old.startsWith(`${name}-`) && join(cache, old) !== dir) rmSync(join(cache, old), { recursive: true });
  }
  const engine = openEngine(dir);
  const list = join(dir, 'ids.json');
  if (!existsSync(list)) {
    const ids = {};
    let done = 0;
    const waiting = files.values();
    const lane = async () => {
      for (const file of waiting) {
        ids[file.id] = await engine.ingest({ name: file.name, type: file.type, bytes: file.read() });
        if (++done % 500 === 0) log(`${name}: ${done} of ${files.length} stored`);
      }
    };
    // Several at once: each waits for the disk.
    await Promise.all(Array.from({ length: 16 }, lane));
    for (const [i, file] of files.entries()) {
      await settled(engine, ids[file.id], file.name);
      if (files.length < 100 || i % 500 === 499) log(`${name}: ${i + 1} of ${files.length} indexed`);
    }
    writeFileSync(list, JSON.stringify(ids));
  }
  return { engine, ids: JSON.parse(readFileSync(list, 'utf8')) };
}

export async function settled(engine, id, name) {
  for (;;) {
    const { status, error_message } = await engine.get(`/v1/documents/${id}`);
    if (status === 'ready') return;
    if (status === 'failed') {
      console.error(`${name}: ${error_message}`);
      return;
    }
    await sleep(50);
  }
}
