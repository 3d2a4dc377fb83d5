/** Commands in the documentation are run as they are written, with the built server in the place of the published one. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isCommand } from '../src/cli/commands.ts';
import { settings } from '../src/settings.ts';
import { repository } from './support/child.ts';
import { blocksOf, pages, textOf } from './support/docs.ts';
import { type FakeApi, startFakeApi } from './support/fake-api.ts';
import { until } from './support/http-service.ts';

const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };

/** What is not run here, and where it is, or why nowhere. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/^npm ci$/, 'how this checkout was made'],
  [/^npm (?:run demo|run check|test)\b/, 'the demo is run below, the others are what runs this'],
  [/^npm run test:(?:conformance|package)/, 'runs beside this suite, before every merge'],
  [/^npm run bench/, 'measures for minutes, on a quiet machine'],
  [/^npm install @vectorless\/sdk$/, 'packages/sdk/test/package.test.ts packs it'],
  [/^docker (?:build|run) /, 'test/integration/dockerfile.test.ts: needs a docker daemon'],
  [/^claude mcp add /, 'needs Claude Code; `npm run test:clients` drives it'],
];

/** Whole commands: continued lines joined, comments gone, `a && b` taken apart. */
function commandsOf(page: string): string[] {
  const blocks = blocksOf(textOf(page)).filter(({ language }) => language === 'sh');
  return blocks.flatMap(({ body }) =>
    body
      .replace(/\\\n/g, ' ')
      .split(/\n| && /)
      .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
      .filter((line) => line !== ''),
  );
}

const commands = pages.flatMap((page) => commandsOf(page).map((command) => ({ page, command })));
const assignment = /^([A-Z][A-Z0-9_]+)=\S+$/;
const isElsewhere = (command: string) => elsewhere.some(([pattern]) => pattern.test(command));
const isOurs = (command: string) => command.includes('npx -y @vectorless/mcp') && !isElsewhere(command);

test('every command is run here, or it is known where', () => {
  const unknown = commands.filter(
    ({ command }) => !isOurs(command) && !isElsewhere(command) && !assignment.test(command),
  );
  expect(unknown).toEqual([]);
  expect(commands.filter(({ command }) => isOurs(command)).length).toBeGreaterThan(3);
});

test('every script that is named exists', () => {
  const named = pages.flatMap((page) => [...textOf(page).matchAll(/\bnpm run (?:--silent )?([\w:]+)/g)]);
  expect(named.length).toBeGreaterThan(5);
  for (const [, name = ''] of named) expect(Object.keys(scripts)).toContain(name);
});

test('every variable and every command of the server that is named exists', () => {
  const variables: string[] = Object.values(settings).map(({ env }) => env);
  // Of the test suites, not of the server.
  variables.push('VECTORLESS_CONTRACT_URL', 'VECTORLESS_CONTRACT_KEY', 'VECTORLESS_CONTRACT_ORG');
  for (const page of pages) {
    // The SDK's own readers choose their variables; a name that ends in _ stands for several.
    if (page.startsWith('packages/')) continue;
    for (const [name] of textOf(page).matchAll(/\bVECTORLESS_[A-Z_]*[A-Z]\b(?!_)/g))
      expect([page, variables.some((known) => known === name)]).toEqual([page, true]);
    for (const [, word = ''] of textOf(page).matchAll(
      /`(?:npx -y @vectorless\/mcp|vectorless-mcp) ([a-z]+)\b/g,
    ))
      expect([word, isCommand(word)]).toEqual([word, true]);
  }
});

/** What differs from run to run, and a ranking's figures, are left out. */
const stable = (line: string) =>
  line
    .replace(/(doc|sec)_[\w…]+/g, '$1')
    .replace(/<<<(document|end) \w+>>>/, '$1')
    .replace(/score [\d.]+|^\d+ sections/g, '')
    .replace(/^─── /, '');

test('npm run demo shows the transcript that the README shows', async () => {
  expect(scripts.demo).toMatch(/ && node scripts\/demo\.mjs$/);
  const { stdout } = await promisify(execFile)(process.execPath, [`${repository}scripts/demo.mjs`]);
  const printed = stdout.split('\n').map(stable);
  const transcript = /A real transcript.*\n\n```\n([\s\S]*?)```/.exec(textOf('README.md'))?.[1] ?? '';
  const lines = transcript.split('\n').filter((line) => line !== '');
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) {
    const [start = ''] = stable(line).split(/ …$/);
    expect(
      printed.find((text) => text.startsWith(start)),
      line,
    ).toBeDefined();
  }
}, 90_000);

describe('run as written', () => {
  let folder = '';
  let api: FakeApi;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docs-'));
    api = await startFakeApi({ dialect: 'S', apiKey: 'vls_test_docs', hosted: true });
    const script = `#!/bin/sh\nshift 2\nexec "${process.execPath}" "${repository}dist/vectorless-mcp.cjs" "$@"\n`;
    await writeFile(join(folder, 'npx'), script, { mode: 0o755 });
    const contracts = join(folder, 'Documents', 'contracts');
    await mkdir(contracts, { recursive: true });
    await writeFile(
      join(contracts, 'lease.md'),
      '# Lease\n\nThis contract ends on 31 December of this year.\n',
    );
  });
  afterAll(async () => {
    await api.close();
    await rm(folder, { recursive: true, force: true });
  });

  const ours = commands.filter(({ command }) => isOurs(command));
  test.each(ours)(
    '$command ($page)',
    async ({ command }) => {
      const child = spawn('sh', ['-c', `exec env ${command}`], {
        cwd: folder,
        env: {
          ...{ PATH: `${folder}${delimiter}${process.env.PATH}`, HOME: folder, VECTORLESS_HTTP_PORT: '0' },
          ...(!command.includes('--local') && {
            VECTORLESS_BASE_URL: api.url,
            VECTORLESS_API_KEY: 'vls_test_docs',
          }),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const { said, hasEnded } = listen(child);
      if (command.includes('--http')) {
        await until(() => / serves http/.test(said()) || hasEnded(), 'the server is ready', 15_000);
        expect(said()).toMatch(/ serves http\S+\/mcp/);
        child.kill('SIGTERM');
        await until(hasEnded, 'the server has stopped', 15_000);
        return;
      }
      await until(hasEnded, 'the command has ended', 45_000);
      expect(said()).not.toMatch(/^ {4}at |unknown|There is no command/im);
      expect([0, 1]).toContain(child.exitCode);
      if (/ (?:ingest|query) /.test(command)) expect(said()).toMatch(/^1 ingested|This contract ends/m);
      // No client is installed in this home folder, which `init` says; nothing else is wrong.
      else expect(said()).toMatch(/client/i);
    },
    60_000,
  );
});

function listen(child: ChildProcess) {
  let text = '';
  let ended = false;
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += String(chunk)));
  once(child, 'exit').then(() => {
    ended = true;
  });
  return { said: () => text, hasEnded: () => ended };
}
