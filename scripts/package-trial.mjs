// One trial of the packed command, as a client would use it: shake hands, list the tools, call one. Started by
// test-package.mjs, by itself so that it can run where no network exists but this machine's own.
// usage: node package-trial.mjs FAKE_API JSON     JSON: { command, args, cwd, env, local, http }
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [fakeApi, description] = process.argv.slice(2);
const { command, args, cwd, env, local, http } = JSON.parse(description);
const apiKey = 'vls_test_0123456789abcdef';
const seconds = 60;

const { startFakeApi } = await import(pathToFileURL(fakeApi).href);
const api = await startFakeApi({ dialect: 'S', apiKey, hosted: true });
const content = '# Stove\n\nThe stove burns birch, two baskets a day.\n';
api.add({ content, filename: 'stove.md' });

const settings = local
  ? { VECTORLESS_LOCAL: 'true' }
  : { VECTORLESS_BASE_URL: api.url, VECTORLESS_API_KEY: apiKey, VECTORLESS_ORG: 'org_test' };
const flags = http ? ['--http', '--port', '0'] : [];
const child = spawn(command, [...args, ...flags], { cwd, env: { ...env, ...settings }, stdio: 'pipe' });
let stopped = false;
let stderr = '';
child.stderr.on('data', (chunk) => {
  stderr += chunk;
});
child.stdin.on('error', () => {});
const timer = setTimeout(() => fail(`no end within ${seconds} s`), seconds * 1000);
child.once('error', (error) => fail(error.message));
const exited = new Promise((resolve) => child.once('close', resolve));

const { ask, notify, end } = http ? await overHttp() : overStdio();
const { serverInfo } = await ask('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'package-trial', version: '1' },
});
await notify('notifications/initialized');
const { tools } = await ask('tools/list', {});
if (local)
  await call('vectorless_ingest_document', { text: content, filename: 'stove.md' }, '"status":"ready"');
await call('vectorless_query', { query: 'What does the stove burn?' }, 'two baskets a day');
stopped = true;
end();
const code = await exited;
if (code !== 0) fail(`it ended with ${code}`);
clearTimeout(timer);
await api.close();
process.stdout.write(`${JSON.stringify({ version: serverInfo.version, tools: tools.length, stderr })}\n`);
process.exit(0);

function overStdio() {
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
    waiting.delete(message.id);
  });
  exited.then((status) => waiting.size > 0 && fail(`it stopped with ${status}`));
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let lastId = 0;
  const ask = (method, params) => {
    lastId += 1;
    send({ id: lastId, method, params });
    return new Promise((resolve) => waiting.set(lastId, resolve));
  };
  return { ask, notify: (method) => send({ method }), end: () => child.stdin.end() };
}

/** Without a session: each request stands for itself. */
async function overHttp() {
  const url = await new Promise((resolve) => {
    child.stderr.on('data', () => {
      const found = /serves (\S+)/.exec(stderr)?.[1];
      if (found !== undefined) resolve(found);
    });
    exited.then((status) => stopped || fail(`it stopped with ${status}`));
  });
  const post = async (message) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const request = { method: 'POST', body, headers: { ...headers, authorization: `Bearer ${apiKey}` } };
    const text = await (await fetch(url, request)).text();
    return { text, answer: /^(?:data: )?(\{.*\})$/m.exec(text)?.[1] };
  };
  const ask = async (method, params) => {
    const { text, answer } = await post({ id: 1, method, params });
    const { result } = JSON.parse(answer ?? '{}');
    return result ?? fail(`${method}: ${text}`);
  };
  return { ask, notify: (method) => post({ method }), end: () => child.kill('SIGTERM') };
}

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
