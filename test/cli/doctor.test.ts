import { once } from 'node:events';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Finding } from '../../src/cli/checks/check.ts';
import { filesOf } from '../../src/cli/checks/client-files.ts';
import { editDistance } from '../../src/cli/checks/settings.ts';
import { doctor, failures, inTime } from '../../src/cli/doctor.ts';
import { init } from '../../src/cli/init.ts';
import { loadConfig } from '../../src/config.ts';
import { spawnChild } from '../support/child.ts';
import { startFakeApi } from '../support/fake-api.ts';
import { fakeTerminal } from './around.ts';

const key = 'vls_live_0123456789abcdef';

async function api(): Promise<string> {
  const fake = await startFakeApi({ dialect: 'S', apiKey: key, hosted: true });
  onTestFinished(() => fake.close());
  return fake.url;
}

async function examine(
  env: Record<string, string>,
  argv: string[] = [],
  prepare?: (home: string) => Promise<void>,
) {
  const { around, home, printed } = await fakeTerminal(env);
  await prepare?.(home);
  const code = await doctor([...argv, '--json'], around);
  const { ok, checks } = JSON.parse(printed()) as { ok: boolean; checks: Finding[] };
  expect(code).toBe(ok ? 0 : 1);
  const of = (name: string) => checks.filter((finding) => finding.name === name);
  return { ok, checks, of, first: (name: string) => of(name)[0], text: printed() };
}

test('all is well: exit 0, a line for each thing, and which key and tenant are in use', async () => {
  const env = { VECTORLESS_API_KEY: key, VECTORLESS_BASE_URL: await api(), VECTORLESS_ORG: 'acme' };
  const { around, home, printed } = await fakeTerminal(env);
  await mkdir(join(home, '.codex'));
  expect(await init(['--client', 'codex'], around), printed()).toBe(0);
  expect(await doctor([], around), printed()).toBe(0);
  expect(printed()).toMatch(/^ok {4}Node: v\d+/m);
  expect(printed()).toMatch(/^ok {4}API: http:.* answers to the key …cdef, organisation acme$/m);
  expect(printed()).toMatch(/^ok {4}Clock: /m);
  expect(printed()).toMatch(/^ok {4}Start: answers in \d+ ms with 4 tools, stdout is clean$/m);
  expect(printed()).toMatch(/^ok {4}Codex: .*config\.toml$/m);
  expect(printed()).not.toContain(key);
}, 30_000);

describe('settings', () => {
  test('placeholders, bad values, and names that are nearly right', async () => {
    const { ok, of } = await examine({
      ...{ VECTORLESS_API_KEY: '{{VECTORLESS_API_KEY}}', VECTORLESS_INGEST_WAIT: 'soon' },
      ...{
        VECTORLESS_APIKEY: 'x',
        VECTORLESS_BASE_URI: 'http://127.0.0.1:1',
        VECTORLESS_FROBNICATE_ALL: '1',
      },
    });
    expect(ok).toBe(false);
    const text = of('Settings').map(({ status, detail, fix }) => `${status} ${detail} ${fix}`);
    expect(text).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^fail VECTORLESS_API_KEY holds a placeholder/),
        expect.stringMatching(/^fail VECTORLESS_INGEST_WAIT must be a whole number/),
        expect.stringMatching(/^fail VECTORLESS_APIKEY .* did you mean VECTORLESS_API_KEY\?/),
        expect.stringMatching(/^fail VECTORLESS_BASE_URI .* did you mean VECTORLESS_BASE_URL\?/),
        expect.stringMatching(/^warn VECTORLESS_FROBNICATE_ALL is not a setting/),
      ]),
    );
  }, 30_000);

  test.each([
    ['', '', 0],
    ['a', '', 1],
    ['kitten', 'sitting', 3],
    ['flaw', 'lawn', 2],
  ])('%s and %s', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });
});

