// Drives the packed server with clients that were not written here, and puts the results into docs/clients.md.
// usage: node scripts/test-clients.mjs [NAME…]      Clients are fetched from npm on first use and kept under .cache/clients.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newerNode } from './nodes.mjs';
import { install, must, pack } from './packed.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const chosen = process.argv.slice(2);
const stage = mkdtempSync(join(tmpdir(), 'vectorless-clients-'));
const home = join(stage, 'home');
mkdirSync(home);

/** `run` gets the client's folder and answers with the transports that it used; it throws when one does not work. */
const clients = [
  {
    ...{ name: 'MCP Inspector (CLI)', package: '@modelcontextprotocol/inspector', version: '^2' },
    how: 'tools/list and tools/call, legacy and modern era',
    run: ({ folder, stdio, url }) => {
      const node = newerNode();
      const inspector = [join(folder, 'node_modules/.bin/mcp-inspector'), '--cli'];
      const call = ['--method', 'tools/call', '--tool-name', 'vectorless_query', '--tool-arg'];
      const question = 'query=What does the stove burn?';
      for (const era of ['legacy', 'modern']) {
        for (const server of [
          [stdio.command, ...stdio.args],
          [url, '--transport', 'http'],
        ]) {
          const options = ['--protocol-era', era, ...settings(server)];
          expect(
            must(node, [...inspector, ...server, ...options, '--method', 'tools/list']),
            'vectorless_query',
          );
          expect(must(node, [...inspector, ...server, ...options, ...call, question]), 'birch');
        }
      }
      return 'stdio, http';
    },
  },
  {
    ...{ name: 'mcp-remote', package: 'mcp-remote', how: 'tools/list and tools/call' },
    run: ({ folder, url }) =>
      script('bridge', process.execPath, bin(folder, 'mcp-remote/dist/proxy.js'), url, '--allow-http'),
  },
  {
    ...{ name: 'supergateway', package: 'supergateway', how: 'tools/list and tools/call' },
    run: ({ folder, url }) =>
      script('bridge', process.execPath, bin(folder, 'supergateway/dist/index.js'), '--streamableHttp', url),
  },
  {
    ...{ name: 'Vercel AI SDK', package: '@ai-sdk/mcp', how: 'tools/list and tools/call' },
    run: (place) => library('aiSdk', place),
  },
  {
    ...{ name: 'LangChain', package: '@langchain/mcp-adapters', with: ['@langchain/core'] },
    ...{ how: 'tools/list and tools/call', run: (place) => library('langchain', place) },
  },
  {
    ...{ name: 'OpenAI Agents SDK', package: '@openai/agents', with: ['zod'] },
    ...{ how: 'tools/list and tools/call', run: (place) => library('openaiAgents', place) },
  },
  {
    ...{ name: 'Claude Code', package: '@anthropic-ai/claude-code', how: '`init`, then `claude mcp list`' },
    run: ({ folder, command }) => {
      setUp('claude-code', command);
      expect(inHome(bin(folder, '.bin/claude'), 'mcp', 'list'), /vectorless: .*✓|vectorless: .*✔/i);
      return 'stdio';
    },
  },
  {
    ...{ name: 'Gemini CLI', package: '@google/gemini-cli', how: '`init`, then `gemini mcp list`' },
    run: ({ folder, command }) => {
      setUp('gemini-cli', command);
      writeFileSync(join(home, '.gemini/trustedFolders.json'), JSON.stringify({ [home]: 'TRUST_FOLDER' }));
      expect(inHome(bin(folder, '.bin/gemini'), 'mcp', 'list'), /vectorless.*Connected/);
      return 'stdio';
    },
  },
  {
    ...{ name: 'opencode', package: 'opencode-ai', how: '`init`, then `opencode mcp list`' },
    run: ({ folder, command }) => {
      setUp('opencode', command);
      expect(inHome(bin(folder, '.bin/opencode'), 'mcp', 'list'), /✓ vectorless\b/);
      return 'stdio';
    },
  },
];

const bin = (folder, path) => join(folder, 'node_modules', path);
const script = (name, ...args) =>
  must(process.execPath, [join(root, `scripts/clients/${name}.mjs`), ...args], { env: environment }).trim();
const library = (name, { folder, stdio, url }) =>
  script('libraries', name, folder, JSON.stringify({ stdio, url }));
