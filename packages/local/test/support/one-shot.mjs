// Opens an engine on a folder, tries to write and to read, and prints the answers.
// usage: node one-shot.mjs FOLDER DOCUMENT_ID QUESTION
import { createLocalEngine } from '../../../../dist/local.js';

const [dir, id, query] = process.argv.slice(2);
const engine = createLocalEngine({ dir });
const json = { 'content-type': 'application/json' };
async function call(method, path, body) {
  const init = body ? { method, body: JSON.stringify(body), headers: json } : { method };
  const response = await engine.fetch(new Request(`http://local/v1/${path}`, init));
  const text = await response.text();
  return [response.status, text ? JSON.parse(text) : undefined];
}
const answers = {
  post: await call('POST', 'documents', { content: 'some words', filename: 'a.txt' }),
  remove: await call('DELETE', `documents/${id}`),
  query: await call('POST', 'query', { document_id: id, query }),
};
process.stdout.write(JSON.stringify(answers));
await engine.close();
