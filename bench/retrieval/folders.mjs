// The two forms of a measuring folder: a collection of texts with judged documents, and paged files with evidence pages.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

const lines = (path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim());
const jsonLines = (path) => lines(path).map((line) => JSON.parse(line));

export function readFolder(path) {
  const folder = resolve(path);
  const name = basename(folder);
  if (existsSync(join(folder, 'corpus.jsonl'))) return readCollection(folder, name);
  if (existsSync(join(folder, 'questions.jsonl'))) return readPaged(folder, name);
  throw new Error(`${folder} holds neither corpus.jsonl nor questions.jsonl`);
}

function readCollection(folder, name) {
  const relevant = new Map();
  for (const line of lines(join(folder, 'qrels.tsv')).slice(1)) {
    const [query, document, grade] = line.split('\t');
    if (!relevant.has(query)) relevant.set(query, new Map());
    if (Number(grade) > 0) relevant.get(query).set(document, Number(grade));
  }
  const files = jsonLines(join(folder, 'corpus.jsonl')).map(({ id, title, text }) => ({
    id,
    name: `${id}.md`,
    type: 'text/markdown',
    read: () => Buffer.from(title ? `# ${title.replace(/\s+/g, ' ')}\n\n${text}\n` : `${text}\n`),
  }));
  const questions = jsonLines(join(folder, 'queries.jsonl'))
    .map(({ id, text }) => ({ id, text, relevant: relevant.get(id) ?? new Map() }))
    .filter((question) => question.relevant.size > 0);
  return { form: 'collection', name, files, questions };
}

function readPaged(folder, name) {
  const files = readdirSync(join(folder, 'pdfs'))
    .filter((file) => file.endsWith('.pdf'))
    .map((file) => ({
      id: file,
      name: file,
      type: 'application/pdf',
      path: join(folder, 'pdfs', file),
      read: () => readFileSync(join(folder, 'pdfs', file)),
    }));
  const questions = jsonLines(join(folder, 'questions.jsonl')).map(({ id, document, question, pages }) => ({
    id,
    text: question,
    document,
    pages,
  }));
  return { form: 'paged', name, files, questions };
}
