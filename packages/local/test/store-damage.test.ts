import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FORMAT_VERSION, HEADER, PARTS } from '../src/store/segment-format.ts';
import { HANDBOOK, openEngine, temporaryFolder } from './support/engine.ts';

/** A folder with two ready documents, no engine on it. */
async function folderWithTwo(): Promise<{ dir: string; hurt: string; other: string; file: string }> {
  const first = openEngine();
  const hurt = await first.ingest('hurt.md', HANDBOOK);
  const other = await first.ingest('other.md', '# Other\n\nThe pelican eats fish.');
  await first.engine.close();
  const name = readdirSync(join(first.dir, 'segments')).find((segment) => segment.startsWith(hurt)) ?? '';
  return { dir: first.dir, hurt, other, file: join(first.dir, 'segments', name) };
}

describe('a damaged index is set aside, named, and made again, while the rest goes on', () => {
  test.each([
    ['cut short', (path: string) => truncateSync(path, readFileSync(path).length - 20)],
    ['cut to nothing', (path: string) => truncateSync(path, 0)],
    ['a bit flipped in the index', (path: string) => flip(path, 200)],
    ['a bit flipped in the header', (path: string) => flip(path, 40)],
    ['replaced by something else', (path: string) => writeFileSync(path, 'hello '.repeat(100))],
  ])('%s', async (_, damage) => {
    const { dir, hurt, other, file } = await folderWithTwo();
    damage(file);
    const { warnings, post, settled, call } = openEngine({ dir });
    const { json } = await post('/v1/query', { document_id: other, query: 'What does the pelican eat?' });
    expect(json.sections).toHaveLength(1);
    expect(warnings).toEqual([expect.stringContaining(`segments/${hurt}`)]);
    expect((await call('GET', '/v1/documents')).json.warnings).toEqual(warnings);
    expect(existsSync(`${file}.damaged`)).toBe(true);

    expect(await settled(hurt)).toMatchObject({ status: 'ready', title: 'Staff handbook' });
    const healed = await post('/v1/query', { document_id: hurt, query: 'vacation' });
    expect(healed.json.sections.length).toBeGreaterThan(0);
  });

  test('a bit flipped in a stored section', async () => {
    const { dir, hurt, file } = await folderWithTwo();
    const { post, settled, warnings } = openEngine({ dir });
    flip(file, readFileSync(file).readUInt32LE(12) + 10);
    const broken = await post('/v1/query', { document_id: hurt, query: 'vacation' });
    expect(broken.status).toBe(500);
    expect(broken.json.error).toMatch(/is damaged; it is being rebuilt/);
    expect(warnings).toHaveLength(1);
    expect(await settled(hurt)).toMatchObject({ status: 'ready' });
    const healed = await post('/v1/query', { document_id: hurt, query: 'vacation' });
    expect(healed.json.sections.length).toBeGreaterThan(0);
  });

  test('a bit flipped in what only ranking reads does not stop questions to several documents', async () => {
    const { dir, hurt, other, file } = await folderWithTwo();
    const { post, settled, call } = openEngine({ dir });
    // Behind each section stands the sequence of its terms, by which neighbouring words are found.
    const index = readFileSync(file).readUInt32LE(HEADER.indexLength);
    flip(file, index + blockOffset(file, 1) + 1);
    const ask = () =>
      post('/v1/query/multi', { document_ids: [hurt, other], query: 'paid vacation, pelican eats fish' });
    const { status, json } = await ask();
    expect(status).toBe(200);
    expect(json.errors).toEqual({ [hurt]: expect.stringMatching(/is damaged; it is being rebuilt/) });
    expect(json.documents).toMatchObject([{ document_id: other, sections: [{ title: 'Other' }] }]);
    expect((await call('GET', '/v1/documents')).json.warnings).toHaveLength(1);
    await settled(hurt);
    expect((await ask()).json.errors).toEqual({});
  });

  test('a bit flipped in an index that is only read when it is asked about', async () => {
    const { dir, hurt, other, file } = await folderWithTwo();
    flip(file, readFileSync(file).readUInt32LE(HEADER.indexLength) - 5);
    const { post, settled, warnings } = openEngine({ dir, readAheadBytes: 0 });
    const ask = () =>
      post('/v1/query/multi', { document_ids: [hurt, other], query: 'paid vacation, pelican' });
    expect(warnings).toEqual([]);
    const { json } = await ask();
    expect(json.errors).toEqual({ [hurt]: expect.stringMatching(/is damaged; it is being rebuilt/) });
    expect(json.documents).toMatchObject([{ document_id: other, sections: [{ title: 'Other' }] }]);
    expect(warnings).toEqual([expect.stringContaining(`segments/${hurt}`)]);
    await settled(hurt);
    expect((await ask()).json).toMatchObject({ errors: {}, documents: [{}, {}] });
    expect((await post('/v1/query', { document_id: hurt, query: 'vacation' })).json.sections).not.toEqual([]);
  });

  test('a bit flipped in the outline', async () => {
    const { dir, hurt, file } = await folderWithTwo();
    const { call, settled } = openEngine({ dir });
    flip(file, readFileSync(file).length - 10);
    const broken = await call('GET', `/v1/documents/${hurt}/tree`);
    expect([broken.status, broken.json.error]).toEqual([500, expect.stringMatching(/it is being rebuilt/)]);
    await settled(hurt);
    expect((await call('GET', `/v1/documents/${hurt}/tree`)).status).toBe(200);
  });

  test('a damaged source is named; the document stays searchable', async () => {
    const { dir, hurt } = await folderWithTwo();
    const source = join(dir, 'sources', `${hurt}.src`);
    flip(source, readFileSync(source).length - 5);
    const { call, post } = openEngine({ dir });
    const answer = await call('GET', `/v1/documents/${hurt}/source`);
    expect([answer.status, answer.json]).toEqual([404, { error: 'source object not found' }]);
    expect(
      (await post('/v1/query', { document_id: hurt, query: 'vacation' })).json.sections,
    ).not.toHaveLength(0);
  });
});

