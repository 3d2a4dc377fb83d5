/** Commands in the documentation are run as they are written, with the built server in the place of the published one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isCommand } from '../src/cli/commands.ts';
import { settings } from '../src/settings.ts';
import { repository } from './support/child.ts';
import { type FakeApi, startFakeApi } from './support/fake-api.ts';
import { until } from './support/http-service.ts';

const pages = ['README.md', 'CONTRIBUTING.md', 'packages/sdk/README.md'].concat(
  readdirSync(`${repository}docs`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
);
const textOf = (page: string) => readFileSync(repository + page, 'utf8');
const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };

/** What is not run here, and where it is, or why nowhere. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/^npm ci$/, 'how this checkout was made'],
  [/^npm (?:run \S+|test)\b/, 'scripts of package.json; that they exist is tested below'],
  [/^npm install @vectorless\/sdk$/, 'packages/sdk/test/package.test.ts packs it'],
  [/^docker (?:build|run) /, 'test/integration/dockerfile.test.ts: needs a docker daemon'],
  [/^claude mcp add /, 'needs Claude Code; `npm run test:clients` drives it'],
];

/** Whole commands: continued lines joined, comments gone, `a && b` taken apart. */
function commandsOf(page: string): string[] {
  const blocks = [...textOf(page).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, body = '']) => body);
  return blocks.flatMap((body) =>
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

describe('run as written', () => {
  let folder = '';
  let api: FakeApi;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docs-'));
    api = await startFakeApi({ dialect: 'S', apiKey: 'vls_test_docs', hosted: true });
    const script = `#!/bin/sh\nshift 2\nexec "${process.execPath}" "${repository}dist/vectorless-mcp.cjs" "$@"\n`;
    await writeFile(join(folder, 'npx'), script, { mode: 0o755 });
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
      // No client is installed in this home folder, which `init` says; nothing else is wrong.
      expect(said()).not.toMatch(/^ {4}at |unknown|There is no command/im);
      expect([0, 1]).toContain(child.exitCode);
      expect(said()).toMatch(/client/i);
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
