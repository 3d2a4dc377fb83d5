import { createHash } from 'node:crypto';
import { find, pagesOf } from './documents.ts';
import {
  count,
  type Exchange,
  type Fields,
  type Handler,
  isReply,
  mistyped,
  readFields,
  text,
} from './exchange.ts';
import { failure, json, type Reply } from './reply.ts';
import { type FakeSection, type Hit, retrieve, tokenCount } from './sections.ts';
import { type FakeDocument, progressOf } from './world.ts';

export interface Selection {
  readonly document: FakeDocument;
  readonly query: string;
  readonly hits: readonly Hit[];
  readonly strategy: string;
  readonly model: string;
  readonly cached: boolean;
}

const strategies = ['auto', 'single-pass', 'chunked-tree', 'agentic', 'treewalk'];

export const query: Handler = async (exchange) => {
  const fields = await readFields(exchange);
  if (isReply(fields)) return fields;
  const selection = select(exchange, fields);
  if ('status' in selection) return selection;
  const { document, query: question, hits, strategy, model } = selection;
  if (exchange.dialect === 'E') {
    const abstains = fields.enable_abstain !== false && progressOf(document).parsed && hits.length === 0;
    if (abstains) return json(200, { document_id: document.id, query: question, strategy, ...abstention });
  }
  const limited = hits.slice(0, count(fields, 'max_sections'));
  const body = {
    ...{ document_id: document.id, query: question, strategy, model },
    sections: limited.map((hit) => sectionView(hit, exchange.dialect)),
    elapsed_ms: 12,
    ...(exchange.dialect === 'S' ? { usage: usage(limited, selection.cached) } : extras(limited, fields)),
  };
  const reply = json(200, body);
  if (exchange.dialect === 'E') {
    exchange.world.traces.set(traceToken(limited), { documentId: document.id, query: question, reply });
  }
  return reply;
};

/** Checks the body of a query and retrieves; what went wrong comes back as the reply. */
export function select(exchange: Exchange, fields: Fields): Selection | Reply {
  const wrong = mistyped(fields, {
    ...{ document_id: 'string', query: 'string', model: 'string', strategy: 'string' },
    ...{ max_sections: 'int', max_tokens: 'int' },
  });
  if (wrong !== undefined) return wrong;
  const [id, question] = [text(fields, 'document_id'), text(fields, 'query')];
  if (id === '' || question === '') return failure(400, 'document_id and query are required');
  const asked = exchange.dialect === 'S' ? text(fields, 'strategy') : '';
  if (asked !== '' && !strategies.includes(asked)) return failure(400, `unknown strategy: ${asked}`);
  const document = find(exchange, id);
  if (document === undefined) return failure(404, 'document not found');
  return retrieveFrom(exchange, document, question, { strategy: asked, model: text(fields, 'model') });
}

/** An empty result of an unfinished document is cached like any other, and served when it is ready. */
function retrieveFrom(
  { world }: Exchange,
  document: FakeDocument,
  question: string,
  { strategy, model }: { strategy: string; model: string },
): Selection {
  const cacheKey = [document.id, question, strategy, model].join('|');
  const remembered = strategy === '' ? world.retrievals.get(cacheKey) : undefined;
  const readable = progressOf(document).parsed ? document.sections : [];
  let hits = retrieve(readable, question);
  if (remembered !== undefined) hits = hits.filter(({ section }) => remembered.includes(section.id));
  // This strategy returns sections in the order of their random ids, and is cut only afterwards.
  if (strategy === 'chunked-tree') hits.sort((a, b) => (a.section.id < b.section.id ? -1 : 1));
  if (strategy === '')
    world.retrievals.set(
      cacheKey,
      hits.map(({ section }) => section.id),
    );
  return {
    document,
    query: question,
    hits,
    strategy: strategy || 'auto',
    model,
    cached: remembered !== undefined,
  };
}

