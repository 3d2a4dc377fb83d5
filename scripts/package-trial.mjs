// One trial of the packed command, as a client would use it: shake hands, list the tools, call one. Started by
// test-package.mjs, by itself so that it can run where no network exists but this machine's own.
// usage: node package-trial.mjs FAKE_API JSON     JSON: { command, args, cwd, env, local }
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [fakeApi, description] = process.argv.slice(2);
const { command, args, cwd, env, local } = JSON.parse(description);
const apiKey = 'vls_test_0123456789abcdef';
const seconds = 60;

const { startFakeApi } = await import(pathToFileURL(fakeApi).href);
const api = await startFakeApi({ dialect: 'S', apiKey, hosted: true });
const content = '# Stove\n\nThe stove burns birch, two baskets a day.\n';
api.add({ content, filename: 'stove.md' });

const settings = local
  ? { VECTORLESS_LOCAL: 'true' }
  : { VECTORLESS_BASE_URL: api.url, VECTORLESS_API_KEY: apiKey, VECTORLESS_ORG: 'org_test' };
const child = spawn(command, args, { cwd, env: { ...env, ...settings }, stdio: 'pipe' });
let stderr = '';
child.stderr.on('data', (chunk) => {
  stderr += chunk;
});
child.stdin.on('error', () => {});
const timer = setTimeout(() => fail(`no end within ${seconds} s`), seconds * 1000);
child.once('error', (error) => fail(error.message));
const exited = new Promise((resolve) => child.once('close', resolve));

const waiting = new Map();
createInterface({ input: child.stdout }).on('line', (line) => {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    fail(`stdout holds something else than the protocol: ${line.slice(0, 200)}`);
  }
  if (message.error) fail(JSON.stringify(message.error));
  waiting.get(message.id)?.(message.result);
});
exited.then((code) => waiting.size > 0 && fail(`it stopped with ${code}`));

let lastId = 0;
function ask(method, params) {
  lastId += 1;
  const id = lastId;
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  return new Promise((resolve) => {
    waiting.set(id, (result) => {
      waiting.delete(id);
      resolve(result);
    });
  });
}

const { serverInfo } = await ask('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'package-trial', version: '1' },
});
child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
const { tools } = await ask('tools/list', {});
if (local)
  await call('vectorless_ingest_document', { text: content, filename: 'stove.md' }, '"status":"ready"');
await call('vectorless_query', { query: 'What does the stove burn?' }, 'two baskets a day');
child.stdin.end();
const code = await exited;
if (code !== 0) fail(`it ended with ${code}`);
clearTimeout(timer);
await api.close();
process.stdout.write(`${JSON.stringify({ version: serverInfo.version, tools: tools.length, stderr })}\n`);
process.exit(0);

async function call(name, given, expected) {
  const result = await ask('tools/call', { name, arguments: given });
  if (result.isError || !JSON.stringify(result.structuredContent ?? {}).includes(expected))
    fail(`${name}: ${JSON.stringify(result).slice(0, 500)}`);
}

function fail(why) {
  process.stderr.write(`${why}\n${stderr}`);
  child.kill('SIGKILL');
  process.exit(1);
}
