// Paged files with evidence pages: each question within its document, and over all documents.
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { ndcg, reciprocalRank } from './metrics.mjs';
import { pageReader, pageTexts, wordsOf } from './pages.mjs';

const BUDGETS = [2000, 8000, 20000];

export async function measurePaged({ files, questions }, library) {
  const texts = new Map();
  for (const { id, path, name } of files) texts.set(id, await pageTexts(path, name));
  const within = emptySamples();
  const across = emptySamples();
  const details = [];
  for (const question of questions) {
    const tokens = await measureWithin(question, library, texts.get(question.document), within);
    await measureAcross(question, library, files, across);
    details.push({
      id: question.id,
      tokens,
      recall10: within.recall10.at(-1),
      across10: across.recall10.at(-1),
    });
  }
  return { within, across, details };
}

async function measureWithin({ text, document, pages }, { engine, ids }, pageText, samples) {
  const started = performance.now();
  const { sections } = await engine.post('/v1/query', {
    document_id: ids[document],
    query: text,
    max_sections: 200,
  });
  samples.ms.push(performance.now() - started);
  addRanks(
    samples,
    sections.map((section) => ({ ...section, document })),
    document,
    pages,
  );
  const tokens = tokensUntilRead(sections, pages, pageText);
  samples.tokens.push(tokens);
  for (const budget of BUDGETS) samples[`read${budget}`].push(tokens <= budget ? 1 : 0);
  return tokens;
}

async function measureAcross({ text, document, pages }, { engine, ids }, files, samples) {
  const started = performance.now();
  const answer = await engine.post('/v1/query/multi', {
    document_ids: files.map(({ id }) => ids[id]),
    query: text,
    max_sections: 10,
  });
  samples.ms.push(performance.now() - started);
  const sections = answer.documents
    .flatMap(({ document_id, sections: found }) =>
      found.map((section) => ({ ...section, document: document_id })),
    )
    .sort((a, b) => b.score - a.score);
  addRanks(samples, sections, ids[document], pages);
}

/** A section is worth the evidence pages in its range that no section before it covered. */
function addRanks(samples, sections, document, pages) {
  const left = new Set(pages);
  const gains = sections.map((section) => {
    if (section.document !== document) return 0;
    const covered = [...left].filter((page) => section.page_start <= page && page <= section.page_end);
    for (const page of covered) left.delete(page);
    return covered.length;
  });
  const found = (depth) => gains.slice(0, depth).reduce((sum, gain) => sum + gain, 0) / pages.length;
  samples.recall1.push(found(1));
  samples.recall5.push(found(5));
  samples.recall10.push(found(10));
  samples.mrr10.push(reciprocalRank(gains));
  samples.ndcg10.push(
    ndcg(
      gains,
      pages.map(() => 1),
    ),
  );
}

/** o200k tokens of the sections in rank order, up to and including the one that completes an evidence page. */
function tokensUntilRead(sections, pages, pageText) {
  const readers = pages.map((page) => pageReader(pageText[page - 1] ?? ''));
  let tokens = 0;
  let tail = [];
  for (const { title, content } of sections) {
    const text = `${title}\n${content}`;
    tokens += countTokens(text);
    const words = [...tail, ...wordsOf(text)];
    tail = words.slice(-7);
    if (readers.map((read) => read(words)).includes(true)) return tokens;
  }
  return Number.POSITIVE_INFINITY;
}

function emptySamples() {
  const names = ['ndcg10', 'recall1', 'recall5', 'recall10', 'mrr10', 'tokens', 'ms'];
  return Object.fromEntries(
    [...names, ...BUDGETS.map((budget) => `read${budget}`)].map((name) => [name, []]),
  );
}
