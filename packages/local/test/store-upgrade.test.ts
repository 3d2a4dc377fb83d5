import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ANALYSER_VERSION } from '../src/analysis/analyse.ts';
import { HEADER } from '../src/store/segment-format.ts';
import { openEngine } from './support/engine.ts';

const DOCUMENTS = 16;
const server = fileURLToPath(new URL('./support/serve-folder.mjs', import.meta.url));

/** A closed folder of documents, each with one word of its own. */
async function folderOf(
  count: number,
): Promise<{ dir: string; segments: string; words: Map<string, string> }> {
  const { dir, engine, upload, settled } = openEngine();
  const words = new Map<string, string>();
  for (let n = 0; n < count; n++) {
    const { json } = await upload(`${n}.md`, `# Report ${n}\n\nThe word is heron${n}x.`);
    words.set(json.document_id, `heron${n}x`);
  }
  for (const id of words.keys()) await settled(id);
  await engine.close();
  return { dir, segments: join(dir, 'segments'), words };
}

/** What an older version left: indexes of another analyser, or in a format that this version does not read. */
const OLDER: Readonly<Record<string, (segments: string) => { readonly upgraded: RegExp }>> = {
  'by an older analyser': (segments) => {
    for (const name of readdirSync(segments)) setAnalyser(join(segments, name), 0);
    return { upgraded: /\.2\.seg\d$/ };
  },
  'in an older format': (segments) => {
    for (const name of readdirSync(segments)) {
      renameSync(join(segments, name), join(segments, name.replace(/\d$/, '0')));
    }
    return { upgraded: /\.1\.seg[1-9]$/ };
  },
};

describe.each(Object.keys(OLDER))('a folder indexed %s', (kind) => {
  test('is brought up to date by two servers that start on it at once, one of which is killed', {
    timeout: 120_000,
  }, async () => {
    const { dir, segments, words } = await folderOf(DOCUMENTS);
    const { upgraded } = OLDER[kind]?.(segments) ?? { upgraded: /$^/ };
    const done = () => readdirSync(segments).filter((name) => upgraded.test(name)).length;
    const errors: string[] = [];
    const [one, two] = [serve(dir, errors), serve(dir, errors)];
    await expect.poll(done, { timeout: 60_000, interval: 2 }).toBeGreaterThan(2);
    await kill(one);
    await expect.poll(done, { timeout: 60_000 }).toBe(DOCUMENTS);
    await kill(two);
    expect(errors).toEqual([]);
    await expectWhole(dir, words, upgraded);
  });

  test('is usable by the next server when the one that did it was killed half-way', {
    timeout: 120_000,
  }, async () => {
    const { dir, segments, words } = await folderOf(DOCUMENTS);
    const { upgraded } = OLDER[kind]?.(segments) ?? { upgraded: /$^/ };
    const done = () => readdirSync(segments).filter((name) => upgraded.test(name)).length;
    const child = serve(dir, []);
    await expect.poll(done, { timeout: 60_000, interval: 2 }).toBeGreaterThan(1);
    await kill(child);
    await expectWhole(dir, words, upgraded);
  });
});

/** Every document answers, every index is the new one, and nothing else is left. */
async function expectWhole(dir: string, words: ReadonlyMap<string, string>, upgraded: RegExp): Promise<void> {
  const { settled, post, warnings, engine } = openEngine({ dir });
  for (const [id, word] of words) {
    expect(await settled(id)).toMatchObject({ status: 'ready' });
    const { json } = await post('/v1/query', { document_id: id, query: word });
    expect(json.sections[0]?.content ?? '').toContain(word);
  }
  const names = () => readdirSync(join(dir, 'segments')).filter((name) => !name.startsWith('.'));
  await expect
    .poll(() => names().filter((name) => upgraded.test(name)).length, { timeout: 60_000 })
    .toBe(words.size);
  await engine.close();
  // What a process was killed over goes with the next start.
  await openEngine({ dir }).engine.close();
  expect(names().filter((name) => !upgraded.test(name))).toEqual([]);
  expect(names()).toHaveLength(words.size);
  expect(readdirSync(join(dir, 'claims')).filter((name) => !name.startsWith('.'))).toEqual([]);
  expect(warnings).toEqual([]);
}

test('an index of a newer version is left alone, and answers', async () => {
  const { dir, segments, words } = await folderOf(1);
  const [name = ''] = readdirSync(segments);
  setAnalyser(join(segments, name), ANALYSER_VERSION + 1);
  // Its source is not needed either.
  rmSync(join(dir, 'sources'), { recursive: true });
  const { post, ingest } = openEngine({ dir });
  const [[id, word] = ['', '']] = words;
  expect((await post('/v1/query', { document_id: id, query: word })).json.sections).toHaveLength(1);
  // Whatever was to be indexed comes before what is outdated: had it been taken up, it would be done now or begun.
  const other = await ingest('b.md', '# Other\n\nText.');
  await ingest('c.md', '# Another\n\nText.');
  expect(readdirSync(segments)).toContain(name);
  expect(readdirSync(segments)).toContain(`${other}.1.${name.split('.')[2]}`);
});

function setAnalyser(path: string, version: number): void {
  const bytes = readFileSync(path);
  bytes.writeUInt32LE(version, HEADER.analyserVersion);
  writeFileSync(path, bytes);
}

function serve(dir: string, errors: string[]): ChildProcess {
  const child = spawn(process.execPath, [server, dir], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => errors.push(chunk));
  return child;
}

function kill(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
