import type { Documents } from './client.ts';
import type { CallContext } from './deadline.ts';
import { VectorlessError } from './errors.ts';
import { toWebStream } from './exchange.ts';
import { list, text, toDocument, toDocumentDetail, toReceipt, toTree, wire } from './mapping.ts';
import { queryString, segment } from './path.ts';
import { readText } from './read-body.ts';
import type { Answer, RequestFunction } from './request.ts';
import type { CallOptions, DocumentPage, ListParams } from './types.ts';
import { createUpload } from './upload.ts';
import { createWait, type Look } from './wait.ts';

/** `Documents`, and what only some servers can do. */
export interface DocumentsApi extends Documents {
  /** An outline in Markdown with a line on each section. The standalone engine has none: `not_supported`. */
  llmsTxt(documentId: string, options?: CallOptions): Promise<string>;
}

const longestOutline = 16 * 1024 * 1024;

export function createDocuments(request: RequestFunction): DocumentsApi {
  const path = (id: string, rest = '') => `/v1/documents/${segment(id, 'document')}${rest}`;

  const look = async (documentId: string, options?: CallOptions): Promise<Look> =>
    request(
      { method: 'GET', path: path(documentId), retry: 'safe', documentId },
      async (answer) => ({
        document: toDocumentDetail(await answer.json()),
        requestId: answer.context.requestId,
      }),
      options,
    );

  return {
    waitUntilReady: createWait(look),

    async get(documentId, options) {
      return (await look(documentId, options)).document;
    },

    async ingest(document, options) {
      const { idempotencyKey } = document;
      return request(
        {
          ...{ method: 'POST', path: '/v1/documents', upload: createUpload(document), idempotencyKey },
          retry: idempotencyKey === undefined ? 'never' : 'safe',
        },
        async (answer) => toReceipt(await answer.json(), answer.replayed),
        options,
      );
    },

    async list(params = {}, options) {
      const { limit, status, cursor } = params;
      return request(
        { method: 'GET', path: `/v1/documents${queryString({ limit, status, cursor })}`, retry: 'safe' },
        async (answer) => toPage(await answer.json(), params, answer.context),
        options,
      );
    },

    async delete(documentId, options) {
      await request(
        { method: 'DELETE', path: path(documentId), retry: 'safe', documentId },
        (answer) => readText(answer, longestOutline, 'cut'),
        options,
      );
    },

    async tree(documentId, options) {
      return request(
        { method: 'GET', path: path(documentId, '/tree'), retry: 'safe', documentId },
        async (answer) => toTree(await answer.json()),
        options,
      );
    },

    async source(documentId, options) {
      return request(
        {
          ...{ method: 'GET', path: path(documentId, '/source'), retry: 'safe', documentId },
          ...{ accept: '*/*', defaultTimeoutMs: 120_000 },
        },
        toResponse,
        options,
      );
    },

    async llmsTxt(documentId, options) {
      return request(
        { method: 'GET', path: path(documentId, '/llms.txt'), retry: 'safe', accept: '*/*', documentId },
        (answer) => readText(answer, longestOutline, 'throw'),
        options,
      );
    },
  };
}

function toPage(value: unknown, { cursor }: ListParams, context: CallContext): DocumentPage {
  const from = wire(value, 'The list');
  const documents = list(from.items ?? from.documents).map(toDocument);
  const nextCursor = from.has_more === false ? undefined : text(from.next_cursor);
  if (cursor !== undefined && ignoresCursor(cursor, documents[0]?.createdAt, nextCursor)) {
    const message =
      'The server did not understand the cursor and started over. Pass a cursor as it was given.';
    throw new VectorlessError({ ...context, code: 'invalid_request', message });
  }
  return { documents, nextCursor: nextCursor === cursor ? undefined : nextCursor };
}

/**
 * A server ignores a cursor that it cannot read and sends the first page again, which would make paging endless. Its
 * cursors are the time of the last row: a page after one cannot begin with a newer row.
 */
function ignoresCursor(cursor: string, first: string | undefined, next: string | undefined): boolean {
  const isTime = (value: string | undefined) => value !== undefined && /^\d{4}-\d\d-\d\dT/.test(value);
  if (isTime(cursor)) return first !== undefined && Date.parse(first) > Date.parse(cursor);
  return isTime(next);
}

/** The body stays open under the call's deadline; reading it to the end or cancelling it lets go of the connection. */
function toResponse(answer: Answer): Response {
  const end = answer.detach();
  async function* body() {
    try {
      yield* answer.body;
    } catch (error) {
      throw answer.failure(error);
    } finally {
      end();
      answer.discard();
    }
  }
  const headers = new Headers();
  for (const name of ['content-type', 'content-length', 'content-disposition']) {
    const value = answer.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  return new Response(toWebStream(body()), { status: answer.status, headers });
}
