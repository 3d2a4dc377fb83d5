import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { repository } from '../support/child.ts';
import type { FakeApi } from '../support/fake-api.ts';

export interface Run {
  readonly code: number | null;
  readonly out: string;
}

export interface Workplace {
  readonly folder: string;
  /** Runs the built command to its end. */
  run(...args: string[]): Promise<Run>;
  start(...args: string[]): { readonly child: ChildProcess; readonly ended: Promise<Run> };
  /** Writes a file of the folder, with a later time than it had. */
  write(name: string, text: string): Promise<void>;
}

/** A folder of documents, a home of its own, and the built command to run on them: with --local, or against an API. */
export async function workplace(
  env: Readonly<Record<string, string>> = {},
  api?: FakeApi,
): Promise<Workplace> {
  const home = await mkdtemp(join(tmpdir(), 'cli-ingest-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const folder = join(home, 'papers');
  await mkdir(join(folder, 'deep'), { recursive: true });
  await writeFile(join(folder, 'leave.md'), '# Leave\n\nEveryone has 25 days of leave.\n');
  await writeFile(join(folder, 'deep', 'travel.txt'), 'Travel costs are refunded within ten days.\n');
  await writeFile(join(folder, 'photo.png'), 'not a document');
  const target = api && { VECTORLESS_BASE_URL: api.url, VECTORLESS_API_KEY: 'vls_test_ingest' };
  const start: Workplace['start'] = (...args) => {
    const argv = [join(repository, 'dist/index.js'), ...args, ...(api ? [] : ['--local'])];
    const child = spawn(process.execPath, argv, {
      env: {
        ...{ HOME: home, PATH: process.env.PATH, VECTORLESS_LOCAL_DIR: join(home, 'data') },
        ...target,
        ...env,
      },
      cwd: home,
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = new Promise<Run>((resolve) => {
      let out = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk) => {
          out += chunk;
        });
      }
      child.once('close', (code) => resolve({ code, out }));
    });
    return { child, ended };
  };
  let writes = 0;
  return {
    folder,
    start,
    run: (...args) => start(...args).ended,
    async write(name, text) {
      await writeFile(join(folder, name), text);
      await utimes(join(folder, name), new Date(), new Date(Date.now() + 5_000 * ++writes));
    },
  };
}
