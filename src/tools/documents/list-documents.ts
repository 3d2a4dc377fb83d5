import { type Document, VectorlessError } from '@vectorless/sdk';
import * as z from 'zod';
import { typeByMime } from '../../sources/types.ts';
import { tool } from '../tool.ts';
import { fence, inline } from './fence.ts';
import { type Filter, filterKey, matches, words } from './filter.ts';
import { toDocumentId } from './handle.ts';
import { costOf, whatFits } from './layout.ts';
import { openCursor, sealCursor } from './list-cursor.ts';
import { lookUpEach } from './scope.ts';
import type { Context, DocumentsService } from './service.ts';
import { documentFields, errorTokens, fieldsOf, idsArgument, present } from './shapes.ts';
import { walk } from './walk.ts';

const input = z.object({
  status: z.enum(['ready', 'processing', 'failed']).optional().describe('Only these.'),
  title_contains: z.string().max(500).optional().describe('Words of the title.'),
  document_ids: idsArgument.optional().describe('Only these documents.'),
  limit: z.int().min(1).max(100).default(25).describe('How many at most.'),
  cursor: z.string().max(4_000).optional().describe('next_cursor of the previous page.'),
});

const output = z.object({
  documents: z.array(z.object(documentFields)),
  not_found: z.array(z.string()).optional(),
  next_cursor: z.string().max(4_000).optional(),
});

/** Tokens of a listing that are no document: fence, cursor, what was not found. */
const frameTokens = 240;

export type ListOutput = z.output<typeof output>;

export const listDocuments = tool<DocumentsService>()({
  name: 'vectorless_list_documents',
  title: 'List documents',
  access: 'read',
  description:
    'List the user’s documents with ids, titles and status, newest first. Use it to find the document a question is about, or to see whether an ingest has finished or failed and why. Then call vectorless_query with the id.',
  input,
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
    const page = { limit: args.limit, fits: room(service) };
    const { documents, next } = await walk(service.client.documents, filter, from, page, call);
    return present({
      documents: await describe(documents, { service, ...call }),
      next_cursor: next === undefined ? undefined : sealCursor(next, key),
    });
  },

  render({ documents, not_found = [], next_cursor }, service, args) {
    const lines = documents.map((document) => {
      const error = document.error === undefined ? '' : ` – ${inline(document.error, 200)}`;
      const kind = typeByMime(document.content_type)?.extensions[0] ?? document.content_type;
      const facts = [
        document.document_id,
        document.status,
        document.title,
        kind,
        document.created_at.slice(0, 10),
      ];
      return `- ${facts.filter((fact) => fact !== '').join(' · ')}${error}`;
    });
    const parts = [lines.length > 0 ? fence(lines.join('\n')) : ''];
    if (not_found.length > 0)
      parts.push(`No such document: ${not_found.join(', ')}. Look for it with title_contains.`);
    if (next_cursor !== undefined) {
      const more = lines.length > 0 ? 'There are more' : 'None so far; there is more to look through';
      parts.push(`${more}: call again with cursor ${JSON.stringify(next_cursor)}.`);
    } else if (lines.length === 0 && not_found.length === 0) parts.push(noneAtAll(service, args));
    return parts.filter((part) => part !== '').join('\n');
  },
});

function noneAtAll({ offered }: DocumentsService, args: z.output<typeof input>): string {
  const filters = (['status', 'title_contains'] as const).filter((name) => args[name] !== undefined);
  if (filters.length > 0) {
    return `No document matches. Call again without ${filters.join(' and ')} to see all that there is.`;
  }
  if (args.cursor !== undefined) return 'There are no more documents.';
  const advice = offered.has('vectorless_ingest_document') ? ' Add one with vectorless_ingest_document.' : '';
  return `There are no documents yet.${advice}`;
}

/** Keeps a page within the budget: what a document costs as JSON, and the reason where it failed. */
function room({ settings }: DocumentsService): (document: Document) => boolean {
  let left = settings.maxResultTokens - frameTokens;
  return (document) => {
    left -= costOf(fieldsOf(document, undefined)) + (document.status === 'failed' ? errorTokens + 8 : 0);
    return left >= 0;
  };
}

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
  const { found, failures } = await lookUpEach(wanted, context);
  const fits = room(context.service);
  const documents: Document[] = [];
  let position = start;
  for (const id of wanted) {
    const document = found.get(id);
    const isWanted = document !== undefined && matches(document, filter);
    if (isWanted && !fits(document) && documents.length > 0) break;
    if (isWanted) documents.push(document);
    position++;
  }
  const absent = wanted
    .slice(0, position - start)
    .filter((id) => found.get(id) === undefined)
    .map((id) => (failures.has(id) ? `${id} (could not be looked up)` : id));
  const notFound = whatFits(
    absent.map((id) => inline(id, 80)),
    frameTokens / 2,
  );
  return present({
    documents: await describe(documents, context),
    not_found: notFound.length > 0 ? notFound : undefined,
    next_cursor: position < ids.length ? sealCursor({ position }, key) : undefined,
  });
}

/** Lists say that a document failed, only the document itself says why; the list is worth having without it. */
async function describe(documents: readonly Document[], context: Context): Promise<ListOutput['documents']> {
  const failed = documents.filter((document) => document.status === 'failed').slice(0, 20);
  const ids = failed.map((document) => document.id);
  const details = await lookUpEach(ids, context).catch((error: unknown) => {
    if (error instanceof VectorlessError && !context.signal.aborted) return undefined;
    throw error;
  });
  return documents.map((document) => fieldsOf(document, details?.found.get(document.id)?.errorMessage));
}
