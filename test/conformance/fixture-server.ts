/** A server with the tools, resources and prompts that the conformance suite asks for by name. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CallToolResult,
  type ContentBlock,
  completable,
  createRequestStateCodec,
  McpServer,
  ResourceTemplate,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { publishInputTools } from './input-tools.ts';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const say = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
const user = (content: ContentBlock) => ({ role: 'user' as const, content });
const embedded = (uri: string, text: string, mimeType = 'text/plain'): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType, text },
});

/** A JSON Schema as it is, everything accepted. */
const raw = (schema: Record<string, unknown>): StandardSchemaWithJSON<Record<string, unknown>> => ({
  '~standard': {
    ...{ version: 1, vendor: 'fixture', validate: (value) => ({ value: value as Record<string, unknown> }) },
    jsonSchema: { input: () => schema, output: () => schema },
  },
});

export function createFixtureServer(stateKey: Uint8Array): McpServer {
  const codec = createRequestStateCodec<{ round: number }>({ key: stateKey, ttlSeconds: 60 });
  const fixed = { listChanged: false };
  const server = new McpServer(
    { name: 'fixture', version: '1.0.0' },
    {
      capabilities: { tools: fixed, resources: fixed, prompts: fixed, logging: {}, completions: {} },
      requestState: { verify: codec.verify },
    },
  );
  publishTools(server);
  publishInputTools(server, codec.mint);
  publishResources(server);
  publishPrompts(server);
  return server;
}

function publishTools(server: McpServer): void {
  const content: Readonly<Record<string, ContentBlock[]>> = {
    test_simple_text: [{ type: 'text', text: 'This is a simple text response for testing.' }],
    test_image_content: [{ type: 'image', data: png, mimeType: 'image/png' }],
    test_audio_content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
    test_embedded_resource: [embedded('test://embedded-resource', 'This is an embedded resource content.')],
    test_multiple_content_types: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: png, mimeType: 'image/png' },
      embedded('test://mixed-content-resource', '{"test":"data","value":123}', 'application/json'),
    ],
  };
  for (const [name, blocks] of Object.entries(content)) {
    server.registerTool(name, { description: `Returns ${name}.` }, () => ({ content: blocks }));
  }
  const run = (name: string, work: (context: ServerContext) => Promise<CallToolResult> | CallToolResult) =>
    server.registerTool(name, { description: `Runs ${name}.` }, work);

  run('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  run('test_tool_with_logging', async ({ mcpReq }) => {
    for (const message of ['started', 'processing data', 'completed']) {
      await mcpReq.log('info', `Tool ${message === 'processing data' ? message : `execution ${message}`}`);
      await sleep(50);
    }
    return say('Logged.');
  });
  run('test_logging_tool', async ({ mcpReq }) => {
    await mcpReq.log('info', 'only for those who asked');
    return say('Done.');
  });
  run('test_tool_with_progress', async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
      }
      await sleep(50);
    }
    return say('Progressed.');
  });

  server.registerTool(
    'test_custom_header',
    {
      description: 'Has an argument that clients repeat in a header.',
      inputSchema: raw({
        type: 'object',
        properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
        required: ['region'],
      }),
    },
    ({ region }) => say(String(region)),
  );
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Has a rich schema.', inputSchema: raw(rich) },
    () => say('Valid.'),
  );
}

const rich = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

function publishResources(server: McpServer): void {
  const text = { description: 'Text.', mimeType: 'text/plain' };
  server.registerResource('static-text', 'test://static-text', text, ({ href }) => ({
    contents: [
      { uri: href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
    ],
  }));
  const image = { description: 'An image.', mimeType: 'image/png' };
  server.registerResource('static-binary', 'test://static-binary', image, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: png }],
  }));
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'Data by id.', mimeType: 'application/json' },
    ({ href }, { id }) => {
      const data = { id, templateTest: true, data: `Data for ID: ${id}` };
      return { contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify(data) }] };
    },
  );
}

function publishPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'A prompt.' }, () => ({
    messages: [user({ type: 'text', text: 'This is a simple prompt for testing.' })],
  }));
  const cities = (typed: string) => ['paris', 'park', 'party'].filter((city) => city.startsWith(typed));
  const argsSchema = z.object({ arg1: completable(z.string(), cities), arg2: z.string() });
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'With arguments.', argsSchema },
    (args) => ({
      messages: [
        user({ type: 'text', text: `Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'` }),
      ],
    }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource.', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        user(embedded(resourceUri, 'Embedded resource content for testing.')),
        user({ type: 'text', text: 'Please process the embedded resource above.' }),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'With an image.' }, () => ({
    messages: [
      user({ type: 'image', data: png, mimeType: 'image/png' }),
      user({ type: 'text', text: 'Please analyze the image above.' }),
    ],
  }));
}
