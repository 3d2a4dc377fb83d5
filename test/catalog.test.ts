import type { Client, Tool } from '@modelcontextprotocol/client';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { openRegistry } from '../src/registry/registry.ts';
import { createServer } from '../src/server/server.ts';
import { localCaller } from '../src/tools/caller.ts';
import { connectInMemory } from './support/connect.ts';
import { silentLog } from './support/documents.ts';

/** What a client is told about the product, as a budget: these texts are in every conversation. */
async function connect(env: Record<string, string>): Promise<Client> {
  const config = loadConfig([], env);
  const registry = await openRegistry({ config, log: silentLog });
  return connectInMemory(createServer({ registry, caller: localCaller, log: silentLog }));
}

const allowed = ['type', 'description', 'enum', 'items', 'properties', 'required', 'minimum', 'maximum'];

function keywordsOf(schema: object): string[] {
  const found: string[] = [];
  const visit = (node: object, isMap: boolean) => {
    for (const [key, child] of Object.entries(node)) {
      if (!isMap) found.push(key);
      if (typeof child === 'object' && child !== null && !Array.isArray(child))
        visit(child, key === 'properties');
    }
  };
  visit(schema, false);
  return found;
}

describe('the default catalogue', () => {
  let client: Client;
  let tools: Tool[];
  beforeAll(async () => {
    client = await connect({});
    ({ tools } = await client.listTools());
  });
  afterAll(() => client.close());

  it('has the four tools that the owner named', () => {
    expect(tools.map((tool) => tool.name).sort()).toEqual([
      'vectorless_get_section',
      'vectorless_ingest_document',
      'vectorless_list_documents',
      'vectorless_query',
    ]);
  });

  it('matches its snapshot, tool by tool', () => {
    for (const tool of tools) expect(tool).toMatchSnapshot(tool.name);
  });

  it('costs at most 1,500 tokens, with the embedded engine too', async () => {
    const local = await connect({ VECTORLESS_LOCAL: 'true' });
    for (const listed of [tools, (await local.listTools()).tools]) {
      expect(encode(JSON.stringify({ tools: listed })).length).toBeLessThanOrEqual(1500);
    }
    await local.close();
  });

  it('keeps instructions within 1,200 bytes', () => {
    expect(Buffer.byteLength(client.getInstructions() ?? '')).toBeLessThanOrEqual(1200);
  });
});

describe.each([
  ['all tools', { VECTORLESS_TOOLS: 'all' }],
  ['the embedded engine', { VECTORLESS_LOCAL: 'true' }],
  ['a view of fixed documents', { VECTORLESS_DEFAULT_DOCS: 'doc_1' }],
  ['read-only', { VECTORLESS_READ_ONLY: 'true' }],
])('with %s', (_name, env) => {
  it('keeps to what every client accepts', async () => {
    const client = await connect(env);
    const { tools, nextCursor } = await client.listTools();
    expect(nextCursor).toBeUndefined();
    for (const tool of tools) {
      expect(Buffer.byteLength(tool.description ?? '')).toBeLessThanOrEqual(2048);
      expect(tool.name.length).toBeLessThanOrEqual(32);
      expect(tool.inputSchema).toMatchObject({ type: 'object', properties: expect.anything() });
      expect(keywordsOf(tool.inputSchema).filter((keyword) => !allowed.includes(keyword))).toEqual([]);
      expect(tool.title).toBeTruthy();
      expect(Object.keys(tool.annotations ?? {}).sort()).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
      ]);
    }
    await client.close();
  });
});

describe('policy', () => {
  const names = async (env: Record<string, string>) => {
    const client = await connect(env);
    const { tools } = await client.listTools();
    await client.close();
    return tools.map((tool) => tool.name.replace('vectorless_', ''));
  };

  it('publishes no tool that writes when read-only', async () => {
    expect(await names({ VECTORLESS_READ_ONLY: 'true' })).toEqual(['query', 'list_documents', 'get_section']);
  });

  it('publishes the chosen tools, named with or without prefix', async () => {
    expect(await names({ VECTORLESS_TOOLS: 'query, vectorless_get_section' })).toEqual([
      'query',
      'get_section',
    ]);
  });

  it.each([
    ['true', true],
    ['false', false],
  ])('says that ingest reaches the web when addresses may be fetched: %s', async (allowed, reaches) => {
    const client = await connect({ VECTORLESS_URL_INGEST: allowed });
    const { tools } = await client.listTools();
    const hints = tools.map(({ name, annotations }) => [name, annotations?.openWorldHint]);
    expect(Object.fromEntries(hints)).toEqual({
      vectorless_query: false,
      vectorless_list_documents: false,
      vectorless_get_section: false,
      vectorless_ingest_document: reaches,
    });
    await client.close();
  });

  it('takes in no documents beside the default ones', async () => {
    expect(await names({ VECTORLESS_DEFAULT_DOCS: 'doc_1' })).not.toContain('ingest_document');
  });

  it.each([
    ['answers, with an engine that writes none', { VECTORLESS_LOCAL: 'true', VECTORLESS_TOOLS: 'answer' }],
    [
      'taking in, with fixed documents',
      { VECTORLESS_DEFAULT_DOCS: 'doc_1', VECTORLESS_TOOLS: 'ingest_document' },
    ],
  ])('gives nothing else in place of what was chosen: %s', async (_what, env) => {
    expect(await names(env)).toEqual([]);
  });

  it('speaks of no tool that is not chosen', async () => {
    const client = await connect({ VECTORLESS_TOOLS: 'ingest_document' });
    expect(client.getInstructions()?.split('\n')[0]).toBe(
      'Vectorless holds the user’s documents as trees of sections. Add one with vectorless_ingest_document.',
    );
    await client.close();
  });

  it('does not call a tool that is not published', async () => {
    const client = await connect({ VECTORLESS_READ_ONLY: 'true' });
    const call = client.callTool({ name: 'vectorless_ingest_document', arguments: { text: 'x' } });
    await expect(call).rejects.toThrow('not found');
    await client.close();
  });
});
