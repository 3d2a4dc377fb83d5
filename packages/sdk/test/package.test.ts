import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const cache = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));

it('works as it would be published, for JavaScript and for TypeScript', () => {
  mkdirSync(cache, { recursive: true });
  // Inside node_modules, so that undici and the Node types are found as if they were installed.
  const folder = mkdtempSync(`${cache}sdk-package-`);
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: folder, encoding: 'utf8' });
  try {
    const packing = { cwd: root, encoding: 'utf8' } as const;
    const packed = execFileSync(
      'npm',
      ['pack', '--json', '--silent', `--pack-destination=${folder}`],
      packing,
    );
    const [{ filename, files }] = JSON.parse(packed.slice(packed.indexOf('[')));
    const names: string[] = files.map(({ path }: { path: string }) => path);
    expect(names).toEqual(
      expect.arrayContaining(['README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts']),
    );
    expect(names.filter((name) => /^(src|test|node_modules)/.test(name))).toEqual([]);

    const installed = `${folder}/node_modules/@vectorless/sdk`;
    mkdirSync(installed, { recursive: true });
    run('tar', '-xzf', filename, '-C', installed, '--strip-components=1');
    const program = `import { Vectorless, VectorlessError } from '@vectorless/sdk';
      const fetch = async () => Response.json({ version: '7' });
      console.log(await new Vectorless({ fetch }).version());
      const failing = new Vectorless({ baseUrl: 'http://127.0.0.1:1', maxRetries: 0 });
      console.log(await failing.health().catch((error) => error instanceof VectorlessError && error.code));`;
    writeFileSync(`${folder}/program.mjs`, program);
    expect(run(process.execPath, 'program.mjs')).toBe('7\nconnection\n');

    const typed = `import { Vectorless, type QueryResult } from '@vectorless/sdk';
      const result: Promise<QueryResult> = new Vectorless().query({ documentId: 'd', query: 'q' });
      export const title: Promise<string | undefined> = result.then(({ sections }) => sections[0]?.title);
      // @ts-expect-error a number is no query
      void new Vectorless().query({ documentId: 'd', query: 1 });`;
    writeFileSync(`${folder}/program.mts`, typed);
    // What people copy first.
    const [, example = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(readFileSync(`${root}README.md`, 'utf8')) ?? [];
    expect(example).toContain('new Vectorless(');
    writeFileSync(`${folder}/readme.mts`, example);
    const options = [
      '--ignoreConfig',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--types',
      'node',
      '--strict',
      '--noEmit',
    ];
    run('npx', 'tsc', ...options, 'program.mts', 'readme.mts');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);
