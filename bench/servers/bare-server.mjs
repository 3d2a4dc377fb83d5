// A plain server on the MCP SDK v2 with four equal tools, for either transport.
import { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { toolDefinitions } from './tools.mjs';
import { upstreamQuery } from './upstream.mjs';

const types = {
  string: z.string(),
  integer: z.number().int(),
  boolean: z.boolean(),
  array: z.array(z.string()),
  number: z.number(),
};

const outputSchema = z.object({ sections: z.array(z.record(z.string(), z.unknown())) });

function shape({ properties, required = [] }) {
  return z.object(
    Object.fromEntries(
      Object.entries(properties).map(([name, { type, description = '' }]) => {
        const field = (types[type] ?? z.unknown()).describe(description);
        return [name, required.includes(name) ? field : field.optional()];
      }),
    ),
  );
}

export function createBareServer() {
  const server = new McpServer({ name: 'bare', version: '0.0.0' });
  for (const { name, title, description, inputSchema } of toolDefinitions) {
    server.registerTool(name, { title, description, inputSchema: shape(inputSchema), outputSchema }, (args) =>
      upstreamQuery(args),
    );
  }
  return server;
}