describe('the API', () => {
  const judge = async (env: Record<string, string>) =>
    (await failures(loadConfig([], env))).filter(({ name }) => name === 'API');

  test('no key, a wrong key, no server, a web page, a certificate', async () => {
    expect(await judge({})).toMatchObject([
      { detail: expect.stringMatching('is not set'), fix: expect.stringMatching('--local') },
    ]);
    const url = await api();
    expect(await judge({ VECTORLESS_BASE_URL: url, VECTORLESS_API_KEY: key })).toEqual([]);
    const wrong = await judge({ VECTORLESS_BASE_URL: url, VECTORLESS_API_KEY: 'vls_wrong_key_999' });
    expect(wrong).toMatchObject([{ fix: expect.stringMatching('valid key') }]);
    expect(JSON.stringify(wrong)).not.toContain('vls_wrong');
    expect(await judge({ VECTORLESS_BASE_URL: 'http://127.0.0.1:9', VECTORLESS_API_KEY: key })).toMatchObject(
      [{ fix: expect.stringMatching('VECTORLESS_BASE_URL') }],
    );
    const tls = await startFakeApi({ dialect: 'S', tls: true });
    onTestFinished(() => tls.close());
    expect(await judge({ VECTORLESS_BASE_URL: tls.url, VECTORLESS_API_KEY: key })).toMatchObject([
      { fix: expect.stringMatching('NODE_EXTRA_CA_CERTS') },
    ]);
    const strict = await startFakeApi({ dialect: 'S', apiKey: key });
    onTestFinished(() => strict.close());
    expect(await judge({ VECTORLESS_BASE_URL: strict.url, VECTORLESS_API_KEY: key })).toMatchObject([
      { fix: 'Set VECTORLESS_ORG.' },
    ]);
  });

  test('over HTTP callers bring their own keys', async () => {
    const config = loadConfig(['--http'], { VECTORLESS_BASE_URL: await api() });
    expect(await failures(config)).toEqual([]);
  });

  test('a clock that is wrong', async () => {
    const server = createServer((_, response) => {
      response.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString());
      response.setHeader('content-type', 'application/json');
      response.end('{"documents":[],"items":[],"has_more":false,"next_cursor":null}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await failures(loadConfig([], { VECTORLESS_BASE_URL: url }))).toMatchObject([
      { name: 'Clock', detail: expect.stringMatching('60 minutes ahead of') },
    ]);
  });
});

test('a service that would refuse to start, and one that would start with a warning', async () => {
  const service = (env: Record<string, string>) => examine(env, ['--http', '--local']);
  const { ok, first } = await service({});
  expect([ok, first('HTTP service')?.status]).toEqual([false, 'fail']);
  expect(first('HTTP service')?.detail).toContain('cannot be used with --local');
  const token = { VECTORLESS_HTTP_AUTH: 'token', VECTORLESS_HTTP_TOKEN: 'a-long-shared-secret' };
  expect((await service(token)).first('HTTP service')).toMatchObject({
    status: 'ok',
    detail: '127.0.0.1:3333, callers are checked by: token',
  });
  const short = await service({ ...token, VECTORLESS_HTTP_TOKEN: 'short', VECTORLESS_SECRET: '' });
  expect(short.first('HTTP service')).toMatchObject({
    status: 'warn',
    detail: expect.stringMatching('guessed'),
  });
  const weak = await service({ ...token, VECTORLESS_SECRET: 'q'.repeat(30) });
  expect(weak.first('HTTP service')).toMatchObject({
    status: 'fail',
    detail: expect.stringMatching('32 bytes'),
  });
  expect(weak.text).not.toContain('q'.repeat(30));
}, 30_000);

describe('the machine', () => {
  test('a proxy that is none, a certificate file that is not there or is none', async () => {
    const { around, home } = await fakeTerminal();
    await writeFile(join(home, 'not.pem'), 'x');
    const judge = async (env: Record<string, string>) =>
      (await failures(loadConfig(['--local'], { ...around.env, VECTORLESS_LOCAL_DIR: home, ...env }))).map(
        ({ detail }) => detail,
      );
    expect(await judge({})).toEqual([]);
    expect(await judge({ HTTPS_PROXY: 'proxy:3128' })).toEqual(['HTTPS_PROXY is not an http address.']);
    expect(await judge({ NODE_EXTRA_CA_CERTS: join(home, 'none.pem') })).toEqual([
      expect.stringMatching('cannot be read'),
    ]);
    expect(await judge({ NODE_EXTRA_CA_CERTS: join(home, 'not.pem') })).toEqual([
      expect.stringMatching('no PEM certificate'),
    ]);
    expect(await judge({ VECTORLESS_LOCAL_DIR: join(home, 'not.pem', 'x') })).toEqual([
      expect.stringMatching('cannot be written to'),
    ]);
  });

  test('a data folder is made for the user alone; one that can never be made is said at once', async () => {
    const { home } = await fakeTerminal();
    const dir = join(home, 'new', 'store');
    expect(await failures(loadConfig(['--local'], { VECTORLESS_LOCAL_DIR: dir }))).toEqual([]);
    if (process.platform !== 'win32') expect((await stat(dir)).mode & 0o777).toBe(0o700);
    // Node's own recursive mkdir never returns here.
    const nowhere = process.platform === 'linux' ? '/proc/nowhere/at/all' : join(dir, 'x\0');
    expect(await failures(loadConfig(['--local'], { VECTORLESS_LOCAL_DIR: nowhere }))).toMatchObject([
      { name: 'Data folder', fix: expect.stringMatching('VECTORLESS_LOCAL_DIR') },
    ]);
  });

  test('what does not answer is given up on, and said', async () => {
    const never = new Promise<Finding[]>(() => {});
    expect(await inTime('Allowed folders', never, 20)).toMatchObject([
      { name: 'Allowed folders', status: 'fail', detail: expect.stringMatching('within 0.02 seconds') },
    ]);
    expect(await inTime('Node', Promise.resolve([]), 20)).toEqual([]);
  });

  test('allowed folders that do not exist, or are everything', async () => {
    const { of } = await examine({ VECTORLESS_ALLOWED_DIRS: '/nowhere:/' }, ['--local']);
    expect(of('Allowed folders').map(({ status, detail }) => `${status} ${detail}`)).toEqual([
      'ok /',
      'warn /nowhere does not exist.',
      'warn / lets agents read almost everything.',
    ]);
  }, 30_000);
});

