// Texts with judged documents: every question is asked of all of them at once.
import { ndcg, reciprocalRank } from './metrics.mjs';

export async function measureCollection({ files, questions }, { engine, ids }) {
  const fileOf = new Map(files.map(({ id }) => [ids[id], id]));
  const document_ids = files.map(({ id }) => ids[id]);
  const samples = { ndcg10: [], recall1: [], recall5: [], recall10: [], mrr10: [], ms: [] };
  for (const { text, relevant } of questions) {
    const started = performance.now();
    const answer = await engine.post('/v1/query/multi', { document_ids, query: text, max_sections: 3 });
    samples.ms.push(performance.now() - started);
    const ranked = answer.documents
      .filter(({ sections }) => sections.length > 0)
      .map(({ document_id, sections }) => ({ file: fileOf.get(document_id), score: sections[0].score }))
      .sort((a, b) => b.score - a.score);
    const gains = ranked.map(({ file }) => relevant.get(file) ?? 0);
    const found = (depth) => gains.slice(0, depth).filter((gain) => gain > 0).length / relevant.size;
    samples.ndcg10.push(ndcg(gains, [...relevant.values()]));
    samples.mrr10.push(reciprocalRank(gains));
    samples.recall1.push(found(1));
    samples.recall5.push(found(5));
    samples.recall10.push(found(10));
  }
  return { across: samples };
}
