import type { Document } from '@vectorless/sdk';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../support/connect.ts';
import { connectDocuments } from '../../support/documents.ts';
import { aDocument, fakeSdk, library } from '../../support/fake-sdk.ts';

interface Listing {
  documents: { document_id: string; status: string; error?: string }[];
  next_cursor?: string;
}

/** An upstream with real pages; as in the real one a cursor is a time, and what is older than it follows. */
function pagedLibrary(all: readonly Document[], pageSize: number) {
  return {
    ...library(),
    async list({ cursor, status }: { cursor?: string | undefined; status?: string | undefined } = {}) {
      const matching = all.filter((document) => status === undefined || document.status === status);
      const before = cursor === undefined ? Number.POSITIVE_INFINITY : Date.parse(cursor);
      const older = matching.filter((document) => Date.parse(document.createdAt) < before);
      const documents = older.slice(0, pageSize);
      const last = pageSize < older.length ? documents.at(-1)?.createdAt : undefined;
      return { documents, ...(last !== undefined && { nextCursor: last }) };
    },
  };
}

const many = Array.from({ length: 95 }, (_, index) =>
  aDocument(`doc_${index}`, {
    title: index % 10 === 0 ? `Café report ${index}` : `Memo ${index}`,
    status: index % 3 === 0 ? 'ready' : 'summarizing',
    createdAt: new Date(Date.UTC(2026, 0, 1) - index * 60_000).toISOString(),
  }),
);

async function walkAll(args: Record<string, unknown>, pageSize = 20) {
  const client = await connectDocuments(fakeSdk({ documents: pagedLibrary(many, pageSize) }));
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const result = await client.callTool({
      name: 'vectorless_list_documents',
      arguments: { ...args, ...(cursor !== undefined && { cursor }) },
    });
    const listing = result.structuredContent as unknown as Listing;
    ids.push(...listing.documents.map((document) => document.document_id));
    if (listing.next_cursor !== undefined) expect(textOf(result)).toContain(listing.next_cursor);
    cursor = listing.next_cursor;
  } while (cursor !== undefined);
  return ids;
}

describe('vectorless_list_documents', () => {
  it('walks every document once, in pages that do not fit the upstream’s', async () => {
    expect(await walkAll({ limit: 7 })).toEqual(many.map((document) => document.id));
  });

  it('filters by words of the title, whatever their case and accents', async () => {
    const ids = await walkAll({ title_contains: 'REPORT cafe', limit: 3 });
    expect(ids).toEqual(many.filter((_, index) => index % 10 === 0).map((document) => document.id));
  });

  it.each(['ready', 'processing'])('filters by status %s', async (status) => {
    const ids = await walkAll({ status, limit: 100 });
    expect(ids).toHaveLength(status === 'ready' ? 32 : 63);
  });

  it.each([
    ['damaged', (cursor: string) => `${cursor.slice(0, -1)}!`, {}],
    ['foreign', () => 'bm90IG91cnM', {}],
    ['used with other filters', (cursor: string) => cursor, { title_contains: 'memo' }],
  ])('refuses a cursor that is %s', async (_name, change, filter) => {
    const client = await connectDocuments(fakeSdk({ documents: pagedLibrary(many, 20) }));
    const call = (args: Record<string, unknown>) =>
      client.callTool({ name: 'vectorless_list_documents', arguments: args });
    const first = (await call({ limit: 5 })).structuredContent as unknown as Listing;
    const result = await call({ limit: 5, cursor: change(first.next_cursor ?? ''), ...filter });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('cursor is damaged or belongs to a listing with other filters');
  });

  it('ends when the upstream repeats its first page for ever', async () => {
    const list = async () => ({ documents: many.slice(0, 10), nextCursor: '2026-01-01T00:00:00+01:00' });
    const client = await connectDocuments(fakeSdk({ documents: { ...library(), list } }));
    const result = await client.callTool({ name: 'vectorless_list_documents', arguments: { limit: 100 } });
    const listing = result.structuredContent as unknown as Listing;
    expect(listing.documents).toHaveLength(10);
    expect(listing.next_cursor).toBeUndefined();
  });

  it('says why a document failed', async () => {
    const failed = aDocument('doc_1', { status: 'failed', errorMessage: 'parse: no extractable text' });
    const client = await connectDocuments(fakeSdk({ documents: library(failed) }));
    const result = await client.callTool({ name: 'vectorless_list_documents', arguments: {} });
    expect((result.structuredContent as unknown as Listing).documents[0]?.error).toBe(
      'parse: no extractable text',
    );
    expect(textOf(result)).toContain('parse: no extractable text');
  });

  it('shows only the default documents when there are any', async () => {
    const client = await connectDocuments(
      fakeSdk({ documents: library(aDocument('doc_1'), aDocument('doc_2')) }),
      {
        only: ['doc_2'],
      },
    );
    const call = async (args: Record<string, unknown>) =>
      (await client.callTool({ name: 'vectorless_list_documents', arguments: args }))
        .structuredContent as unknown as Listing;
    expect((await call({})).documents.map((document) => document.document_id)).toEqual(['doc_2']);
    expect((await call({ document_ids: ['doc_1'] })).documents).toEqual([]);
  });

  it.each([
    ['there are none at all', {}, 'There are no documents yet. Add one with vectorless_ingest_document.'],
    ['there are none of a kind', { status: 'failed' }, 'Call again without status to see'],
    [
      'none has such a title',
      { status: 'ready', title_contains: 'zebra' },
      'Call again without status and title_contains',
    ],
  ])('says what to do where %s', async (_what, args, sentence) => {
    const client = await connectDocuments(fakeSdk({ documents: library() }));
    const result = await client.callTool({ name: 'vectorless_list_documents', arguments: args });
    expect(textOf(result)).toContain(sentence);
  });
});
