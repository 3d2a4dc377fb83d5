// One contender at one size, in a process of its own so that its memory is its own: prints one line of JSON.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [name, bundle, count, dimension, queries] = process.argv.slice(2);
const n = Number(count);
const d = Number(dimension);
const k = 10;

/** The same vectors in every process: xorshift, made one at a time so that only the contender holds them. */
function* vectors(seed, amount) {
  let state = seed;
  for (let i = 0; i < amount; i++) {
    const vector = new Float32Array(d);
    for (let j = 0; j < d; j++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      vector[j] = state / 2 ** 31;
    }
    yield vector;
  }
}

function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

function memory() {
  globalThis.gc();
  return process.memoryUsage.rss();
}

const metadataOf = (i) => ({ source: i % 2 === 0 ? 'arxiv' : 'blog', year: 2000 + (i % 25) });
const limits = {
  ...{ owners: 1, storesPerOwner: 1, namespacesPerStore: 1, vectorsPerOwner: n },
  ...{ bytesPerOwner: 2 ** 40, bytesInTotal: 2 ** 40, heapBytesPerOwner: 2 ** 40, heapBytesInTotal: 2 ** 40 },
};

const contenders = {
  async store() {
    const { createMemoryStores } = await import(pathToFileURL(bundle).href);
    const stores = createMemoryStores('cosine', limits).of('bench');
    const signal = new AbortController().signal;
    const search = (filter) => async (query) =>
      (await stores.search({ store: 's', query, k, filter, signal })).matches.map(({ id }) => Number(id));
    return {
      add: (i, embedding) =>
        stores.add({ store: 's', namespace: 'n', id: `${i}`, embedding, metadata: metadataOf(i) }),
      search: search({}),
      filtered: search({ source: 'arxiv' }),
    };
  },
  async durable() {
    const { createDurableStores } = await import(pathToFileURL(bundle).href);
    const dir = mkdtempSync(join(tmpdir(), 'vectors-bench-'));
    const open = () => createDurableStores({ dir, metric: 'cosine', limits, warn() {} });
    const stores = open();
    const pending = [];
    return {
      async add(i, embedding) {
        const vector = { store: 's', namespace: 'n', id: `${i}`, embedding, metadata: metadataOf(i) };
        pending.push(stores.of('bench').add(vector));
        if (pending.length === 64 || i === n - 1) await Promise.all(pending.splice(0));
      },
      reopen: () => open().of('bench').count({ store: 's' }),
      async close() {
        await stores.close();
        rmSync(dir, { recursive: true, force: true });
      },
    };
  },
  /** What one would write first: an array of arrays, a loop, a sort. */
  async plain() {
    const rows = [];
    const norm = (a) => Math.sqrt(a.reduce((sum, x) => sum + x * x, 0));
    return {
      add(i, embedding) {
        rows[i] = Array.from(embedding);
      },
      async search(query) {
        const own = norm(query);
        const scores = rows.map((row, i) => {
          let [dot, square] = [0, 0];
          for (let j = 0; j < row.length; j++) {
            dot += row[j] * query[j];
            square += row[j] * row[j];
          }
          return { i, score: dot / (Math.sqrt(square) * own) };
        });
        return scores
          .sort((a, b) => b.score - a.score)
          .slice(0, k)
          .map(({ i }) => i);
      },
    };
  },
  async hnsw() {
    const { default: hnsw } = await import('hnswlib-node');
    const index = new hnsw.HierarchicalNSW('cosine', d);
    index.initIndex(n, 16, 100);
    index.setEf(100);
    return {
      add: (i, embedding) => index.addPoint(Array.from(embedding), i),
      search: async (query) => index.searchKnn(Array.from(query), k).neighbors,
    };
  },
};

const before = memory();
const contender = await contenders[name]();
let started = performance.now();
let i = 0;
let making = 0;
for (const vector of vectors(88172645, n)) {
  const adding = performance.now();
  await contender.add(i++, vector);
  making += performance.now() - adding;
}
const result = { addsPerSecond: (n / making) * 1000, bytes: (memory() - before) / n };

async function time(search, amount, found) {
  const times = [];
  // On a machine that others use as well, the clock says more about them than about a search.
  const cpu = [];
  for (const query of vectors(362436069, amount)) {
    const from = performance.now();
    const fromCpu = process.cpuUsage();
    const ids = await search(query);
    cpu.push(process.cpuUsage(fromCpu).user / 1000);
    times.push(performance.now() - from);
    found?.push(ids);
  }
  for (const samples of [times, cpu]) samples.sort((a, b) => a - b);
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), cpu: percentile(cpu, 0.5) };
}

if (contender.search) {
  // The first few are compiled while they run.
  await time(contender.search, 3);
  result.found = [];
  let longestPause = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    longestPause = Math.max(longestPause, performance.now() - last);
    last = performance.now();
  }, 1);
  Object.assign(result, await time(contender.search, Number(queries), result.found));
  clearInterval(watch);
  result.longestPause = longestPause;
}
if (contender.filtered) result.filtered = await time(contender.filtered, Math.min(20, Number(queries)));
if (contender.reopen) {
  started = performance.now();
  await contender.reopen();
  result.reopenMs = performance.now() - started;
}
await contender.close?.();
console.log(JSON.stringify(result));
