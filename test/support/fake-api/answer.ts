import { find, pagesOf } from './documents.ts';
import { count, type Handler, isReply, readFields, text } from './exchange.ts';
import { abstention, select, traceToken, usage } from './query.ts';
import { eventStream, failure, json } from './reply.ts';
import { type FakeSection, retrieve } from './sections.ts';
import { type FakeDocument, progressOf } from './world.ts';

/** Quotes the first sentence of each section it found. */
export const answer: Handler = async (exchange) => {
  if (!exchange.behaviour.answers) return failure(501, 'answer endpoint requires an LLM client');
  const fields = await readFields(exchange);
  if (isReply(fields)) return fields;
  const selection = select(exchange, fields);
  if ('status' in selection) return selection;
  const { document, query, strategy, model } = selection;
  const base = { document_id: document.id, query };
  const hits = selection.hits.slice(0, count(fields, 'max_sections') ?? 5);
  if (exchange.dialect === 'E' && hits.length === 0) {
    const { sections: _, ...why } = abstention;
    return json(200, {
      ...{ ...base, answer: 'The document does not answer this question.', citations: [], strategy },
      ...{ ...why, usage: usage([], false), elapsed_ms: 15 },
    });
  }
  const cited = hits.map(({ section, overlap }) => ({
    ...{ section_id: section.id, title: section.title, ...quoteOf(section), ...pagesOf(section) },
    ...(exchange.dialect === 'E' ? { score: Math.round(overlap * 100) } : {}),
  }));
  const said = hits[0] === undefined ? '' : (quoteOf(hits[0].section).quote ?? '');
  const confidences = Object.fromEntries(hits.map(({ section, overlap }) => [section.id, overlap]));
  const reply = json(200, {
    ...{
      ...base,
      answer: said,
      citations: cited,
      strategy,
      model,
      usage: usage(hits, false),
      elapsed_ms: 15,
    },
    trace_token: traceToken(hits),
    ...(exchange.dialect === 'E' ? { confidences } : {}),
  });
  exchange.world.traces.set(traceToken(hits), { documentId: document.id, query, reply });
  return reply;
};

export const treewalk: Handler = async (exchange) => {
  if (!exchange.behaviour.answers) return failure(501, 'answer/treewalk endpoint requires an LLM client');
  const fields = await readFields(exchange);
  if (isReply(fields)) return fields;
  const [id, query] = [text(fields, 'document_id'), text(fields, 'query')];
  if (id === '' || query === '') return failure(400, 'document_id and query are required');
  const document = find(exchange, id);
  if (document === undefined) return failure(404, 'document not found');
  if (fields.stream === true && exchange.dialect === 'S') {
    return failure(500, 'streaming requires http.Flusher; response writer does not support it');
  }
  const result = walk(document, query, text(fields, 'model'));
  if (fields.stream !== true) return json(200, result);
  const begun = { document_id: id, query, strategy: 'treewalk', model: result.model };
  const steps: [string, unknown][] = [
    ['started', begun],
    ['get_document_structure', { hop: 1, type: 'get_document_structure' }],
    ['done', { hop: 2, type: 'done', answer: result.answer, confidence: result.confidence }],
    ['answer', result],
  ];
  return eventStream(steps);
};

/** It reads pages alone: of a document without pages it sees nothing but titles. */
function walk(document: FakeDocument, query: string, model: string) {
  const paged = progressOf(document).parsed ? document.sections.filter(({ pageStart }) => pageStart) : [];
  const found = retrieve(paged, query).slice(0, 3);
  const citations = found
    .map(({ section }) => ({
      ...{ start_page: section.pageStart ?? 0, end_page: section.pageEnd ?? 0, section_ids: [section.id] },
      ...quoteOf(section),
    }))
    .sort((a, b) => a.start_page - b.start_page);
  const invented = [{ start_page: 1, end_page: 1, section_ids: null }];
  return {
    ...{ document_id: document.id, query, answer: quoteOf(found[0]?.section).quote ?? '' },
    citations: found.length === 0 ? invented : citations,
    ...{ strategy: 'treewalk', model, confidence: found.length === 0 ? 0 : 0.8, hops_taken: 2 },
    ...{ usage: usage(found, false), elapsed_ms: 30, trace_token: '' },
    pages_read: found.length === 0 ? null : citations.map(pageRead),
  };
}

const pageRead = ({
  start_page,
  end_page,
  section_ids,
}: {
  start_page: number;
  end_page: number;
  section_ids: string[];
}) => ({
  ...{ start_page, end_page, section_ids, char_count: 400 },
});

/** Offsets count UTF-8 bytes, and come as a pair or not at all. */
function quoteOf(section: FakeSection | undefined): {
  quote?: string;
  quote_start?: number;
  quote_end?: number;
} {
  const quote = section?.content.match(/[^\s#][^.\n]*\.?/)?.[0];
  if (section === undefined || quote === undefined) return {};
  const start = Buffer.byteLength(section.content.slice(0, section.content.indexOf(quote)));
  return { quote, quote_start: start, quote_end: start + Buffer.byteLength(quote) };
}