export const queryMany: Handler = async (exchange) => {
  const fields = await readFields(exchange);
  if (isReply(fields)) return fields;
  const ids = fields.document_ids;
  const question = text(fields, 'query');
  if (!Array.isArray(ids) || ids.length === 0 || question === '') {
    return failure(400, 'document_ids (non-empty) and query are required');
  }
  const errors: Record<string, string> = {};
  const documents: Record<string, unknown>[] = [];
  const model = text(fields, 'model');
  for (const id of new Set(ids.map(String))) {
    const document = find(exchange, id);
    if (document === undefined) {
      errors[id] = `load tree ${id}: db: not found`;
      continue;
    }
    const { hits, cached } = retrieveFrom(exchange, document, question, { strategy: '', model });
    const limited = hits.slice(0, count(fields, 'max_sections'));
    documents.push({
      document_id: id,
      sections: limited.map((hit) => sectionView(hit, exchange.dialect, { scored: false })),
      usage: usage(limited, cached),
    });
  }
  if (documents.length === 0) {
    return failure(500, `multi-doc retrieval failed: ${Object.values(errors).join('; ')}`);
  }
  // Never the order of the request.
  if (documents.length > 1) documents.reverse();
  const total = usage([], true);
  return json(200, {
    query: question,
    strategy: 'auto',
    model,
    documents,
    errors,
    elapsed_ms: 20,
    total_usage: total,
  });
};

export const replay: Handler = async (exchange) => {
  const fields = await readFields(exchange);
  if (isReply(fields)) return fields;
  const [token, question, id] = [
    text(fields, 'trace_token'),
    text(fields, 'query'),
    text(fields, 'document_id'),
  ];
  if (token === '' || question === '' || id === '') {
    return failure(400, 'trace_token, query, and document_id are required');
  }
  const trace = exchange.world.traces.get(token);
  if (trace === undefined) return failure(404, 'trace_token not found');
  const mismatch = trace.documentId !== id ? 'document_id' : trace.query !== question ? 'query' : undefined;
  if (mismatch === undefined) return trace.reply;
  return json(409, { error: 'input mismatch', details: `${mismatch} differs from original` });
};

export function sectionView(
  { section, overlap }: Hit,
  dialect: Exchange['dialect'],
  { scored = true } = {},
): Record<string, unknown> {
  const { id, parentId, title, content } = section;
  return {
    ...{ id, parent_id: parentId, title, summary: '', token_count: tokenCount(content), content },
    ...(dialect === 'E' ? pagesOf(section) : {}),
    ...(dialect === 'E' && scored ? { score: Math.round(overlap * 100), answer_span: notVerbatim } : {}),
  };
}

export const abstention = {
  sections: [],
  abstained: true,
  abstention_reason: 'no section is confident enough',
  min_confidence_threshold: 0.3,
  candidate_confidences: {},
};

const notVerbatim = { start: -1, end: -1, text: '' };

export function usage(hits: readonly { section: FakeSection }[], cached: boolean): Record<string, number> {
  const read = cached ? 0 : hits.reduce((sum, { section }) => sum + tokenCount(section.content), 40);
  const written = cached ? 0 : 20;
  return {
    ...{ input_tokens: read, output_tokens: written, total_tokens: read + written },
    ...{ llm_calls: cached ? 0 : 1, cost_usd: 0 },
  };
}

/** The same sections give the same token, whatever was asked. */
export function traceToken(hits: readonly Hit[]): string {
  const ids = hits.map(({ section }) => section.id).join(' ');
  return createHash('sha256').update(ids).digest('hex');
}

function extras(hits: readonly Hit[], fields: Fields): Record<string, unknown> {
  const plan = {
    ...{ intent: 'lookup', entities: null, expected_doc_areas: null, is_multi_hop: false },
    sub_questions: null,
  };
  return {
    trace_token: traceToken(hits),
    confidences: Object.fromEntries(hits.map(({ section, overlap }) => [section.id, overlap])),
    ...(fields.enable_planning === true ? { plan } : {}),
  };
}