test('a start that prints to stdout, or does not come up', async () => {
  const { around, home, printed } = await fakeTerminal({ VECTORLESS_LOCAL: 'true' });
  const noisy = join(home, 'noisy.cjs');
  await writeFile(noisy, `console.log('hello'); require(${JSON.stringify(around.script)});`);
  await doctor([], { ...around, script: noisy });
  expect(printed()).toMatch(/FAIL {2}Start: 1 lines on stdout are not the protocol/);
  await writeFile(noisy, 'process.exit(7)');
  expect(await doctor([], { ...around, script: noisy })).toBe(1);
  expect(printed()).toMatch(/FAIL {2}Start: It stopped with exit code 7/);
}, 30_000);

test('entries of clients: gone commands, placeholders, broken files, none at all', async () => {
  const env = { VECTORLESS_LOCAL: 'true' };
  const none = await examine(env);
  expect(none.first('Clients')).toMatchObject({ status: 'warn', fix: expect.stringMatching('init') });
  const { first } = await examine(env, [], async (home) => {
    const write = async (file: string, text: string) => {
      await mkdir(join(home, file, '..'), { recursive: true });
      await writeFile(join(home, file), text);
    };
    const json = (server: object) =>
      JSON.stringify({ mcpServers: { vectorless: server }, servers: { vectorless: server } });
    await write('.cursor/mcp.json', json({ command: '/gone/node', args: ['x'] }));
    await write(
      '.gemini/settings.json',
      json({ command: 'npx', args: [], env: { VECTORLESS_API_KEY: '<YOUR_KEY>' } }),
    );
    await write('.claude.json', '{"mcpServers": ');
    await write(
      '.config/Code/User/mcp.json',
      json({ command: 'npx', env: { VECTORLESS_API_KEY: '$'.concat('{input:key}') } }),
    );
    await write('.codeium/windsurf/mcp_config.json', json({ command: 'npx', args: ['-y'] }));
    await write('.config/Claude/claude_desktop_config.json', json({ url: 'https://example.com/mcp' }));
    await write('.codex/config.toml', '[mcp_servers.vectorless]\ncommand = "npx"\nargs = ["--local"]\n');
  });
  expect(first('Cursor')).toMatchObject({
    status: 'fail',
    detail: expect.stringMatching('/gone/node does not exist'),
  });
  expect(first('Gemini CLI')).toMatchObject({ status: 'warn', detail: expect.stringMatching('placeholder') });
  expect(first('Claude Code')).toMatchObject({
    status: 'fail',
    detail: expect.stringMatching('not valid JSON'),
  });
  expect(first('VS Code')).toMatchObject({ status: 'ok' });
  expect(first('Windsurf')).toMatchObject({
    status: 'warn',
    detail: expect.stringMatching('no VECTORLESS_API_KEY'),
  });
  expect(first('Claude Desktop')).toMatchObject({ status: 'ok', detail: expect.stringMatching('remote') });
  expect(first('Codex')).toMatchObject({ status: 'ok' });
}, 30_000);

test('the files that an entry names, on each system', () => {
  const env = {};
  const windows = { command: 'cmd', args: ['/c', 'npx', '-y', '@vectorless/mcp'], env };
  expect(filesOf(windows, 'win32')).toEqual([]);
  const installed = [
    'C:\\Program Files\\nodejs\\node.exe',
    'D:/x/vectorless-mcp.cjs',
    '\\\\server\\share\\x.cjs',
  ];
  const [command = '', ...args] = installed;
  expect(filesOf({ command, args: [...args, '--local'], env }, 'win32')).toEqual(installed);
  expect(filesOf({ command: '/usr/bin/node', args: ['/x.cjs', '--local'], env }, 'linux')).toEqual([
    '/usr/bin/node',
    '/x.cjs',
  ]);
});

describe('--strict', () => {
  test('does not start on what doctor would fail, and says so in one line', async () => {
    const child = spawnChild({ entry: 'dist/vectorless-mcp.cjs', args: ['--strict'] });
    expect(await child.exited).toEqual({ code: 1, signal: null });
    expect(child.stderr).toEqual([
      expect.stringMatching(/not started \(--strict\): API: VECTORLESS_API_KEY is not set/),
    ]);
    expect(child.stdout).toEqual([]);
  }, 30_000);

  test('starts when all is well', async () => {
    const env = { VECTORLESS_API_KEY: key, VECTORLESS_BASE_URL: await api() };
    const child = spawnChild({ entry: 'dist/vectorless-mcp.cjs', args: ['--strict'], env });
    expect((await child.initialize()).result).toBeDefined();
    await child.close();
  }, 30_000);
});
