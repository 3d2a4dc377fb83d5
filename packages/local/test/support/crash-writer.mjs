// A process that ingests, replaces and deletes until it is killed, and says on stdout what was acknowledged.
// usage: node crash-writer.mjs FOLDER NAME
import { writeSync } from 'node:fs';
import { createLocalEngine } from '../../../../dist/local.js';

const [dir, name] = process.argv.slice(2);
const engine = createLocalEngine({ dir });
const say = (line) => writeSync(1, `${line}\n`);
const owned = [];

async function add(key, word) {
  const form = new FormData();
  form.append(
    'file',
    new File([`# ${word}\n\nThe word is ${word}.\n`], `${word}.md`, { type: 'text/markdown' }),
  );
  const response = await engine.fetch(
    new Request('http://local/v1/documents', {
      method: 'POST',
      body: form,
      headers: { 'idempotency-key': key },
    }),
  );
  const { document_id } = await response.json();
  if (response.status !== 202) throw new Error(`status ${response.status}`);
  say(`added ${document_id} ${word}`);
  owned.push({ key, id: document_id });
}

async function remove({ id }) {
  say(`removing ${id}`);
  const { status } = await engine.fetch(new Request(`http://local/v1/documents/${id}`, { method: 'DELETE' }));
  if (status !== 204 && status !== 404) throw new Error(`status ${status}`);
  say(`removed ${id}`);
}

for (let n = 0; ; n++) {
  await add(`${name}-${n}`, `zebra${name}x${n}`);
  if (owned.length > 3 && Math.random() < 0.4) {
    const [victim] = owned.splice(Math.floor(Math.random() * owned.length), 1);
    await remove(victim);
    // The same key again: a document that replaces the one before.
    if (Math.random() < 0.5) await add(victim.key, `lemur${name}x${n}`);
  }
}
