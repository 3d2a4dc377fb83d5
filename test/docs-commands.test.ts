/** Commands in the documentation are run as they are written, with the built server in the place of the published one. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
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

/** What runs for every change: the page's command has to be a line of it, or made of such lines. */
const everyChange = readFileSync(`${repository}.ci/run`, 'utf8').split('\n');

interface Command {
  readonly page: string;
  readonly command: string;
  /** What the page itself says of it, beside it. */
  readonly note: string;
}

/** Whole commands: continued lines joined, `a && b` taken apart. */
function commandsOf(page: string): Command[] {
  const blocks = blocksOf(textOf(page)).filter(({ language }) => language === 'sh');
  return blocks.flatMap(({ body }) =>
    body
      .replace(/\\\n/g, ' ')
      .split('\n')
      .flatMap((line) => {
        const [, written = '', note = ''] = /^(.*?)(?:(?:^|\s+)#\s*(.*))?$/.exec(line) ?? [];
        return written.split(' && ').map((command) => ({ page, command: command.trim(), note }));
      })
      .filter(({ command }) => command !== ''),
  );
}

const commands = pages.flatMap(commandsOf);
const isAssignment = ({ command }: Command) => /^[A-Z][A-Z0-9_]+=\S+$/.test(command);
/** The page says beside the command what it takes that no test has: an account, a program, a quiet machine. */
const isMarked = ({ note }: Command) => /\bneeds \w/.test(note);
const isOurs = (given: Command) => given.command.includes('npx -y @vectorless/mcp') && !isMarked(given);

function runsForEveryChange(command: string): boolean {
  const [, script = ''] = /^npm (?:run )?([\w:]+)$/.exec(command) ?? [];
  const parts = scripts[script]?.split(' && ') ?? [];
  // The demo is run below, with what it prints.
  if (script === 'demo' || everyChange.includes(command)) return true;
  return parts.length > 1 && parts.every((part) => everyChange.includes(part));
}

test('every command is run by a test, or the page says beside it what it needs', () => {
  const known = (given: Command) =>
    isOurs(given) || isMarked(given) || isAssignment(given) || runsForEveryChange(given.command);
  expect(commands.filter((given) => !known(given))).toEqual([]);
  expect(commands.filter(isOurs).length).toBeGreaterThan(3);
  // A mark is for what really cannot be run here.
  expect(commands.filter(isMarked).map(({ command }) => command.split(' ', 3).join(' '))).toEqual([
    'npm run bench',
    'npm install @vectorless/sdk',
    'claude mcp add',
    'docker build -t',
    'docker run -p',
  ]);
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

test('npm run demo -- FILE looks where npm was called, and ends with 1 where nothing is', async () => {
  const demo = (file: string) =>
    promisify(execFile)(
      process.execPath,
      [`${repository}scripts/demo.mjs`, file, 'Who may work from abroad?'],
      {
        cwd: repository,
        env: { ...process.env, INIT_CWD: `${repository}samples` },
      },
    );
  expect((await demo('handbook.md')).stdout).toMatch(/is ready[\s\S]*Remote work/);
  await expect(demo('samples/handbook.md')).rejects.toMatchObject({ code: 1 });
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

  const ours = commands.filter(isOurs);
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
