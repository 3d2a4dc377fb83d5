import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { HANDBOOK, openEngine } from './support/engine.ts';

const hostile = fileURLToPath(new URL('../../../../shared/data/hostile/', import.meta.url));

/** How each file has to end: `ready`, or `failed` for the reason given. */
const OUTCOMES: Readonly<Record<string, 'ready' | RegExp>> = {
  'bomb300mb.pdf': /within|memory|text/i,
  'bombtext2M.pdf': /within|memory/i,
  'cyclictree.pdf': /not a valid PDF|damaged/i,
  'empty.pdf': /empty/i,
  'enc-emptyuser.pdf': 'ready',
  'enc-userpw.pdf': /password/i,
  'headeronly.pdf': /not a valid PDF|damaged/i,
  'html.pdf': /web page|HTML|not a valid PDF/i,
  'hugecount.pdf': 'ready',
  'js-embedded.pdf': 'ready',
  'junkprefix.pdf': 'ready',
  'junkprefix5k.pdf': 'ready',
  'negcount.pdf': /not a valid PDF|damaged/i,
  'nopages.pdf': /not a valid PDF|damaged/i,
  'notpdf.pdf': /./,
  'ok.pdf': 'ready',
  'outlinecycle.pdf': 'ready',
  'wrongxref.pdf': 'ready',
  'xobjectbomb.pdf': /within|text/i,
  'zeropages.pdf': /not a valid PDF|no pages|text/i,
};

describe('hostile files', () => {
  test('each ends as it should, while questions beside it are answered', { timeout: 180_000 }, async ({
    skip,
  }) => {
    if (!existsSync(hostile)) return skip(`${hostile} is not here`);
    const { ingest, upload, settled, post } = openEngine({ limits: { baseMs: 6_000, perMebibyteMs: 0 } });
    const handbook = await ingest('handbook.md', HANDBOOK);
    const files = readdirSync(hostile).filter((name) => name.endsWith('.pdf'));
    const ids = new Map<string, string>();
    for (const name of files) {
      const bytes = new Uint8Array(readFileSync(join(hostile, name)));
      ids.set(name, (await upload(name, bytes, { type: 'application/pdf' })).json.document_id);
    }

    let done = false;
    const waits: number[] = [];
    const asking = (async () => {
      while (!done) {
        const started = performance.now();
        const { json } = await post('/v1/query', { document_id: handbook, query: 'vacation days' });
        expect(json.sections).not.toHaveLength(0);
        waits.push(performance.now() - started);
        await sleep(25);
      }
    })();
    for (const name of files) {
      const expected = OUTCOMES[name] ?? /./;
      const { status, error_message } = await settled(ids.get(name) ?? '');
      if (expected === 'ready') expect([name, status, error_message]).toEqual([name, 'ready', '']);
      else expect([name, status, error_message]).toEqual([name, 'failed', expect.stringMatching(expected)]);
    }
    done = true;
    await asking;
    expect(Math.max(...waits)).toBeLessThan(5_000);
  });
});

test('a document that takes too long fails', async () => {
  const { upload, settled } = openEngine({ limits: { baseMs: 1, perMebibyteMs: 0 } });
  const { json } = await upload('long.md', 'Many words stand here. '.repeat(40_000));
  expect(await settled(json.document_id)).toMatchObject({
    status: 'failed',
    error_message: 'parse: the file could not be read within 0 s',
  });
});

test('a document that needs too much memory fails, and the next one is read', async () => {
  const { upload, settled, ingest } = openEngine({ limits: { heapMb: 24 } });
  const { json } = await upload('wide.md', Array.from({ length: 400_000 }, (_, n) => `word${n} `).join(''));
  expect(await settled(json.document_id)).toMatchObject({
    status: 'failed',
    error_message: 'parse: the file needs too much memory to be read',
  });
  const id = await ingest('a.md', HANDBOOK);
  expect(await settled(id)).toMatchObject({ status: 'ready' });
});

test('closing stops a document that is being indexed, and the next engine finishes it', async () => {
  const first = openEngine();
  const { json } = await first.upload(
    'long.md',
    '# Long\n\n'.concat('Many words stand here. '.repeat(40_000)),
  );
  await first.engine.close();
  const second = openEngine({ dir: first.dir });
  expect(await second.settled(json.document_id)).toMatchObject({ status: 'ready', error_message: '' });
});
