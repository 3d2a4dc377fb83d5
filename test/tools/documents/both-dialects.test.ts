/** The documents tools over the real SDK and real sockets, against either kind of server. */
import type { Client } from '@modelcontextprotocol/client';
import { Vectorless } from '@vectorless/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { textOf } from '../../support/connect.ts';
import { connectDocuments, type Setup } from '../../support/documents.ts';
import {
  type Dialect,
  type FakeApi,
  type FakeApiOptions,
  startFakeApi,
  testOrg,
} from '../../support/fake-api.ts';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function start(options: FakeApiOptions, setup: Setup = {}): Promise<{ fake: FakeApi; client: Client }> {
  const fake = await startFakeApi(options);
  const sdk = new Vectorless({ baseUrl: fake.url, org: testOrg, maxRetries: 0 });
  const client = await connectDocuments(sdk, setup);
  open.push(
    () => client.close(),
    () => fake.close(),
  );
  return { fake, client };
}

interface Query {
  sections: { title: string; document_id: string; content: string }[];
  failed?: { document_id: string; error: string }[];
  more_failed?: number;
  searched: number;
}

async function ask(client: Client, args: Record<string, unknown>, onProgress?: (message?: string) => void) {
  const result = await client.callTool(
    { name: 'vectorless_query', arguments: { query: 'gasket', ...args } },
    onProgress && { onprogress: ({ message }) => onProgress(message) },
  );
  return { result, text: textOf(result), found: result.structuredContent as unknown as Query };
}

const manual = (name: string) =>
  `# ${name}\n\n## Gasket of ${name}\n\nThe gasket of ${name} is made of cork.\n`;
const dialects: readonly Dialect[] = ['S', 'E'];