const environment = {
  PATH: process.env.PATH,
  HOME: home,
  NO_COLOR: '1',
  VECTORLESS_LOCAL_DIR: join(stage, 'store'),
};
/** What a program says on both of its streams, in a home folder of its own. */
const inHome = (...command) => {
  const given = { cwd: home, env: environment, stdio: ['ignore', 'pipe', 'pipe'] };
  return must('sh', ['-c', 'exec "$@" 2>&1', 'sh', ...command], given);
};
/** Our own `init` writes the configuration that the client then reads. */
const setUp = (client, command) => inHome(process.execPath, command, 'init', '--client', client, '--local');
const settings = ([first]) =>
  first.startsWith('http') ? [] : ['-e', `VECTORLESS_LOCAL_DIR=${environment.VECTORLESS_LOCAL_DIR}`];

function expect(text, pattern) {
  const isThere = typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text);
  if (!isThere) throw new Error(`expected ${pattern} in: ${text.slice(-800)}`);
}

/** Fetches a client; heavy ones take a while the first time. */
function fetchClient({ package: name, version = 'latest', with: others = [] }) {
  const folder = join(root, '.cache/clients', name.replace(/\W+/g, '-').replace(/^-/, ''));
  const manifest = join(folder, 'node_modules', name, 'package.json');
  if (!existsSync(manifest)) {
    mkdirSync(folder, { recursive: true });
    const quiet = ['--no-audit', '--no-fund', '--silent'];
    must('npm', ['i', '--prefix', folder, `${name}@${version}`, ...others, ...quiet], { timeout: 600_000 });
  }
  return { folder, version: JSON.parse(readFileSync(manifest, 'utf8')).version };
}

/** The server over HTTP; resolves with its address. */
function serve(command) {
  const env = { ...environment, VECTORLESS_HTTP_AUTH: 'none' };
  const args = [command, '--http', '--local', '--port', '0', '--allow-unauthenticated'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
      const url = /serves (\S+\/mcp)/.exec(said)?.[1];
      if (url !== undefined) resolve({ url, stop: () => child.kill() });
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
}

const { path, version } = pack(stage);
const command = install(path, join(stage, 'installed'));
writeFileSync(join(stage, 'stove.md'), '# Stove\n\nThe stove burns birch, two baskets a day.\n');
must(process.execPath, [command, 'ingest', join(stage, 'stove.md'), '--local'], { env: environment });
const { url, stop } = await serve(command);
const stdio = { command: process.execPath, args: [command, '--local'], env: environment };

const rows = [];
for (const client of clients) {
  const isChosen = chosen.length === 0 || chosen.some((word) => client.name.toLowerCase().includes(word));
  if (!isChosen) continue;
  const started = Date.now();
  let row = { client: client.name, package: client.package, version: '–', how: client.how };
  try {
    const found = fetchClient(client);
    row.version = found.version;
    row.result = client.run({ ...found, stdio, url, command });
    console.log(`ok      ${client.name} ${row.version}: ${row.result} (${Date.now() - started} ms)`);
  } catch (error) {
    const isMissing = row.version === '–';
    row = { ...row, result: isMissing ? 'not installed here' : 'FAILED' };
    console.log(`${isMissing ? 'skipped' : 'FAILED '} ${client.name}: ${error.message.slice(0, 2000)}`);
    if (!isMissing) process.exitCode = 1;
  }
  rows.push(row);
}
stop();
rmSync(stage, { recursive: true, force: true });
if (chosen.length === 0 && existsSync(join(root, 'docs/clients.md'))) record();

/** The table in docs/clients.md, between its two marks. */
function record() {
  const page = join(root, 'docs/clients.md');
  const date = new Date().toISOString().slice(0, 10);
  const table = [
    `\`@vectorless/mcp\`, version ${version}, packed and installed, on Node ${process.versions.node} (${process.platform}), ${date}:`,
    '',
    '| Client | Package | Version | Driven through | Works over |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map(
      (row) => `| ${row.client} | \`${row.package}\` | ${row.version} | ${row.how} | ${row.result} |`,
    ),
  ].join('\n');
  const text = readFileSync(page, 'utf8');
  const marks = /(<!-- results -->\n)[\s\S]*?(<!-- end -->)/;
  writeFileSync(
    page,
    text.replace(marks, (_, before, after) => `${before}${table}\n${after}`),
  );
}
