// Packs the package and proves that it installs and runs where strangers will run it: every supported Node, a refusal on
// older ones, npx in an empty cache, another user, a read-only folder, no home folder, no network.
// usage: node scripts/test-package.mjs
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { nodeOf } from './nodes.mjs';
import { checkContents } from './package-contents.mjs';
import { install, must, pack } from './packed.mjs';
import { finish, need, skip, step } from './steps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const stage = mkdtempSync(join(tmpdir(), 'vectorless-package-'));
chmodSync(stage, 0o755);
const isRoot = process.getuid?.() === 0;
/** A user that owns nothing and is not even in the list of users. */
const stranger = 54_321;
const has = (command, ...args) => spawnSync(command, args).status === 0;
const canDropNetwork = isRoot && has('unshare', '-n', 'ip', 'link', 'set', 'lo', 'up');
const asStrangerArguments = [
  ...['--reuid', String(stranger), '--regid', String(stranger)],
  ...['--clear-groups', '--no-new-privs'],
];
const canBeStranger = isRoot && has('setpriv', ...asStrangerArguments, 'npx', '--version');

/** A Node where a stranger can reach it, too: the checkout may be in a folder that is closed to others. */
function sharedNode(major) {
  const copy = join(stage, `node-${major}`);
  if (!existsSync(copy)) copyFileSync(nodeOf(major), copy);
  chmodSync(copy, 0o755);
  return copy;
}

function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    ...{ encoding: 'utf8', timeout: 180_000, cwd: stage, ...options },
  });
  if (error) throw error;
  return { status, stdout, stderr };
}

function folder(name, { mode = 0o755, owner = 0 } = {}) {
  const path = join(stage, name);
  mkdirSync(path, { recursive: true });
  if (isRoot) chownSync(path, owner, owner);
  chmodSync(path, mode);
  return path;
}

const filesIn = (path) =>
  readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
const pathsIn = (path) => filesIn(path).map((entry) => join(entry.parentPath ?? entry.path, entry.name));

/** Nothing of the caller's environment but where programs are. */
const environment = (home, extra = {}) => ({ PATH: process.env.PATH, HOME: home, TMPDIR: home, ...extra });

/** @param {{ command: string, args: string[], cwd: string, env: object, local?: boolean, asStranger?: boolean }} what */
function trial({ asStranger = false, ...what }) {
  const described = asStranger
    ? { ...what, command: 'setpriv', args: [...asStrangerArguments, what.command, ...what.args] }
    : what;
  const driver = [process.execPath, `${root}scripts/package-trial.mjs`, fakeApi, JSON.stringify(described)];
  const isolated = ['-n', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...driver];
  const [command, ...args] = canDropNetwork ? ['unshare', ...isolated] : driver;
  return JSON.parse(must(command, args));
}

/** Names every file that is loaded, on stderr. */
const loadHook = `data:text/javascript,import { registerHooks } from 'node:module'; registerHooks({ load(url, context, next) { console.error('loaded ' + url); return next(url, context); } });`;

const fakeApi = join(stage, 'fake-api.mjs');
await build({
  absWorkingDir: root,
  ...{
    entryPoints: ['test/support/fake-api.ts'],
    outfile: fakeApi,
    bundle: true,
    format: 'esm',
    platform: 'node',
  },
});

let tarball = '';
const installed = join(stage, 'installed');
const bin = join(installed, 'node_modules/.bin/vectorless-mcp');
const entry = join(installed, 'node_modules/@vectorless/mcp/dist/vectorless-mcp.cjs');

need('npm pack', () => {
  const packed = pack(stage);
  tarball = packed.path;
  return `${packed.files.length} files, ${Math.round(packed.size / 1000)} kB, ${Math.round(packed.unpackedSize / 1000)} kB unpacked`;
});
need('install from the tarball, offline, with an empty cache', () => {
  install(tarball, installed);
  const packages = JSON.parse(must('npm', ['ls', '--all', '--json'], { cwd: installed })).dependencies;
  const [own] = Object.values(packages);
  if (Object.keys(packages).length !== 1 || own.dependencies)
    throw new Error('it brought other packages along');
});
step('what is in it', () => checkContents(join(installed, 'node_modules/@vectorless/mcp'), root));

