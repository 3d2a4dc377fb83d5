import type { Document } from '@vectorless/sdk';
import * as z from 'zod';
import { type Call, tool } from '../tool.ts';
import { fence, inline } from './fence.ts';
import { type Filter, filterKey, matches, words } from './filter.ts';
import { toDocumentId } from './handle.ts';
import { openCursor, sealCursor } from './list-cursor.ts';
import { lookUp } from './scope.ts';
import type { DocumentsService } from './service.ts';
import { present, statusOf } from './shapes.ts';
import { walk } from './walk.ts';

const output = z.object({
  documents: z.array(
    z.object({
      document_id: z.string(),
      title: z.string(),
      status: z.string(),
      content_type: z.string(),
      byte_size: z.int(),
      created_at: z.string(),
      error: z.string().optional(),
    }),
  ),
  next_cursor: z.string().optional(),
});

export type ListOutput = z.output<typeof output>;

export const listDocuments = tool<DocumentsService>()({
  name: 'vectorless_list_documents',
  title: 'List documents',
  access: 'read',
  description:
    'List the user’s documents with ids, titles and status, newest first. Use it to find the document a question is about, or to see whether an ingest has finished or failed and why. Then call vectorless_query with the id.',
  input: z.object({
    status: z.enum(['ready', 'processing', 'failed']).optional().describe('Only these.'),
    title_contains: z.string().optional().describe('Words of the title.'),
    document_ids: z.array(z.string()).optional().describe('Only these documents.'),
    limit: z.int().min(1).max(100).default(25).describe('How many at most.'),
    cursor: z.string().optional().describe('next_cursor of the previous page.'),
  }),
  output,
  example: { title_contains: 'annual report', limit: 10 },
  aliases: {
    ...{ title: 'title_contains', query: 'title_contains', search: 'title_contains', name: 'title_contains' },
    ...{ ids: 'document_ids', document_id: 'document_ids', page_size: 'limit', max_results: 'limit' },
    ...{ next_cursor: 'cursor', page: 'cursor' },
  },

  async run(args, { service, ...call }): Promise<ListOutput> {
    const filter: Filter = present({ status: args.status, words: words(args.title_contains) });
    const ids = args.document_ids?.map(toDocumentId).filter((id) => id !== '') ?? [];
    if (ids.length > 0 || service.only.length > 0) {
      return fixedList(ids.length > 0 ? ids : service.only, filter, args.limit, args.cursor, {
        service,
        ...call,
      });
    }
    const key = filterKey(filter);
    const from = args.cursor === undefined ? {} : openCursor(args.cursor, key);
    const page = await walk(service.client.documents, filter, from, args.limit, call);
    return present({
      documents: await describe(page.documents, { service, ...call }),
      next_cursor: page.next === undefined ? undefined : sealCursor(page.next, key),
    });
  },

  render(result) {
    if (result.documents.length === 0) {
      return result.next_cursor === undefined
        ? 'No documents match. Call vectorless_ingest_document to add one.'
        : `None so far; there is more to look through: call again with cursor ${JSON.stringify(result.next_cursor)}.`;
    }
    const lines = result.documents.map((document) => {
      const error = document.error === undefined ? '' : ` – ${inline(document.error, 200)}`;
      return `- ${document.document_id} · ${document.status} · ${inline(document.title)}${error}`;
    });
    const more =
      result.next_cursor === undefined
        ? ''
        : `\nThere are more: call again with cursor ${JSON.stringify(result.next_cursor)}.`;
    return `${fence(lines.join('\n'))}${more}`;
  },
});

type Context = Call & { readonly service: DocumentsService };

/** Named or default documents: few, looked up one by one, paged by position. */
async function fixedList(
  ids: readonly string[],
  filter: Filter,
  limit: number,
  cursor: string | undefined,
  context: Context,
): Promise<ListOutput> {
  const key = `${filterKey(filter)} ${ids.join(' ')}`;
  const start = cursor === undefined ? 0 : (openCursor(cursor, key).position ?? 0);
  const wanted = ids.slice(start, start + limit);
  const found = await lookUp(wanted, context);
  const documents = wanted.map((id) => found.get(id)).filter((document) => document !== undefined);
  const position = start + limit;
  return present({
    documents: await describe(
      documents.filter((document) => matches(document, filter)),
      context,
    ),
    next_cursor: position < ids.length ? sealCursor({ position }, key) : undefined,
  });
}

/** Lists say that a document failed, only the document itself says why. */
async function describe(documents: readonly Document[], context: Context): Promise<ListOutput['documents']> {
  const failed = documents.filter((document) => document.status === 'failed').slice(0, 20);
  const details = await lookUp(
    failed.map((document) => document.id),
    context,
  );
  return documents.map((document) =>
    present({
      document_id: document.id,
      title: inline(document.title, 200),
      status: statusOf(document),
      content_type: document.contentType,
      byte_size: document.byteSize,
      created_at: document.createdAt,
      error: details.get(document.id)?.errorMessage?.slice(0, 300),
    }),
  );
}
