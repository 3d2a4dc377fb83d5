import type { VectorlessClient } from './client.ts';
import type { CallContext } from './deadline.ts';
import { VectorlessError } from './errors.ts';
import { codeOfMessage, serverMessage } from './failure.ts';
import { count, list, parseJson, text, toQuerySection, toUsage, type Wire, wire } from './mapping.ts';
import type { Answer, RequestFunction } from './request.ts';
import { readEvents, type ServerEvent } from './stream.ts';
import type { QueryEvent, QueryManyResult, QueryRequest, QueryResult } from './types.ts';

type Queries = Pick<VectorlessClient, 'query' | 'queryMany' | 'queryStream'>;

const defaultTimeoutMs = 120_000;

export function createQueries(request: RequestFunction): Queries {
  return {
    async query(query, options) {
      return request(
        {
          ...{ method: 'POST', path: '/v1/query', json: toBody(query), retry: 'costly', defaultTimeoutMs },
          documentId: query.documentId,
        },
        async (answer) => toResult(await answer.json(), query),
        options,
      );
    },

    async queryMany({ documentIds, query, maxSections, model }, options) {
      if (documentIds.length === 0) {
        throw new VectorlessError({ code: 'invalid_request', message: 'Name at least one document.' });
      }
      const json = { document_ids: documentIds, query, max_sections: maxSections, model };
      return request(
        { method: 'POST', path: '/v1/query/multi', json, retry: 'costly', defaultTimeoutMs },
        async (answer) => toManyResult(await answer.json(), documentIds),
        options,
      );
    },

    async *queryStream(query, options) {
      const { answer, close } = await request(
        {
          ...{ method: 'POST', path: '/v1/query/stream', json: toBody(query), retry: 'costly' },
          ...{ accept: 'text/event-stream', documentId: query.documentId, defaultTimeoutMs },
        },
        openStream,
        options,
      ).catch((error: unknown) => {
        throw withoutStreaming(error);
      });
      try {
        yield* toEvents(readEvents(answer.body), answer.context);
      } catch (error) {
        throw answer.failure(error);
      } finally {
        close();
        answer.discard();
      }
    },
  };
}

/** What every server reads; unset fields are left out by JSON. */
function toBody({ documentId, query, maxSections, maxTokens, model, strategy }: QueryRequest) {
  return {
    ...{ document_id: documentId, query, max_sections: maxSections, max_tokens: maxTokens, model, strategy },
  };
}

function toResult(value: unknown, asked: QueryRequest): QueryResult {
  const from = wire(value, 'The answer');
  return {
    documentId: text(from.document_id) ?? asked.documentId,
    query: text(from.query) ?? asked.query,
    sections: list(from.sections).map(toQuerySection),
    strategy: text(from.strategy),
    abstained: from.abstained === true,
    abstentionReason: text(from.abstention_reason),
    elapsedMs: count(from.elapsed_ms),
    usage: toUsage(from.usage),
    traceToken: text(from.trace_token),
  };
}

/** The server answers in the order in which documents were done; callers get the order in which they asked. */
function toManyResult(value: unknown, documentIds: readonly string[]): QueryManyResult {
  const from = wire(value, 'The answer');
  const found = new Map<string, QueryManyResult['documents'][number]>();
  for (const item of list(from.documents)) {
    const { document_id, sections } = wire(item, 'A document');
    const documentId = text(document_id);
    if (documentId !== undefined) {
      found.set(documentId, { documentId, sections: list(sections).map(toQuerySection) });
    }
  }
  const asked = [...new Set(documentIds)].map((id) => found.get(id)).filter((one) => one !== undefined);
  const errors = Object.entries(wire(from.errors ?? {}, 'The errors'));
  return {
    query: text(from.query) ?? '',
    documents: asked,
    errors: Object.fromEntries(errors.map(([id, reason]) => [id, String(reason)])),
    elapsedMs: count(from.elapsed_ms),
  };
}

function openStream(answer: Answer) {
  const type = answer.header('content-type') ?? 'no content type';
  if (!type.startsWith('text/event-stream')) {
    answer.discard();
    const message = `The server sends ${type} where it should stream.`;
    throw new VectorlessError({ ...answer.context, code: 'not_supported', message });
  }
  return { answer, close: answer.detach() };
}

/** Servers without streaming have no such route; the document's own absence has its sentence. */
function withoutStreaming(error: unknown): unknown {
  if (!(error instanceof VectorlessError)) return error;
  const noRoute = error.status === 404 && !/document not found/i.test(error.message);
  if (!noRoute && error.status !== 405) return error;
  const { status, requestId, documentId } = error;
  const message = 'This server cannot stream queries.';
  return new VectorlessError({ code: 'not_supported', message, status, requestId, documentId, cause: error });
}

async function* toEvents(
  events: AsyncIterable<ServerEvent>,
  context: CallContext,
): AsyncGenerator<QueryEvent> {
  const seen = new Set<string>();
  for await (const { event, data } of events) {
    const from: Wire = wire(parseJson(data), 'An event');
    const type = text(from.type) ?? event;
    // Numbers that are zero are left out.
    const totalSlices = count(from.total_slices) ?? 0;
    if (type === 'started') yield { type, totalSlices };
    if (type === 'slice_started' || type === 'slice_completed') {
      yield { type: 'progress', sliceIndex: count(from.slice_index) ?? 0, totalSlices };
    }
    if (type === 'section_selected' && from.section !== undefined) {
      const section = toQuerySection(from.section);
      // Slices run side by side and may pick the same section.
      if (seen.has(section.id)) continue;
      seen.add(section.id);
      yield { type: 'section', section };
    }
    if (type === 'error') {
      const message = serverMessage(data) ?? 'The query failed.';
      throw new VectorlessError({ ...context, code: codeOfMessage(message) ?? 'server_error', message });
    }
    if (type === 'completed') {
      yield { type, elapsedMs: count(from.elapsed_ms) ?? 0 };
      return;
    }
  }
  const message = 'The stream ended before the query was complete.';
  throw new VectorlessError({ ...context, code: 'connection', message });
}
