// Runs the MCP conformance suite on the built server, and on a fixture server behind the same HTTP stack.
// usage: node scripts/conformance.mjs [product|fixture]     Results are kept under .cache/conformance.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { newerNode } from './nodes.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = `${root}.cache/conformance`;
const revisions = ['2025-11-25', '2026-07-28'];
const suite = `${root}node_modules/@modelcontextprotocol/conformance/dist/index.js`;
const children = [];

/** Starts a program and resolves with the first line that matches. */
function start(args, env, stream, pattern) {
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, stdio: 'pipe' });
  children.push(child);
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(() => reject(new Error(`not started: ${args.join(' ')}\n${text}`)), 20_000);
    child[stream].on('data', (chunk) => {
      text += chunk;
      const found = pattern.exec(text);
      if (found !== null) {
        clearTimeout(timer);
        resolve(found);
      }
    });
    child.once('exit', (code) => reject(new Error(`exited with ${code}: ${args.join(' ')}\n${text}`)));
  });
}

async function startServers() {
  await build({
    absWorkingDir: root,
    entryPoints: ['test/conformance/servers.ts'],
    outfile: `${cache}/servers.mjs`,
    ...{
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      conditions: ['vectorless:source'],
    },
    alias: { '@vectorless/sdk': './packages/sdk/src/index.ts' },
  });
  const [line] = await start([`${cache}/servers.mjs`], {}, 'stdout', /^\{.*\}$/m);
  const { upstream, fixture } = JSON.parse(line);
  const env = { VECTORLESS_BASE_URL: upstream, VECTORLESS_HTTP_AUTH: 'none', VECTORLESS_LOG_LEVEL: 'error' };
  const args = ['dist/vectorless-mcp.cjs', '--http', '--port', '0'];
  const [, product] = await start(args, env, 'stderr', /serves (\S+)\/mcp/);
  return { product, fixture };
}

/** Exit code 0 when all that is not in the expected-failures file passes, and all that is in it fails. */
function run(node, subject, url, revision) {
  const expected = `${root}test/conformance/${subject}.${revision}.yml`;
  const out = `${cache}/${subject}-${revision}`;
  const args = [suite, 'server', '--url', `${url}/mcp`, '--requirements', revision, '-o', out];
  if (existsSync(expected)) args.push('--expected-failures', expected);
  const { status, stdout } = spawnSync(node, args, { encoding: 'utf8', cwd: root });
  const summary = stdout.slice(Math.max(0, stdout.indexOf('=== SUMMARY')));
  const total = /^Total: .*$/m.exec(summary)?.[0] ?? 'no summary';
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${subject} ${revision}: ${total}`);
  if (status !== 0 || process.env.VERBOSE) console.log(summary);
  return status === 0;
}

mkdirSync(cache, { recursive: true });
let allPassed = true;
try {
  const node = newerNode(); // what the suite needs
  const servers = await startServers();
  for (const [subject, url] of Object.entries(servers)) {
    if (process.argv[2] !== undefined && process.argv[2] !== subject) continue;
    for (const revision of revisions) allPassed = run(node, subject, url, revision) && allPassed;
  }
} finally {
  for (const child of children) child.kill();
}
process.exitCode = allPassed ? 0 : 1;
