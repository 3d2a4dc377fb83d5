// A process of its own, so that memory and opening time are those of this folder alone.
// usage: node measure-folder.mjs FOLDER QUESTIONS
import { openEngine } from '../retrieval/engine-client.mjs';
import { makeQuestions } from './documents.mjs';

const [dir, count] = process.argv.slice(2);
const before = performance.now();
const engine = openEngine(dir);
await engine.get('/v1/health');
const openMs = performance.now() - before;

const ids = [];
let sections = 0;
for (let cursor; ; ) {
  const page = await engine.get(
    `/v1/documents?limit=200${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
  );
  ids.push(...page.items.map(({ id }) => id));
  cursor = page.next_cursor;
  if (!cursor) break;
}
for (const id of ids) sections += (await engine.get(`/v1/documents/${id}`)).section_count;

async function latencies(ask) {
  const times = [];
  for (const question of makeQuestions(Number(count))) {
    const started = performance.now();
    await ask(question);
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b);
}
const overAll = (query) => engine.post('/v1/query/multi', { document_ids: ids, query, max_sections: 10 });
await overAll('warm up');
const all = await latencies(overAll);
const one = await latencies((query) =>
  engine.post('/v1/query', { document_id: ids[0], query, max_sections: 10 }),
);
const at = (times, share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
console.log(
  JSON.stringify({
    sections,
    openMs,
    p50: at(all, 0.5),
    p99: at(all, 0.99),
    oneP50: at(one, 0.5),
    rssMb: process.memoryUsage.rss() / 2 ** 20,
  }),
);
await engine.close();
