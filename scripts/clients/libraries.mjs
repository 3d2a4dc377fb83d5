// Clients that are libraries: each is driven as its own documentation says, over stdio and over HTTP.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Resolves from a client's own folder and by its own exports, as a program that depends on it would. */
async function load(folder, specifier) {
  const file = join(folder, 'load.mjs');
  writeFileSync(file, 'export const load = (specifier) => import(specifier);\n');
  return (await import(pathToFileURL(file).href)).load(specifier);
}
const question = 'What does the stove burn?';

async function aiSdk(folder, { stdio, url }) {
  const { createMCPClient } = await load(folder, '@ai-sdk/mcp');
  const { Experimental_StdioMCPTransport: Stdio } = await load(folder, '@ai-sdk/mcp/mcp-stdio');
  const transports = { stdio: () => new Stdio(stdio), http: () => ({ type: 'http', url }) };
  return each(transports, async (transport) => {
    const client = await createMCPClient({ transport });
    try {
      const tools = await client.tools();
      const options = { toolCallId: '1', messages: [] };
      const result = await tools.vectorless_query.execute({ query: question }, options);
      return { tools: Object.keys(tools).length, answer: JSON.stringify(result) };
    } finally {
      await client.close();
    }
  });
}

async function langchain(folder, { stdio, url }) {
  const { MultiServerMCPClient } = await load(folder, '@langchain/mcp-adapters');
  const servers = {
    stdio: () => ({ transport: 'stdio', ...stdio }),
    http: () => ({ transport: 'http', url }),
  };
  return each(servers, async (server) => {
    const client = new MultiServerMCPClient({ mcpServers: { vectorless: server } });
    try {
      const tools = await client.getTools();
      const query = tools.find((tool) => tool.name.endsWith('vectorless_query'));
      return { tools: tools.length, answer: JSON.stringify(await query.invoke({ query: question })) };
    } finally {
      await client.close();
    }
  });
}

async function openaiAgents(folder, { stdio, url }) {
  const { MCPServerStdio, MCPServerStreamableHttp } = await load(folder, '@openai/agents');
  const servers = {
    stdio: () => new MCPServerStdio(stdio),
    http: () => new MCPServerStreamableHttp({ url }),
  };
  return each(servers, async (server) => {
    await server.connect();
    try {
      const tools = await server.listTools();
      const result = await server.callTool('vectorless_query', { query: question });
      return { tools: tools.length, answer: JSON.stringify(result) };
    } finally {
      await server.close();
    }
  });
}

async function each(transports, run) {
  const results = {};
  for (const [name, open] of Object.entries(transports)) results[name] = await run(open());
  return results;
}

const [which, folder, server] = process.argv.slice(2);
const drivers = { aiSdk, langchain, openaiAgents };
const results = await drivers[which](folder, JSON.parse(server));
for (const [transport, { tools, answer }] of Object.entries(results)) {
  if (tools !== 4 || !answer.includes('birch')) {
    console.error(`${transport}: ${tools} tools, ${answer.slice(0, 300)}`);
    process.exit(1);
  }
}
console.log(Object.keys(results).join(', '));
process.exit(0);
