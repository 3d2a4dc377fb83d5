// The least a Node process can do: JSON-RPC by hand, four equal tools, no library.
import { createInterface } from 'node:readline';
import { toolDefinitions } from './tools.mjs';
import { upstreamQuery } from './upstream.mjs';

const answer = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    answer(id, {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'floor', version: '0' },
    });
  } else if (method === 'tools/list') answer(id, { tools: toolDefinitions });
  else if (method === 'tools/call') answer(id, await upstreamQuery(params.arguments));
});
