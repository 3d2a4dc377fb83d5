// What the product is measured against over HTTP: the SDK's own handler on node:http, and nothing in front of it.
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createBareServer } from './bare-server.mjs';

const server = createServer(toNodeHandler(createMcpHandler(createBareServer)));
server.listen(0, '127.0.0.1', () => console.error(`serves http://127.0.0.1:${server.address().port}/mcp`));
