// Drives a program that turns a remote server into a stdio one: shakes hands, lists the tools, asks a question.
// usage: node bridge.mjs COMMAND ARGUMENT…
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map();
createInterface({ input: child.stdout }).on('line', (line) => {
  if (!line.startsWith('{')) return;
  const message = JSON.parse(line);
  waiting.get(message.id)?.(message);
});
const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const ask = (id, method, params) =>
  new Promise((resolve) => {
    waiting.set(id, resolve);
    send({ id, method, params });
  });

const clientInfo = { name: 'bridge', version: '1' };
await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
send({ method: 'notifications/initialized' });
const { result: listed } = await ask(2, 'tools/list', {});
const call = { name: 'vectorless_query', arguments: { query: 'What does the stove burn?' } };
const { result } = await ask(3, 'tools/call', call);
const text = JSON.stringify(result);
child.kill();
if (listed.tools.length !== 4 || !text.includes('birch')) {
  console.error(`${listed.tools.length} tools, ${text.slice(0, 300)}`);
  process.exit(1);
}
console.log('http');
process.exit(0);
