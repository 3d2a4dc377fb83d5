// npm run bench:retrieval -- FOLDER…: how well the embedded engine finds what judged questions ask for.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { measureCollection } from './retrieval/collection.mjs';
import { readFolder } from './retrieval/folders.mjs';
import { openLibrary } from './retrieval/library.mjs';
import { median, summarise } from './retrieval/metrics.mjs';
import { measurePaged } from './retrieval/paged.mjs';
import { printTable } from './retrieval/table.mjs';

const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error('usage: npm run bench:retrieval -- FOLDER…');
  process.exit(2);
}

const results = [];
for (const path of folders) {
  const folder = readFolder(path);
  const library = await openLibrary(folder, (message) => console.error(message));
  const measure = folder.form === 'paged' ? measurePaged : measureCollection;
  const { details, ...scopes } = await measure(folder, library);
  for (const [scope, samples] of Object.entries(scopes)) {
    const { tokens, ms, ...shares } = samples;
    results.push({
      set: folder.name,
      scope: scope === 'within' ? 'in the document' : 'across all',
      documents: folder.files.length,
      questions: folder.questions.length,
      ...Object.fromEntries(Object.entries(shares).flatMap(([name, values]) => summarise(name, values))),
      ...(tokens?.length && { median_tokens: median(tokens) }),
      median_ms: median(ms),
      ...(scope === 'within' && { details }),
    });
  }
  await library.engine.close();
}

printTable(results);
writeFileSync(
  fileURLToPath(new URL('retrieval.json', import.meta.url)),
  `${JSON.stringify(results, null, 2)}\n`,
);