for (const major of [20, 22, 24]) {
  const node = sharedNode(major);
  for (const local of [false, true]) {
    step(`Node ${major}, ${local ? 'embedded engine' : 'hosted'}`, () => {
      const home = folder(`home-${major}-${local}`, { owner: stranger });
      const cwd = folder('read-only', { mode: 0o555 });
      const asStranger = canBeStranger;
      trial({ command: node, args: [entry], cwd, env: environment(home), local, asStranger });
      const data = join(
        home,
        process.platform === 'darwin' ? 'Library/Application Support' : '.local/share',
        'vectorless',
      );
      const outside = pathsIn(home).filter((path) => !path.startsWith(data));
      if (outside.length > 0) throw new Error(`wrote outside the data folder: ${outside.join(', ')}`);
      const kept = existsSync(join(data, 'compiled'));
      if (kept !== major >= 22) throw new Error(`compiled code is ${kept ? '' : 'not '}kept`);
    });
  }
  step(`Node ${major}, over HTTP`, () => {
    const home = folder(`home-${major}-http`, { owner: stranger });
    const cwd = folder('read-only', { mode: 0o555 });
    trial({
      command: node,
      args: [entry],
      cwd,
      env: environment(home),
      http: true,
      asStranger: canBeStranger,
    });
  });
  step(`Node ${major}, no home that can be written, none that is known`, () => {
    const nowhere = folder('nowhere', { mode: 0o555 });
    const { stderr } = trial({
      ...{ command: node, args: [entry], cwd: nowhere, env: environment(nowhere), asStranger: canBeStranger },
    });
    if (stderr.split('\n').filter((line) => /warn|error/.test(line)).length > 0) throw new Error(stderr);
    if (canBeStranger)
      trial({ command: node, args: [entry], cwd: '/', env: { PATH: process.env.PATH }, asStranger: true });
    if (pathsIn(nowhere).length > 0) throw new Error('something was written');
  });
}

step('what hosted stdio loads before the first call', () => {
  const messages = [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ];
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
  const env = environment(folder('home-loads'), { VECTORLESS_API_KEY: 'vls_test_loads' });
  const { stdout, stderr } = run(nodeOf(24), ['--import', loadHook, entry], { input, env });
  if (!stdout.includes('vectorless_query')) throw new Error(`no tools: ${stderr}`);
  const loaded = [...stderr.matchAll(/^loaded (file:.*@vectorless.*)$/gm)].map(([, url]) =>
    fileURLToPath(url),
  );
  const kilobytes = loaded.reduce((total, file) => total + statSync(file).size, 0) / 1000;
  if (loaded.length < 3 || kilobytes > 600) throw new Error(`${loaded.length} files, ${kilobytes} kB`);
  return `${loaded.length} files, ${Math.round(kilobytes)} kB`;
});

step('a data folder that no client expanded', () => {
  const cwd = folder('own', { owner: stranger });
  const env = environment(folder('home-own', { owner: stranger }), {
    VECTORLESS_LOCAL_DIR: '{{data_folder}}',
  });
  trial({ command: sharedNode(22), args: [entry], cwd, env, asStranger: canBeStranger });
  if (readdirSync(cwd).length > 0) throw new Error(`made ${readdirSync(cwd)} in the working folder`);
});

for (const major of [14, 16, 18]) {
  const node = nodeOf(major);
  step(`Node ${major} is told what is needed`, () => {
    const { status, stdout, stderr } = run(node, [entry]);
    const real = must(node, ['-p', 'process.execPath']).trim();
    const version = must(node, ['-p', 'process.versions.node']).trim();
    const isOneLine = /^vectorless-mcp needs Node 20\.19 or newer; [^\n]+\n$/.test(stderr);
    if (status !== 1 || stdout !== '' || !isOneLine || !stderr.includes(version) || !stderr.includes(real))
      throw new Error(`exit ${status}: ${stdout}${stderr}`);
  });
}

step('npx from the tarball, empty cache, offline, read-only working folder', () => {
  const home = folder('home-npx', { owner: stranger });
  const npm = {
    npm_config_cache: folder('cache-npx', { owner: stranger }),
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  };
  const args = ['--yes', '--package', tarball, 'vectorless-mcp'];
  trial({
    command: 'npx',
    args,
    cwd: folder('read-only', { mode: 0o555 }),
    env: environment(home, npm),
    asStranger: canBeStranger,
  });
});
step('the installed command', () => {
  const { stdout, status } = run(bin, ['--version']);
  if (status !== 0) throw new Error(`--version ended with ${status}`);
  return stdout.trim();
});

if (canBeStranger)
  step('nothing of it is left where anybody may write', () => {
    const places = ['/tmp', '/var/tmp', '/dev/shm', '/run'].filter((place) => existsSync(place));
    const found = run('find', [
      ...places,
      // Not only this run's: one that was killed, or runs beside it, leaves its own.
      '-path',
      join(tmpdir(), 'vectorless-package-*'),
      '-prune',
      '-o',
      '-user',
      String(stranger),
      '-print',
    ]);
    if (found.stdout !== '') throw new Error(found.stdout);
  });
else skip('another user', 'needs root');
if (!canDropNetwork) skip('no network', 'needs root and network namespaces');

rmSync(stage, { recursive: true, force: true });
finish();
