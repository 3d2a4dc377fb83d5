import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { repository } from '../support/child.ts';

interface Run {
  readonly code: number | null;
  readonly out: string;
}

/** A folder of documents, a home of its own, and the built command to run on them. */
async function workplace() {
  const home = await mkdtemp(join(tmpdir(), 'cli-ingest-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const folder = join(home, 'papers');
  await mkdir(join(folder, 'deep'), { recursive: true });
  await writeFile(join(folder, 'leave.md'), '# Leave\n\nEveryone has 25 days of leave.\n');
  await writeFile(join(folder, 'deep', 'travel.txt'), 'Travel costs are refunded within ten days.\n');
  await writeFile(join(folder, 'photo.png'), 'not a document');
  const run = (...args: string[]): Promise<Run> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [join(repository, 'dist/index.js'), ...args, '--local'], {
        env: { HOME: home, PATH: process.env.PATH, VECTORLESS_LOCAL_DIR: join(home, 'data') },
        cwd: home,
      });
      let out = '';
      child.stdout.on('data', (chunk) => {
        out += chunk;
      });
      child.stderr.on('data', (chunk) => {
        out += chunk;
      });
      child.once('exit', (code) => resolve({ code, out }));
    });
  return { folder, run };
}

describe('the commands for a person', () => {
  it('ingest takes in a folder, then only what changed; documents and query show what an agent would see', async () => {
    const { folder, run } = await workplace();
    const first = await run('ingest', folder);
    expect(first).toEqual({ code: 0, out: '2 ingested, 1 of other types passed over\n' });
    expect(await run('ingest', folder)).toEqual({
      code: 0,
      out: '2 unchanged, 1 of other types passed over\n'.replace(/^/, '0 ingested, '),
    });

    await writeFile(join(folder, 'leave.md'), '# Leave\n\nEveryone has 30 days of leave.\n');
    await utimes(join(folder, 'leave.md'), new Date(), new Date(Date.now() + 5000));
    expect((await run('ingest', folder)).out).toContain('1 ingested, 1 unchanged');

    const listed = await run('documents', '--title', 'travel');
    expect(listed.out).toContain('ready');
    expect(listed.out).not.toContain('leave');
    const asked = await run('query', 'when are travel costs refunded?', '--document', 'travel');
    expect(asked.code, asked.out).toBe(0);
    expect(asked.out).toContain('within ten days');
  });

  it('says what failed and why, and exits with 1', async () => {
    const { folder, run } = await workplace();
    await writeFile(join(folder, 'broken.pdf'), '%PDF-1.7\nnothing else\n');
    const { code, out } = await run('ingest', folder);
    expect(code).toBe(1);
    expect(out).toMatch(/failed {2}papers\/broken\.pdf: \S+/);
    expect(out).toContain('2 ingested, 1 failed');
  });

  it.each([['ingest'], ['ingest', 'no-such-folder'], ['query'], ['frobnicate']])(
    'answers "%s %s" with one sentence and exit 1',
    async (...args) => {
      const { run } = await workplace();
      const { code, out } = await run(...args);
      expect(code).toBe(1);
      expect(out).toMatch(/^vectorless-mcp: /);
      expect(out).not.toContain('    at ');
    },
  );
});
