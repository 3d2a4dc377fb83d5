/** The whole job over stdio: documents go in, a question brings back whole sections, long ones are read in pages. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SpawnedServer, spawnServer } from '../support/connect.ts';
import { type Backend, backends } from './backend.ts';
import { readWhole, rows, succeed } from './outcome.ts';

const sentence = 'Der Vertrag 契約 👩‍👩‍👧 gilt für die Dichtung aus Fluorsilikon; see clause № 7. ';

const contract = `# Supply contract

Between the parties.

## Obligations

### Gaskets

${sentence.repeat(60)}

### Payment

Invoices are due within forty-five days of receipt. ${'Late payment bears interest at the statutory rate. '.repeat(40)}
`;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe.each(backends)('against %s, %s client', (_name, era, open) => {
  let backend: Backend;
  let server: SpawnedServer;
  beforeAll(async () => {
    backend = await open();
    server = await spawnServer({ env: backend.env, args: backend.args, era });
  });
  afterAll(async () => {
    await server?.close();
    await backend?.close();
  });

  test('a file is ingested by path, and again without a second copy', async () => {
    const path = join(backend.folder, 'contract.md');
    await writeFile(path, contract);
    const first = await succeed(server.client, 'ingest_document', { path });
    expect(first.structured).toMatchObject({ status: 'ready', sha256: sha256(contract) });
    expect(first.structured.byte_size).toBe(Buffer.byteLength(contract));
    const again = await succeed(server.client, 'ingest_document', { path });
    expect(again.structured).toMatchObject({
      ...{ document_id: first.structured.document_id, status: 'ready', already_ingested: true },
    });
    const listed = rows(await succeed(server.client, 'list_documents'), 'documents');
    expect(listed.filter(({ document_id }) => document_id === first.structured.document_id)).toHaveLength(1);
  });

  test('text and base64 are ingested, listed and found by title', async () => {
    const text = '# Boiler\n\nThe boiler holds eighty litres.\n';
    const written = await succeed(server.client, 'ingest_document', { text, filename: 'boiler.md' });
    const bytes = Buffer.from('# Chimney\n\nThe chimney is swept in spring.\n');
    const encoded = await succeed(server.client, 'ingest_document', {
      ...{ content_base64: bytes.toString('base64'), filename: 'chimney.md' },
    });
    expect([written.structured.status, encoded.structured.status]).toEqual(['ready', 'ready']);
    const found = await succeed(server.client, 'list_documents', { title_contains: 'chimney' });
    expect(rows(found, 'documents')).toMatchObject([
      { document_id: encoded.structured.document_id, title: 'Chimney', status: 'ready' },
    ]);
    const answer = await succeed(server.client, 'query', {
      ...{ query: 'How much does the boiler hold?', document_id: written.structured.document_id },
    });
    expect(answer.text).toContain('eighty litres');
  });

  test('a question brings back the section with its place and an id that can be cited', async () => {
    const { structured } = await succeed(server.client, 'ingest_document', {
      text: contract,
      filename: 'c.md',
    });
    const answer = await succeed(server.client, 'query', {
      ...{ query: 'when are invoices due', document_id: structured.document_id },
    });
    const hit = rows(answer, 'sections').find(({ content }) => String(content).includes('forty-five days'));
    expect(hit).toMatchObject({ document_id: structured.document_id, title: 'Payment' });
    expect(hit?.heading_path).toEqual(['Supply contract', 'Obligations']);
    expect(hit?.uri).toContain(String(hit?.section_id));
    expect(answer.text).toContain('forty-five days');
    const nothing = await succeed(server.client, 'query', {
      ...{ query: 'zygomorphic quixotry', document_id: structured.document_id },
    });
    expect(rows(nothing, 'sections')).toEqual([]);
    expect(nothing.text).toMatch(/no|nothing/i);
  });

  test('a long section read in pages is the section, byte for byte', async () => {
    const { structured } = await succeed(server.client, 'ingest_document', {
      text: contract,
      filename: 'c.md',
    });
    const answer = await succeed(server.client, 'query', {
      ...{ query: 'Dichtung aus Fluorsilikon', document_id: structured.document_id, max_sections: 1 },
    });
    const [hit] = rows(answer, 'sections');
    const whole = await readWhole(server.client, String(hit?.section_id));
    // A second process on the same documents, with the smallest budget there is.
    const narrow = await spawnServer({
      ...{ args: backend.args, env: { ...backend.env, VECTORLESS_MAX_RESULT_TOKENS: '500' } },
    });
    const paged = await readWhole(narrow.client, String(hit?.section_id));
    await narrow.close();
    expect(paged.pages).toBeGreaterThan(whole.pages);
    expect(Buffer.from(paged.text).equals(Buffer.from(whole.text))).toBe(true);
    expect(paged.text).toContain(sentence.trim());
  });

  test('a type that nobody can read is refused before anything is sent', async () => {
    const before = rows(await succeed(server.client, 'list_documents'), 'documents').length;
    const outcome = await server.client.callTool({
      ...{
        name: 'vectorless_ingest_document',
        arguments: { content_base64: 'TVqQAAMAAAAEAAAA//8AALgA', filename: 'setup.exe' },
      },
    });
    expect(outcome.isError).toBe(true);
    expect(rows(await succeed(server.client, 'list_documents'), 'documents')).toHaveLength(before);
  });
});
