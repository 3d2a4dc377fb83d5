/** Two accounts behind one service: what one puts in, asks and gets wrong, the other never sees. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { openRegistry, type Registry } from '../../src/registry/registry.ts';
import { serveHttp } from '../../src/transports/http.ts';
import type { Service } from '../../src/transports/service.ts';
import { createUploadLinks } from '../../src/transports/upload-links.ts';
import { type FakeApi, startFakeApi } from '../support/fake-api.ts';
import { ask, callTool, modern } from '../support/http-client.ts';
import { until } from '../support/http-service.ts';

const tenants = ['apple', 'banana'] as const;
type Tenant = (typeof tenants)[number];
const keyOf = (tenant: Tenant) => `vls_${tenant}_0123456789`;
const otherOf = (tenant: Tenant): Tenant => (tenant === 'apple' ? 'banana' : 'apple');
const calls = 1_200;

let api: FakeApi;
let registry: Registry;
let service: Service;
const logged: string[] = [];
const documents = new Map<Tenant, string>();

beforeAll(async () => {
  const accounts = Object.fromEntries(tenants.map((tenant) => [keyOf(tenant), `org_${tenant}`]));
  api = await startFakeApi({ dialect: 'S', accounts });
  const env = { VECTORLESS_HTTP: 'true', VECTORLESS_HTTP_PORT: '0', VECTORLESS_BASE_URL: api.url };
  const roomy = { VECTORLESS_MAX_CONCURRENCY: '64', VECTORLESS_MAX_CONCURRENCY_PER_CALLER: '64' };
  const config = loadConfig([], {
    ...env,
    ...roomy,
    VECTORLESS_API_KEY: 'vls_of_the_server',
  });
  const log = createLog('debug', (line) => logged.push(line));
  const links = createUploadLinks(config);
  registry = await openRegistry({ config, log, uploadLinks: links });
  service = await serveHttp({ config, registry, log, links });
  for (const tenant of tenants) {
    const text = `# Secrets of ${tenant}\n\nThe ${tenant} is ripe.\n`;
    const { document_id } = await call(tenant, 'ingest_document', { text, filename: `${tenant}.md` });
    documents.set(tenant, String(document_id));
  }
  api.faults.delay('**', [0, 12]);
});
afterAll(async () => {
  await service?.close();
  await registry?.close();
  await api?.close();
});

async function raw(tenant: Tenant, tool: string, args: object, era?: 'modern') {
  const message = callTool(`vectorless_${tool}`, args);
  const { body, headers } = era === 'modern' ? modern(message) : { body: message, headers: {} };
  const authorization = `Bearer ${keyOf(tenant)}`;
  return ask(`${service.url}/mcp`, { headers: { authorization, ...headers }, body });
}

async function call(tenant: Tenant, tool: string, args: object): Promise<Record<string, unknown>> {
  const answer = await raw(tenant, tool, args);
  return (answer.json().result?.structuredContent ?? {}) as Record<string, unknown>;
}

test('thousands of interleaved calls with random latency stay apart', async () => {
  let next = 0;
  const lane = async () => {
    while (next < calls) {
      const index = next++;
      const tenant = tenants[index % 2] ?? 'apple';
      const other = otherOf(tenant);
      const foreign = documents.get(other);
      const kinds = [
        ['list_documents', {}],
        ['query', { query: 'what is ripe', document_id: documents.get(tenant) }],
        ['query', { query: 'what is ripe', document_id: foreign }],
      ] as const;
      const [tool, args] = kinds[Math.floor(index / 2) % 3] ?? kinds[0];
      const { status, text } = await raw(tenant, tool, args, index % 5 === 0 ? 'modern' : undefined);
      expect(status).toBe(200);
      expect(text).not.toMatch(new RegExp(`(?:Secrets of|The) ${other}|${keyOf(other)}|vls_`));
      if (args === kinds[2][1]) expect(text).toContain('"isError":true');
      else expect(text).toContain(tenant);
    }
  };
  await Promise.all(Array.from({ length: 24 }, lane));
}, 120_000);

test('upload links put a file where it was asked for', async () => {
  await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const tenant = tenants[index % 2] ?? 'apple';
      const asked = await call(tenant, 'ingest_document', { filename: `${tenant}-${index}.md` });
      const body = `# Upload ${index} of ${tenant}\n\ntext\n`;
      const answer = await ask(String(asked.upload_url), { method: 'PUT', body });
      expect(answer.status).toBe(201);
    }),
  );
  for (const tenant of tenants) {
    const listed = await call(tenant, 'list_documents', { limit: 100 });
    const titles = (listed.documents as { title: string }[]).map(({ title }) => title);
    expect(titles).toHaveLength(21);
    for (const title of titles) expect(title.toLowerCase()).toContain(tenant);
  }
});

test('a link can be used again after a try that was too large', async () => {
  const asked = await call('apple', 'ingest_document', { filename: 'apple-again.md' });
  const url = String(asked.upload_url);
  const chunked = await fetch(url, {
    ...{ method: 'PUT', duplex: 'half' as const },
    body: new Blob(['apple '.repeat(7_000_000)]).stream(),
  });
  expect([chunked.status, await chunked.text()]).toEqual([413, expect.stringContaining('can still be used')]);
  // The upstream remembers a body that broke off, and says so for the same key for a day.
  await until(() => api.requests('POST /v1/documents').at(-1)?.aborted === true, 'the upstream noticed');
  const store = () => ask(url, { method: 'PUT', body: '# Again\n\nThe apple is ripe.\n' });
  const answers = [await store(), await store()];
  const stored = answers.find(({ status }) => status === 201);
  expect(JSON.parse(stored?.text ?? '{}')).toMatchObject({ document_id: expect.stringMatching(/^doc_/) });
});

test('every request upstream carried the key of its own caller, and the log none of it', () => {
  // The first request is the question whether keys are checked at all.
  const used = new Set(
    api
      .requests()
      .slice(1)
      .map(({ headers }) => headers.authorization),
  );
  expect([...used].sort()).toEqual(tenants.map((tenant) => `Bearer ${keyOf(tenant)}`).sort());
  const log = logged.join('\n');
  expect(log).toContain('tool_call');
  expect(log).not.toMatch(/vls_|ripe|Secrets|apple|banana/);
});
