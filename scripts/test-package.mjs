// Packs the package and proves that it installs and runs where strangers will run it: every supported Node, a refusal on
// older ones, npx in an empty cache, another user, a read-only folder, no home folder, no network.
// usage: node scripts/test-package.mjs
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeOf } from './nodes.mjs';
import { checkContents } from './package-contents.mjs';
import {
  canBeStranger,
  canDropNetwork,
  environment,
  folder,
  pathsIn,
  registryTrial,
  run,
  sharedNode,
  stage,
  stranger,
  trial,
} from './package-stage.mjs';
import { install, must, pack } from './packed.mjs';
import { finish, need, skip, step } from './steps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Names every file that is loaded, on stderr. */
const loadHook = `data:text/javascript,import { registerHooks } from 'node:module'; registerHooks({ load(url, context, next) { console.error('loaded ' + url); return next(url, context); } });`;

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

for (const [name, setting] of [
  ['that no client expanded', { VECTORLESS_LOCAL_DIR: '{{data_folder}}' }],
  ['of nothing', { XDG_DATA_HOME: '' }],
  ['that is relative', { XDG_DATA_HOME: 'data' }],
  ['in the home folder', { VECTORLESS_LOCAL_DIR: '~/kept' }],
]) {
  step(`a data folder ${name}`, () => {
    const cwd = folder('own', { owner: stranger });
    const home = folder(`home-own-${Object.values(setting)}`.replace(/\W/g, ''), { owner: stranger });
    const env = environment(home, setting);
    for (const local of [false, true])
      trial({ command: sharedNode(22), args: [entry], cwd, env, local, asStranger: canBeStranger });
    if (readdirSync(cwd).length > 0) throw new Error(`made ${readdirSync(cwd)} in the working folder`);
    const first = pathsIn(home).map((path) => path.slice(home.length + 1).split('/')[0]);
    const expected = name === 'in the home folder' ? 'kept' : '.local';
    if (process.platform === 'linux' && first.some((part) => part !== expected))
      throw new Error(`wrote to ${[...new Set(first)]}`);
  });
}

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
step('npx as README writes it: init starts what it wrote, doctor is content, --undo leaves nothing', () => {
  const home = folder('home-registry', { owner: stranger });
  const cwd = folder('read-only', { mode: 0o555 });
  const npm = { npm_config_cache: folder('cache-registry', { owner: stranger }) };
  const asStranger = canBeStranger;
  const say = (...words) => {
    const args = ['-y', '@vectorless/mcp', ...words];
    return registryTrial({ command: 'npx', args, cwd, env: environment(home, npm), asStranger, tarball });
  };
  const set = say('init', '--local', '--client', 'codex,zed');
  if (set.match(/It starts in \d+ ms and offers .*vectorless_query/g)?.length !== 2) throw new Error(set);
  const entry = readFileSync(join(home, '.codex/config.toml'), 'utf8');
  if (!entry.includes('args = ["-y", "@vectorless/mcp", "--local"]')) throw new Error(entry);
  const checked = say('doctor', '--local');
  if (!/^ok +Start: /m.test(checked) || !/^ok +Codex: /m.test(checked)) throw new Error(checked);
  say('init', '--undo');
  const left = pathsIn(home).filter((path) => !path.includes('/.local/share/vectorless/'));
  if (left.length > 0) throw new Error(`left ${left}`);
});

step('the desktop bundle is what its makers accept, and starts when it is unpacked', () => {
  must(process.execPath, [`${root}scripts/pack-mcpb.mjs`, stage]);
  const [file] = readdirSync(stage).filter((name) => name.endsWith('.mcpb'));
  const unpacked = folder('bundle');
  must(process.execPath, [
    `${root}.cache/mcpb/node_modules/@anthropic-ai/mcpb/dist/cli/cli.js`,
    'unpack',
    join(stage, file),
    unpacked,
  ]);
  const env = environment(folder('home-bundle', { owner: stranger }));
  trial({
    command: sharedNode(20),
    args: [join(unpacked, 'server/desktop.cjs')],
    cwd: '/',
    env,
    local: true,
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