describe.each(dialects)('on %s', (dialect) => {
  it('walks documents of one moment across the server’s pages, each once', async () => {
    const { fake, client } = await start({ dialect });
    // The server's page of 200 ends within those that were created at the same time.
    const ids = Array.from({ length: 430 }, (_, index) => {
      const minute = index >= 190 && index < 240 ? 190 : index;
      const time = new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString().slice(0, -1);
      return fake.add({ content: `# N${index}`, createdAt: `${time}123456+02:00` });
    }).reverse();
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const result = await client.callTool({
        name: 'vectorless_list_documents',
        arguments: { limit: 70, ...(cursor !== undefined && { cursor }) },
      });
      const page = result.structuredContent as { documents: { document_id: string }[]; next_cursor?: string };
      seen.push(...page.documents.map((document) => document.document_id));
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(ids);
  });

  it('asks one by one where the server has no query for several documents', async () => {
    const { fake, client } = await start({ dialect });
    const ids = Array.from({ length: 19 }, (_, index) => fake.add({ content: manual(`pump ${index}`) }));
    const before = await ask(client, { document_ids: ids, max_sections: 50 });
    for (const reply of [
      { status: 404, body: '404 page not found' },
      { status: 501, body: { error: 'no' } },
    ]) {
      const stop = fake.faults.fail('POST /v1/query/multi', { ...reply, times: 99 });
      const after = await ask(client, { document_ids: ids, max_sections: 50 });
      stop();
      expect(after.found.failed).toBeUndefined();
      expect(after.found.searched).toBe(19);
      const titles = ({ found }: typeof before) => found.sections.map(({ title }) => title).sort();
      expect(titles(after)).toEqual(titles(before));
    }
  });

  it('names the documents of a batch that failed, and shows what the others hold', async () => {
    const { fake, client } = await start({ dialect });
    const ids = Array.from({ length: 12 }, (_, index) => fake.add({ content: manual(`pump ${index}`) }));
    fake.faults.fail('POST /v1/query/multi', {
      status: 500,
      body: { error: 'at /srv/secret/db.go' },
      times: 1,
    });
    const { found, text } = await ask(client, { document_ids: ids, max_sections: 50 });
    expect(found.sections.length).toBeGreaterThan(0);
    expect([found.searched, found.failed?.length]).toEqual([4, 8]);
    for (const { document_id } of found.failed ?? []) expect(text).toContain(document_id);
    expect(text).not.toContain('secret');
  });

  it('searches the others when one of the named documents cannot be looked up', async () => {
    const { fake, client } = await start({ dialect });
    const [broken = '', whole = ''] = [
      fake.add({ content: manual('pump') }),
      fake.add({ content: manual('valve') }),
    ];
    fake.faults.fail(`GET /v1/documents/${broken}`, { status: 500, body: { error: 'no' }, times: 9 });
    const { found } = await ask(client, { document_ids: [broken, whole, 'doc_typo'] });
    expect(found.sections[0]?.document_id).toBe(whole);
    expect(found.failed?.map(({ document_id }) => document_id)).toEqual([broken, 'doc_typo']);
  });

  it('says what is wrong with the server when all of it fails', async () => {
    const { fake, client } = await start({ dialect });
    const ids = [fake.add({ content: manual('pump') }), fake.add({ content: manual('valve') })];
    fake.faults.fail('POST /v1/query/multi', {
      status: 429,
      body: 'slow down',
      headers: { 'retry-after': '7' },
      times: 9,
    });
    const { result, text } = await ask(client, { document_ids: ids });
    expect(result.isError).toBe(true);
    expect(text).toContain('Retry after 7 seconds');
  });

  it('takes an id in quotes, a URI or a title for the document', async () => {
    const { fake, client } = await start({ dialect });
    const id = fake.add({ content: manual('Pump & Valve, 2nd ed.'), filename: 'pump.md' });
    fake.add({ content: manual('Stove') });
    for (const given of [
      `"${id}"`,
      `\`${id}\``,
      ` ${id}\n`,
      `vectorless://documents/${id}`,
      'pump & valve, 2nd ed',
      `<vectorless://documents/${id}>`,
    ]) {
      const { found } = await ask(client, { document_id: given });
      expect(found?.sections[0]?.document_id, given).toBe(id);
    }
  });

  it('says which documents share a title, and which hold the word that was given for one', async () => {
    const { fake, client } = await start({ dialect });
    const twins = [fake.add({ content: manual('Twin') }), fake.add({ content: manual('Twin') })];
    const long = fake.add({
      content: manual('Amcor full year results and outlook for the coming fiscal year'),
    });
    const { text } = await ask(client, { document_id: 'twin' });
    expect(text).toContain('2 documents have this title');
    for (const id of twins) expect(text).toContain(id);
    expect((await ask(client, { document_id: 'AMCOR' })).text).toContain(`did you mean ${long}`);
  });

  it('searches fifty of sixty documents when it may search all, and names the others', async () => {
    const { fake, client } = await start({ dialect }, { settings: { searchAll: true } });
    const ids = Array.from({ length: 60 }, (_, index) => fake.add({ content: manual(`pump ${index}`) }));
    const { found, text } = await ask(client, { query: 'gasket of pump 3' });
    expect(found.searched).toBe(50);
    expect(found.sections.length).toBeGreaterThan(0);
    expect(found.failed?.length).toBe(10);
    for (const { document_id } of found.failed ?? []) expect(ids).toContain(document_id);
    expect(text.match(/at most 50 documents/g)).toHaveLength(1);
  });

  it('lists first, of many to choose from, those that the question names', async () => {
    const { fake, client } = await start({ dialect });
    const wanted = fake.add({ content: manual('Zephyr 2018') });
    fake.add({ content: manual('Form for the files') });
    for (let index = 0; index < 39; index++) fake.add({ content: manual(`Other ${index}`) });
    const result = (await ask(client, { query: 'How heavy is the Zephyr, and for how long?' })).result;
    expect(result.structuredContent).toMatchObject({
      more_to_choose_from: 16,
      choose_from: { 0: { document_id: wanted } },
    });
    expect(textOf(result)).toContain('16 more are not shown');
  });

  it('names documents that a listing was asked for and that are not there', async () => {
    const { fake, client } = await start({ dialect });
    const id = fake.add({ content: manual('pump') });
    const result = await client.callTool({
      name: 'vectorless_list_documents',
      arguments: { document_ids: [id, 'doc_typo'] },
    });
    expect(result.structuredContent).toMatchObject({
      documents: [{ document_id: id }],
      not_found: ['doc_typo'],
    });
    expect(textOf(result)).toContain('No such document: doc_typo');
  });

  it('lists documents that failed even where their reasons cannot be had', async () => {
    const { fake, client } = await start({ dialect });
    const id = fake.add({ content: '# x', status: 'failed', error: 'parse: broken' });
    fake.faults.fail('GET /v1/documents/*', { status: 500, body: { error: 'no' }, times: 9 });
    const result = await client.callTool({ name: 'vectorless_list_documents', arguments: {} });
    expect(result.structuredContent).toMatchObject({ documents: [{ document_id: id, status: 'failed' }] });
  });

  it('lets go of the server whatever a call was waiting for when it is cancelled', async () => {
    const { fake, client } = await start({ dialect, streaming: 'streams' });
    const [one = '', two = ''] = [
      fake.add({ content: manual('pump') }),
      fake.add({ content: manual('valve') }),
    ];
    const waits: [route: string, name: string, args: Record<string, unknown>][] = [
      ['POST /v1/query', 'query', { query: 'x', document_id: one }],
      ['POST /v1/query/multi', 'query', { query: 'x', document_ids: [one, two] }],
      ['GET /v1/documents/*/tree', 'query', { query: 'gasket', document_id: two }],
      ['GET /v1/documents', 'list_documents', {}],
      ['POST /v1/documents', 'ingest_document', { text: '# A\n\nb', filename: 'a.md' }],
    ];
    for (const [route, name, args] of waits) {
      const release = fake.faults.stall(route, 'headers');
      const controller = new AbortController();
      const params = { name: `vectorless_${name}`, arguments: args };
      const calling = client.callTool(params, { signal: controller.signal }).catch(() => 'cancelled');
      const seen = await fake.sees(route);
      controller.abort();
      expect(await calling).toBe('cancelled');
      await Promise.race([seen.ended, new Promise((resolve) => setTimeout(resolve, 5_000).unref())]);
      expect(seen.aborted, route).toBe(true);
      release();
    }
  });

  it.each(['streams', 'single-error', 'unsupported', 'cut-short'] as const)(
    'gives the same with progress as without, where streaming is: %s',
    async (streaming) => {
      const { fake, client } = await start({ dialect, streaming });
      const id = fake.add({ content: `${manual('pump')}\n## Gasket, again\n\nMore of the gasket.\n` });
      const plain = await ask(client, { document_id: id });
      const messages: (string | undefined)[] = [];
      const streamed = await ask(client, { document_id: id }, (message) => messages.push(message));
      expect(streamed.found).toEqual(plain.found);
      expect(streamed.found.sections.length).toBeGreaterThan(1);
      const tells = dialect === 'S' && (streaming === 'streams' || streaming === 'cut-short');
      expect(messages.some((message) => message?.startsWith('found: '))).toBe(tells);
    },
  );
});
