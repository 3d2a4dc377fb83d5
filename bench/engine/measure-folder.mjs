// A process of its own, so that memory and opening time are those of this folder alone.
// usage: node measure-folder.mjs FOLDER QUESTIONS
import { openEngine } from '../retrieval/engine-client.mjs';
import { allDocuments, summary } from './asking.mjs';
import { makeQuestions } from './documents.mjs';

const [dir, count] = process.argv.slice(2);
const questions = makeQuestions(Number(count));
const before = performance.now();
const engine = openEngine(dir);
await engine.get('/v1/health');
const openMs = performance.now() - before;

const ids = await allDocuments(engine);
let sections = 0;
for (const id of ids) sections += (await engine.get(`/v1/documents/${id}`)).section_count;

async function latencies(ask) {
  const times = [];
  for (const question of questions) {
    const started = performance.now();
    await ask(question);
    times.push(performance.now() - started);
  }
  return summary(times);
}
const residentMb = () => process.memoryUsage.rss() / 2 ** 20;
const one = await latencies((query) =>
  engine.post('/v1/query', { document_id: ids.at(-1), query, max_sections: 10 }),
);
const oneRssMb = residentMb();
const overAll = (query) => engine.post('/v1/query/multi', { document_ids: ids, query, max_sections: 10 });
const first = performance.now();
await overAll('warm up');
const firstMs = performance.now() - first;
const all = await latencies(overAll);
const { p50, p99 } = all;
console.log(
  JSON.stringify({ sections, openMs, firstMs, p50, p99, oneP50: one.p50, oneRssMb, rssMb: residentMb() }),
);
await engine.close();
