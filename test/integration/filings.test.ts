/** Real filings through the embedded engine: dense tables keep to the budget, and the calls that go on work as printed. */
import { existsSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../support/child.ts';
import { type SpawnedServer, spawnServer, textOf } from '../support/connect.ts';
import { type Backend, localBackend } from './backend.ts';

const folder = `${repository}../shared/data/financebench/pdfs`;
const file = `${folder}/AMCOR_2023Q4_EARNINGS.pdf`;
const isThere = existsSync(file);

const budget = 2000;
const tokens = (text: string) => encode(text).length;

describe.skipIf(!isThere)(`an earnings release (skipped without ${file})`, { timeout: 120_000 }, () => {
  let backend: Backend;
  let server: SpawnedServer;
  let id: string;
  beforeAll(async () => {
    backend = await localBackend();
    const env = {
      ...backend.env,
      ...{ VECTORLESS_ALLOWED_DIRS: folder, VECTORLESS_INGEST_WAIT: '45', VECTORLESS_TOOLS: 'all' },
      VECTORLESS_MAX_RESULT_TOKENS: String(budget),
    };
    server = await spawnServer({ args: ['--local'], env });
    for (let status = 'processing'; status === 'processing'; ) {
      const result = await call('vectorless_ingest_document', { path: file });
      ({ status, document_id: id } = result.structuredContent as { status: string; document_id: string });
      expect(status).not.toBe('failed');
    }
  }, 120_000);
  afterAll(async () => {
    await server?.close();
    await backend?.close();
  });

  async function call(name: string, args: Record<string, unknown>) {
    const result = await server.client.callTool({ name, arguments: args });
    expect(result.isError, textOf(result)).toBeUndefined();
    expect(tokens(textOf(result))).toBeLessThanOrEqual(budget);
    expect(tokens(JSON.stringify(result.structuredContent))).toBeLessThanOrEqual(budget);
    return result;
  }

  it.each(['reconciliation of adjusted EBITDA', 'statements of cash flows', 'segment net sales and EBIT'])(
    'a query for %s uses its budget, and reads on with the calls it prints',
    async (query) => {
      const result = await call('vectorless_query', { query, document_id: id });
      expect(tokens(textOf(result))).toBeGreaterThan(budget * 0.55);
      const printed = [...textOf(result).matchAll(/^- (vectorless_get_section) (\{.*\})$/gm)];
      expect(printed.length).toBeGreaterThan(0);
      const { sections } = result.structuredContent as {
        sections: { section_id: string; content: string }[];
      };
      for (const [, name = '', args = ''] of printed.slice(0, 2)) {
        const asked = JSON.parse(args) as { section_id: string; offset: number };
        const more = (await call(name, asked)).structuredContent as { content: string; offset: number };
        const begun = sections.find(({ section_id }) => section_id === asked.section_id);
        expect(more.offset).toBe(begun?.content.length);
        expect(more.content).not.toBe('');
      }
    },
  );

  it('an outline, a list and a document keep to it as well', async () => {
    await call('vectorless_get_outline', { document_id: id, depth: 10 });
    await call('vectorless_list_documents', {});
    await call('vectorless_get_document', { document_id: id });
  });
});