test('a waiting document whose stored copy is damaged fails, saying so', async () => {
  const { dir, hurt, file } = await folderWithTwo();
  const source = join(dir, 'sources', `${hurt}.src`);
  flip(source, readFileSync(source).length - 5);
  truncateSync(file, 10);
  const { settled } = openEngine({ dir });
  expect(await settled(hurt)).toMatchObject({
    status: 'failed',
    error_message: expect.stringMatching(/^parse: the stored copy is damaged/),
  });
});

test.each(['sources', 'segments', 'failures', 'claims', 'deleted'])(
  'in %s temporary files of dead processes go, others stay',
  (folder) => {
    const dir = temporaryFolder();
    mkdirSync(join(dir, folder), { recursive: true });
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    const names = [`.${dead}.aa.tmp`, `.${process.pid}.bb.tmp`, `.${dead}.cc.tmp`];
    const anHourAgo = Date.now() / 1000 - 600;
    for (const [i, name] of names.entries()) {
      const path = join(dir, folder, name);
      writeFileSync(path, 'half');
      if (i < 2) utimesSync(path, anHourAgo, anHourAgo);
    }
    openEngine({ dir });
    expect(readdirSync(join(dir, folder)).sort()).toEqual([names[1], names[2]].sort());
  },
);

test('what a killed process left of a deletion, a replacement and a claim goes with the next start', async () => {
  const { dir, hurt, other, file } = await folderWithTwo();
  const copy = readFileSync(
    join(dir, 'segments', readdirSync(join(dir, 'segments')).find((name) => name.startsWith(other)) ?? ''),
  );
  // Killed after the deletion was noted and before a file went; after a new index came and before the old one went.
  writeFileSync(join(dir, 'deleted', hurt), '');
  writeFileSync(join(dir, 'segments', `${other}.7.seg${FORMAT_VERSION}`), copy);
  writeFileSync(join(dir, 'claims', other), String(spawnSync(process.execPath, ['-e', '']).pid));
  writeFileSync(join(dir, 'claims', 'doc_000000000000000001'), '');
  const { call, post } = openEngine({ dir });
  expect((await call('GET', `/v1/documents/${hurt}`)).status).toBe(404);
  expect(existsSync(file)).toBe(false);
  expect(readdirSync(join(dir, 'sources'))).toEqual([`${other}.src`]);
  expect(readdirSync(join(dir, 'segments'))).toEqual([`${other}.7.seg${FORMAT_VERSION}`]);
  expect(readdirSync(join(dir, 'claims'))).toEqual([]);
  expect((await post('/v1/query', { document_id: other, query: 'pelican' })).json.sections).toHaveLength(1);
});

test('a folder that cannot be written says so, and goes on answering', async () => {
  const { dir, other } = await folderWithTwo();
  execFileSync('chmod', ['-R', 'a-w,a+rX', dir]);
  onTestFinished(() => void execFileSync('chmod', ['-R', 'u+w', dir]));
  // Permissions do not bind root: the engine then runs as nobody.
  const root = process.getuid?.() === 0;
  chmodSync(dir, 0o555);
  const script = fileURLToPath(new URL('./support/one-shot.mjs', import.meta.url));
  const output = execFileSync(process.execPath, [script, dir, other, 'What does the pelican eat?'], {
    encoding: 'utf8',
    ...(root && { uid: 65534 }),
  });
  const { post, query, remove } = JSON.parse(output);
  const error = expect.stringMatching(/^storage write failed: the document folder is not writable; /);
  expect(post).toEqual([500, { error }]);
  expect(remove).toEqual([500, { error }]);
  expect(query[1].sections).toHaveLength(1);
});

test('a full disk says so, and leaves what was there', async ({ skip }) => {
  const dir = temporaryFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', dir]);
  if (mounted.status !== 0) return skip('a small file system cannot be mounted here');
  onTestFinished(() => void spawnSync('umount', ['-l', dir]));
  const { ingest, upload, call, engine, post } = openEngine({ dir });
  const id = await ingest('handbook.md', HANDBOOK);
  const noise = Buffer.from(Array.from({ length: 300_000 }, () => Math.random() * 256));
  const refused = await upload('noise.txt', noise, { type: 'text/plain' });
  expect(refused.status).toBe(507);
  expect(refused.json.error).toMatch(
    /^storage write failed: the disk that holds the document folder is full/,
  );
  expect((await call('GET', '/v1/documents')).json.items).toHaveLength(1);
  expect((await post('/v1/query', { document_id: id, query: 'vacation' })).json.sections).not.toHaveLength(0);
  expect(readdirSync(join(dir, 'sources'))).toEqual([`${id}.src`]);
  await engine.close();
});

function blockOffset(path: string, block: number): number {
  const file = readFileSync(path);
  const part = file.readUInt32LE(HEADER.parts + PARTS.indexOf('blockOffsets') * 8);
  return file.readUInt32LE(part + block * 4);
}

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 16;
  writeFileSync(path, bytes);
}
