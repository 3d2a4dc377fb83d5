import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { HEADER } from '../src/store/segment-format.ts';
import { openEngine } from './support/engine.ts';

test('what one engine ingests, replaces and deletes, another on the folder sees with its next request', async () => {
  const one = openEngine();
  const two = openEngine({ dir: one.dir });
  const id = await one.ingest('a.md', '# Birds\n\nThe heron waits.', { key: 'k' });
  const seen = await two.post('/v1/query', { document_id: id, query: 'heron' });
  expect(seen.json.sections).toHaveLength(1);

  await two.call('DELETE', `/v1/documents/${id}`);
  expect((await one.post('/v1/query', { document_id: id, query: 'heron' })).status).toBe(404);
  const next = await two.ingest('a.md', '# Birds\n\nThe osprey dives.', { key: 'k' });
  const replaced = await one.post('/v1/query', { document_id: next, query: 'osprey' });
  expect(replaced.json.sections).toHaveLength(1);
  expect((await one.call('GET', '/v1/documents')).json.items).toHaveLength(1);
});

test('an index that another process replaces while a question comes in does not make its document missing', async () => {
  const { dir, ingest, engine } = openEngine();
  const id = await ingest('a.md', '# Birds\n\nThe heron waits.');
  const folder = join(dir, 'segments');
  const ask = async (path: string, body: object) => {
    const [name = ''] = readdirSync(folder);
    // The engine has looked at the folder when it begins to read the question.
    const question = new ReadableStream(
      {
        pull(controller) {
          renameSync(
            join(folder, name),
            join(
              folder,
              name.replace(/\.(\d+)\./, (_, n) => `.${Number(n) + 1}.`),
            ),
          );
          controller.enqueue(Buffer.from(JSON.stringify(body)));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const init = { method: 'POST', body: question, duplex: 'half' } as const;
    return (await engine.fetch(new Request(`http://local/v1/${path}`, init))).json();
  };
  expect(await ask('query', { document_id: id, query: 'heron waits' })).toMatchObject({
    sections: [{ title: 'Birds' }],
  });
  expect(await ask('query/multi', { document_ids: [id], query: 'heron waits' })).toMatchObject({
    documents: [{ sections: [{ title: 'Birds' }] }],
    errors: {},
  });
});

test('work is shared, never lost: documents left by a closed engine are finished by the other', async () => {
  const one = openEngine();
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) {
    ids.push((await one.upload(`${n}.md`, `# Title ${n}\n\nWord${n} is here.`)).json.document_id);
  }
  await one.engine.close();
  const two = openEngine({ dir: one.dir });
  for (const id of ids) expect(await two.settled(id)).toMatchObject({ status: 'ready' });
  // A claim is given back just after its document can be seen.
  await expect.poll(() => readdirSync(join(one.dir, 'claims'))).toEqual([]);
});

test('a document deleted while it is being indexed stays deleted', async () => {
  const { upload, call, dir, ingest } = openEngine();
  // With the worker warm, the next document is read at once, and long enough that the deletion comes before its end.
  await ingest('warm.md', '# Warm\n\nUp.');
  const { json } = await upload('a.md', '# Long\n\n'.concat('Many words stand here. '.repeat(100_000)));
  await sleep(100);
  expect((await call('GET', `/v1/documents/${json.document_id}`)).json.status).toBe('parsing');
  expect((await call('DELETE', `/v1/documents/${json.document_id}`)).status).toBe(204);
  await ingest('b.md', '# Other\n\nText.');
  expect((await call('GET', `/v1/documents/${json.document_id}`)).status).toBe(404);
  // Its index is saved beside the reading of the next one, and taken away as soon as that is done.
  const left = () => readdirSync(join(dir, 'segments')).filter((name) => name.startsWith(json.document_id));
  await expect.poll(left, { timeout: 30_000 }).toEqual([]);
});

test('a document indexed by an older analyser answers at once and is indexed again from its stored text', async () => {
  const first = openEngine();
  const id = await first.ingest('a.md', '# Birds\n\nThe heron waits.');
  await first.engine.close();
  const folder = join(first.dir, 'segments');
  const before = readdirSync(folder)[0] ?? '';
  const bytes = readFileSync(join(folder, before));
  bytes.writeUInt32LE(0, HEADER.analyserVersion);
  writeFileSync(join(folder, before), bytes);
  // Without its source the document can only be made again from the segment.
  rmSync(join(first.dir, 'sources', `${id}.src`));

  const second = openEngine({ dir: first.dir });
  const ask = async () => (await second.post('/v1/query', { document_id: id, query: 'heron' })).json.sections;
  expect(await ask()).toHaveLength(1);
  const deadline = Date.now() + 20_000;
  while (readdirSync(folder).includes(before) && Date.now() < deadline) await sleep(20);
  expect(readdirSync(folder)).toEqual([before.replace('.1.', '.2.')]);
  expect(await ask()).toHaveLength(1);
  expect(await second.settled(id)).toMatchObject({ status: 'ready', title: 'Birds' });
});
