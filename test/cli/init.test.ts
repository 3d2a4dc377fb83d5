import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claudeDesktopFiles, clients, renewed, serverOf } from '../../src/cli/clients/clients.ts';
import { init } from '../../src/cli/init.ts';
import { lasting, launchCommand } from '../../src/cli/launch.ts';
import { fakeTerminal } from './around.ts';

const key = 'vls_live_0123456789abcdef';

/** A configuration that somebody has written by hand, for each client. */
const before: Record<string, [file: string, text: string]> = {
  'claude-desktop': [
    '.config/Claude/claude_desktop_config.json',
    '{\n  "mcpServers": {"x": {"command": "a"}}\n}',
  ],
  'claude-code': ['.claude.json', '{"numStartups":12,"projects":{"/a":{"history":["ü"]}}}'],
  cursor: ['.cursor/mcp.json', '{\n\t"mcpServers": {\n\t}\n}\n'],
  vscode: ['.config/Code/User/mcp.json', '// mine\n{\n  "inputs": [], // none\n  "servers": {},\n}\n'],
  windsurf: ['.codeium/windsurf/mcp_config.json', ''],
  zed: [
    '.config/zed/settings.json',
    '// Zed settings\n//\n{\n  "ui_font_size": 16, /* big */\n  "theme": {\n    "mode": "system",\n  },\n}\n',
  ],
  continue: [
    '.continue/config.yaml',
    'name: Local # me\nversion: 1.0.0\nmcpServers:\n  # sqlite\n  - name: s\n    command: npx\n\nmodels: [] # none\n',
  ],
  codex: ['.codex/config.toml', 'model = "o5" # best\r\n\r\n[mcp_servers.docs]\r\ncommand = "npx"\r\n# end'],
  'gemini-cli': ['.gemini/settings.json', '{"selectedAuthType": "oauth-personal"}\n'],
  opencode: [
    '.config/opencode/opencode.jsonc',
    '{\n  "$schema": "https://opencode.ai/config.json",\n  // servers\n  "mcp": { "x": { "type": "local" } }\n}\n',
  ],
};

async function writeAll(home: string): Promise<void> {
  for (const [file, text] of Object.values(before)) {
    await mkdir(dirname(join(home, file)), { recursive: true });
    await writeFile(join(home, file), text);
    await chmod(join(home, file), 0o640);
  }
}

