import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openEngine, temporaryFolder } from './support/engine.ts';

const KILLS = Number(process.env.VECTORLESS_CRASH_KILLS ?? 50);
const writer = fileURLToPath(new URL('./support/crash-writer.mjs', import.meta.url));

interface Ledger {
  /** Word of each document whose ingestion was acknowledged. */
  readonly added: Map<string, string>;
  /** Documents that took the place of a deleted one. */
  readonly replacing: Set<string>;
  /** Documents whose deletion was at least asked for. */
  readonly doomed: Set<string>;
  readonly removed: Set<string>;
  readonly errors: string[];
}

test(`${KILLS} kills of two writers on one folder lose nothing that was acknowledged`, {
  timeout: 60_000 + KILLS * 3_000,
}, async () => {
  const dir = temporaryFolder();
  const ledger: Ledger = {
    added: new Map(),
    replacing: new Set(),
    doomed: new Set(),
    removed: new Set(),
    errors: [],
  };
  let kills = 0;
  const life = async (name: string) => {
    for (let n = 0; kills < KILLS; n++) {
      const { child, said } = startWriter(dir, `${name}${n}`, ledger);
      // By what it has done rather than by the clock, so that a slow disk sees the same; then at a random moment.
      const much = 1 + Math.floor(Math.random() * 20);
      const deadline = Date.now() + 30_000;
      while (said() < much && child.exitCode === null && Date.now() < deadline) await sleep(5);
      await sleep(Math.random() * 100);
      await kill(child);
      kills++;
    }
  };
  await Promise.all([life('a'), life('b')]);
  expect(ledger.errors).toEqual([]);
  expect(ledger.added.size).toBeGreaterThan(KILLS);
  expect(ledger.removed.size).toBeGreaterThan(0);
  expect(ledger.replacing.size).toBeGreaterThan(0);

  age(dir);
  const { call, post, settled, warnings } = openEngine({ dir });
  expect(temporariesIn(dir)).toEqual([]);
  for (const [id, word] of ledger.added) {
    if (ledger.doomed.has(id)) continue;
    expect(await settled(id)).toMatchObject({ status: 'ready', title: word });
    const { json } = await post('/v1/query', { document_id: id, query: word });
    expect(json.sections[0]?.content ?? '').toContain(word);
  }
  for (const id of ledger.removed) expect((await call('GET', `/v1/documents/${id}`)).status).toBe(404);
  expect(warnings).toEqual([]);
  const deleted = new Set(readdirSync(join(dir, 'deleted')));
  for (const folder of ['segments', 'sources', 'failures', 'claims']) {
    const left = readdirSync(join(dir, folder)).filter((name) => deleted.has(name.split('.')[0] ?? ''));
    expect([folder, left]).toEqual([folder, []]);
  }
});

const FOLDERS = ['sources', 'segments', 'failures', 'claims', 'deleted'];

function temporariesIn(dir: string): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(dir, folder))
      .filter((name) => name.endsWith('.tmp'))
      .map((name) => join(dir, folder, name)),
  );
}

/** As if the next server started an hour later: younger temporaries may be another container's. */
function age(dir: string): void {
  const then = Date.now() / 1000 - 3_700;
  for (const path of temporariesIn(dir)) utimesSync(path, then, then);
}

/** `said` counts the lines of the writer: what it acknowledged, and what it was about to delete. */
function startWriter(dir: string, name: string, ledger: Ledger): { child: ChildProcess; said: () => number } {
  const child = spawn(process.execPath, [writer, dir, name], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [rest, count] = ['', 0];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    count += lines.length;
    for (const line of lines) note(line, ledger);
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => ledger.errors.push(chunk));
  return { child, said: () => count };
}

function note(line: string, { added, replacing, doomed, removed }: Ledger): void {
  const [what, id = '', word = ''] = line.split(' ');
  if (what === 'added') added.set(id, word);
  if (what === 'added' && word.startsWith('lemur')) replacing.add(id);
  if (what === 'removing') doomed.add(id);
  if (what === 'removed') removed.add(id);
}

function kill(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.on('close', () => resolve());
    child.kill('SIGKILL');
  });
}
