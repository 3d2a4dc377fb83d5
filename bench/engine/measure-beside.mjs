// Questions to a folder while a long PDF is being ingested into it; a process of its own, as a server is.
// usage: node measure-beside.mjs FOLDER PAGES
import { setTimeout as sleep } from 'node:timers/promises';
import { openEngine } from '../retrieval/engine-client.mjs';
import { allDocuments, summary } from './asking.mjs';
import { makeQuestions } from './documents.mjs';
import { makePdf } from './pdf.mjs';

const [dir, pages] = process.argv.slice(2);
const bytes = makePdf(Number(pages));
const engine = openEngine(dir);
const ids = await allDocuments(engine);
const questions = makeQuestions(500);
const ask = (n) => ({
  ...{ query: questions[n % questions.length], max_sections: 10 },
  // Every second question is to one document, as agents ask, the others are to all.
  ...(n % 2 === 0 ? { document_ids: ids } : { document_id: ids[n % ids.length] }),
});
const post = (body) => engine.post(body.document_ids ? '/v1/query/multi' : '/v1/query', body);
for (let n = 0; n < 20; n++) await post(ask(n));

const before = performance.now();
let id;
// Not awaited: taking the file in is part of what the questions have to put up with.
const accepted = engine
  .ingest({ name: `measured-${process.pid}.pdf`, type: 'application/pdf', bytes })
  .then((documentId) => {
    id = documentId;
  });
const all = [];
const one = [];
let status = 'pending';
let page_count = 0;
for (let n = 0; status === 'pending' || status === 'parsing'; n++) {
  const question = ask(n);
  const started = performance.now();
  await post(question);
  (question.document_ids ? all : one).push(performance.now() - started);
  await sleep(2);
  if (id !== undefined && n % 10 === 0) ({ status, page_count } = await engine.get(`/v1/documents/${id}`));
}
await accepted;
const seconds = (performance.now() - before) / 1000;
await engine.call('DELETE', `/v1/documents/${id}`);
await engine.close();
console.log(JSON.stringify({ status, pages: page_count, seconds, all: summary(all), one: summary(one) }));
