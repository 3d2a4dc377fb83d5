// The least that node:http can do: JSON-RPC by hand, the same upstream calls, no library.
import { createServer } from 'node:http';
import { upstreamQuery } from './upstream.mjs';

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { id, params } = JSON.parse(Buffer.concat(chunks).toString());
  const result = await upstreamQuery(params.arguments);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
server.listen(0, '127.0.0.1', () => console.error(`serves http://127.0.0.1:${server.address().port}/mcp`));