test('every client that is there is set up, seen to work, and left byte for byte as it was by --undo', async () => {
  const { around, home, printed } = await fakeTerminal({
    VECTORLESS_API_KEY: key,
    VECTORLESS_ALLOWED_DIRS: '/a b',
  });
  await writeAll(home);
  expect(await init([], around), printed()).toBe(0);
  expect(printed().match(/It starts in \d+ ms and offers .*vectorless_query/g)).toHaveLength(clients.length);
  expect(printed()).not.toContain(key);

  for (const client of clients) {
    const [file = '', text = ''] = before[client.id] ?? [];
    const after = await readFile(join(home, file), 'utf8');
    const parsed = client.format.parse(after);
    const entry = client.format.find(parsed);
    expect(entry && serverOf(entry), client.id).toEqual({
      command: process.execPath,
      args: [around.script],
      env: { VECTORLESS_API_KEY: key, VECTORLESS_ALLOWED_DIRS: '/a b' },
    });
    expect(client.format.others(parsed), client.id).toEqual(client.format.others(client.format.parse(text)));
    for (const comment of text.match(/(?:\/\/|#|\/\*) .*/g) ?? []) expect(after).toContain(comment);
    expect((await stat(join(home, file))).mode & 0o777).toBe(0o640);
    expect(await readFile(join(home, `${file}.before-vectorless`), 'utf8')).toBe(text);
  }

  // A second time, with another key, is an update; the first backup stays.
  expect(
    await init(['--client', 'all'], { ...around, env: { ...around.env, VECTORLESS_API_KEY: 'vls_other_1' } }),
  ).toBe(0);
  expect(await init(['--undo'], around)).toBe(0);
  for (const [file, text] of Object.values(before)) {
    expect(await readFile(join(home, file), 'utf8'), file).toBe(text);
    expect(existsSync(join(home, `${file}.before-vectorless`))).toBe(false);
  }
  expect(await init(['--undo'], around)).toBe(0);
  expect(printed()).toMatch(/No client has an entry of this server\.$/);
}, 60_000);

test('files that did not exist are made for the owner alone, and deleted by --undo', async () => {
  const { around, home, printed } = await fakeTerminal({ VECTORLESS_API_KEY: key });
  expect(await init(['--client', 'all'], around), printed()).toBe(0);
  const files = clients.map((client) => client.files(around)[0] ?? '');
  for (const file of files) expect((await stat(file)).mode & 0o777, file).toBe(0o600);
  expect(await readFile(join(home, '.continue/config.yaml'), 'utf8')).toMatch(
    /^name: Local Agent\nversion: 1\.0\.0\nschema: v1\n/,
  );
  expect(await init(['--undo'], around)).toBe(0);
  for (const file of files) expect(existsSync(file), file).toBe(false);
}, 60_000);

test('what somebody changed since is kept by --undo', async () => {
  const { around, home } = await fakeTerminal({ VECTORLESS_API_KEY: key });
  await writeAll(home);
  expect(await init(['--client', 'claude-code', '--client', 'codex'], around)).toBe(0);
  const [json, toml] = [join(home, '.claude.json'), join(home, '.codex/config.toml')];
  await writeFile(json, (await readFile(json, 'utf8')).replace('"numStartups":12', '"numStartups":13'));
  await writeFile(toml, `${await readFile(toml, 'utf8')}\n[new]\na = 1\n`);
  expect(await init(['--undo', '--client', 'claude-code,codex'], around)).toBe(0);
  expect(JSON.parse(await readFile(json, 'utf8'))).toMatchObject({
    numStartups: 13,
    projects: { '/a': { history: ['ü'] } },
  });
  expect(await readFile(json, 'utf8')).not.toContain('vectorless');
  expect(await readFile(toml, 'utf8')).toBe(`${before.codex?.[1]}\r\n\r\n\n[new]\na = 1\n`);
}, 30_000);

test('what somebody added to the entry stays when it is written again', async () => {
  const { around, home } = await fakeTerminal({ VECTORLESS_API_KEY: key });
  const read = async (file: string) => readFile(join(home, file), 'utf8');
  expect(await init(['--client', 'cursor,opencode,codex'], around)).toBe(0);
  const change = async (file: string, from: string, to: string) => {
    const text = await read(file);
    expect(text).toContain(from);
    await writeFile(join(home, file), text.replace(from, to));
  };
  const [cursor, opencode, codex] = [
    '.cursor/mcp.json',
    '.config/opencode/opencode.json',
    '.codex/config.toml',
  ];
  await change(
    cursor,
    '"env": {',
    '"autoApprove": ["vectorless_query"], "env": { "VECTORLESS_READ_ONLY": "true",',
  );
  await change(opencode, '"environment": {', '"environment": { "VECTORLESS_READ_ONLY": "true",');
  await change(codex, 'env = {', 'env = { VECTORLESS_READ_ONLY = "true",');
  const all = ['--client', 'cursor,opencode,codex'];
  expect(await init(all, { ...around, env: { ...around.env, VECTORLESS_API_KEY: 'vls_other_1' } })).toBe(0);
  for (const file of [cursor, opencode, codex]) {
    expect(await read(file)).toMatch(/VECTORLESS_READ_ONLY/);
    expect(await read(file)).toContain('vls_other_1');
  }
  expect(JSON.parse(await read(cursor)).mcpServers.vectorless.autoApprove).toEqual(['vectorless_query']);

  // The embedded engine has no use for a key.
  expect(await init([...all, '--local'], around)).toBe(0);
  for (const file of [cursor, opencode, codex]) {
    expect(await read(file)).toMatch(/--local[\s\S]*VECTORLESS_READ_ONLY|VECTORLESS_READ_ONLY[\s\S]*--local/);
    expect(await read(file)).not.toMatch(/vls_|API_KEY/);
  }
  expect(await init(['--undo'], around)).toBe(0);
  for (const file of [cursor, opencode, codex]) {
    expect(existsSync(join(home, file)), file).toBe(false);
    expect(existsSync(join(home, `${file}.before-vectorless`)), file).toBe(false);
  }
}, 60_000);

test('an entry that was written by hand is kept as a backup, and taken out by --undo like any other', async () => {
  const { around, home } = await fakeTerminal({ VECTORLESS_API_KEY: key });
  const file = join(home, '.cursor/mcp.json');
  await mkdir(join(home, '.cursor'));
  const byHand =
    '{ "mcpServers": { "x": { "command": "a" }, "vectorless": { "command": "npx", "args": [] } } }\n';
  await writeFile(file, byHand);
  expect(await init(['--client', 'cursor'], around)).toBe(0);
  expect(await readFile(`${file}.before-vectorless`, 'utf8')).toBe(byHand);
  expect(await init(['--undo'], around)).toBe(0);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ mcpServers: { x: { command: 'a' } } });
  expect(existsSync(`${file}.before-vectorless`)).toBe(false);
}, 30_000);

test('an entry of a remote server is replaced whole', () => {
  const fresh = { command: 'npx', args: ['-y', '@vectorless/mcp'] };
  expect(renewed({ type: 'http', url: 'https://x.example/mcp', headers: {} }, fresh, [])).toEqual(fresh);
  expect(renewed(undefined, fresh, [])).toEqual(fresh);
});

test('a file that is a link stays one', async () => {
  const { around, home } = await fakeTerminal({ VECTORLESS_API_KEY: key });
  await mkdir(join(home, 'dotfiles'));
  await mkdir(join(home, '.cursor'));
  await writeFile(join(home, 'dotfiles/mcp.json'), '{}');
  await symlink(join(home, 'dotfiles/mcp.json'), join(home, '.cursor/mcp.json'));
  expect(await init(['--client', 'cursor'], around)).toBe(0);
  expect((await lstat(join(home, '.cursor/mcp.json'))).isSymbolicLink()).toBe(true);
  expect(await readFile(join(home, 'dotfiles/mcp.json'), 'utf8')).toContain('vectorless');
}, 30_000);

test('what cannot be understood is left alone, and the rest is done', async () => {
  const { around, home, printed } = await fakeTerminal({ VECTORLESS_API_KEY: key });
  await mkdir(join(home, '.cursor'));
  await mkdir(join(home, '.codex'));
  await writeFile(join(home, '.cursor/mcp.json'), '{\n  "mcpServers": {,\n}');
  await writeFile(join(home, '.codex/config.toml'), 'mcp_servers = { x = { command = "a" } }\n');
  expect(await init(['--client', 'cursor,codex,zed'], around)).toBe(1);
  expect(printed()).toMatch(/Cursor: .*mcp\.json was left as it is: it is not valid JSON \(line 2\)/);
  expect(printed()).toMatch(/Codex: .*config\.toml was left as it is: .*cannot be edited safely/);
  expect(printed()).toMatch(/Zed: set up in/);
  expect(await readFile(join(home, '.cursor/mcp.json'), 'utf8')).toBe('{\n  "mcpServers": {,\n}');
  expect(await readFile(join(home, '.codex/config.toml'), 'utf8')).toBe(
    'mcp_servers = { x = { command = "a" } }\n',
  );
}, 30_000);

describe('what is started', () => {
  test('--local needs no key; a key and an address of a server go nowhere with it', async () => {
    const { around, home } = await fakeTerminal({
      VECTORLESS_API_KEY: key,
      VECTORLESS_BASE_URL: 'http://127.0.0.1:1',
    });
    await init(['--client', 'cursor', '--local'], around);
    const text = await readFile(join(home, '.cursor/mcp.json'), 'utf8');
    expect(JSON.parse(text).mcpServers.vectorless.args).toEqual([around.script, '--local']);
    expect(JSON.parse(text).mcpServers.vectorless.env).toBeUndefined();
  }, 30_000);

  test('a command that does not work is said, with the end of what it wrote to stderr and without the key', async () => {
    const { around, home, printed } = await fakeTerminal({ VECTORLESS_API_KEY: key });
    const script = join(home, 'broken.cjs');
    await writeFile(script, `console.error('the key is ${key}'); process.exit(3)`);
    expect(await init(['--client', 'cursor'], { ...around, script })).toBe(1);
    expect(printed()).toMatch(/It stopped with exit code 3\. It said: the key is \[redacted\]/);
    expect(printed()).toMatch(/--undo takes the entries out again/);
  });

  test('what npx fetched is asked from npx again', async () => {
    const { home } = await fakeTerminal();
    const script = join(home, '.npm/_npx/ab12/node_modules/@vectorless/mcp/dist/vectorless-mcp.cjs');
    expect(await launchCommand(script, 'darwin')).toEqual({
      command: 'npx',
      args: ['-y', '@vectorless/mcp'],
    });
    expect(await launchCommand(script, 'win32')).toEqual({
      command: 'cmd',
      args: ['/c', 'npx', '-y', '@vectorless/mcp'],
    });
    const others = [
      '.cache/pnpm/dlx/1f/2a/node_modules',
      'xfs-1/dlx-77/node_modules',
      'bunx-0-@vectorless/mcp@latest',
    ];
    for (const folder of others)
      expect((await launchCommand(join(home, folder, 'x.cjs'), 'linux')).command, folder).toBe('npx');
  });

  test('a Node of Homebrew is named by the link that an upgrade leaves', () => {
    const all = () => true;
    expect(lasting('/opt/homebrew/Cellar/node@22/22.1.0_1/bin/node', all)).toBe(
      '/opt/homebrew/opt/node@22/bin/node',
    );
    expect(lasting('/usr/local/Cellar/node/24.1.0/bin/node', all)).toBe('/usr/local/opt/node/bin/node');
    for (const node of [
      '/usr/bin/node',
      'C:\\Program Files\\nodejs\\node.exe',
      '/home/me/.nvm/versions/node/v24/bin/node',
    ])
      expect(lasting(node, all)).toBe(node);
    const gone = '/opt/homebrew/Cellar/node/24.1.0/bin/node';
    expect(lasting(gone, () => false)).toBe(gone);
  });
});

describe('what is asked and said', () => {
  test('without a key and without anybody to ask', async () => {
    const { around } = await fakeTerminal({ VECTORLESS_API_KEY: '{{VECTORLESS_API_KEY}}' });
    await expect(init(['--client', 'cursor'], around)).rejects.toThrow(
      /set VECTORLESS_API_KEY, or use --local/,
    );
    await expect(init([], around)).rejects.toThrow(/No MCP client was found.*claude-desktop/);
    await expect(init(['--client', 'emacs'], around)).rejects.toThrow(/no client "emacs".*opencode/);
    await expect(init(['--frobnicate'], around)).rejects.toThrow('--frobnicate');
  });

  test('at a terminal: which clients, and the key', async () => {
    const { around, home, printed } = await fakeTerminal({}, ['2', key]);
    await mkdir(join(home, '.cursor'));
    await mkdir(join(home, '.codex'));
    expect(await init([], around)).toBe(0);
    expect(printed()).toMatch(/1\. Cursor\n {2}2\. Codex/);
    expect(await readFile(join(home, '.codex/config.toml'), 'utf8')).toContain(key);
    expect(existsSync(join(home, '.cursor/mcp.json'))).toBe(false);
    expect(printed()).not.toContain(key);
  }, 30_000);

  test('--print writes nothing and shows no key', async () => {
    const { around, home, printed } = await fakeTerminal({ VECTORLESS_API_KEY: key });
    expect(await init(['--print'], around)).toBe(0);
    for (const client of clients) expect(printed()).toContain(`# ${client.name}: ${home}`);
    expect(printed()).not.toContain(key);
    expect(printed()).toContain('<YOUR_KEY>');
    expect(existsSync(join(home, '.cursor'))).toBe(false);
  });
});

test('where each system keeps the files', () => {
  const at = (platform: NodeJS.Platform, id: string, env: Record<string, string> = {}) =>
    clients
      .find((client) => client.id === id)
      ?.files({ platform, home: platform === 'win32' ? 'C:\\Users\\me' : '/home/me', env })[0];
  expect(at('darwin', 'claude-desktop')).toBe(
    '/home/me/Library/Application Support/Claude/claude_desktop_config.json',
  );
  expect(at('win32', 'claude-desktop')).toBe(
    'C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
  );
  const windows = { platform: 'win32' as const, home: 'C:\\Users\\me', env: {} };
  expect(claudeDesktopFiles(windows, ['Microsoft.X_1', 'Claude_pzs8sxrjxfjjc'])).toEqual([
    'C:\\Users\\me\\AppData\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json',
  ]);
  expect(at('win32', 'vscode', { APPDATA: 'D:\\r' })).toBe('D:\\r\\Code\\User\\mcp.json');
  expect(at('linux', 'vscode', { XDG_CONFIG_HOME: '/x' })).toBe('/x/Code/User/mcp.json');
  expect(at('darwin', 'zed')).toBe('/home/me/.config/zed/settings.json');
  expect(at('win32', 'zed')).toBe('C:\\Users\\me\\AppData\\Roaming\\Zed\\settings.json');
  expect(at('linux', 'codex', { CODEX_HOME: '/c' })).toBe('/c/config.toml');
  expect(at('linux', 'claude-code', { CLAUDE_CONFIG_DIR: '/c' })).toBe('/c/.claude.json');
});
