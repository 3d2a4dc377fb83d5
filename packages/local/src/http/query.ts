import { getOrAdd } from '../get-or-add.ts';
import { whyUnrelated } from '../ranking/abstention.ts';
import { type Hit, search } from '../ranking/search.ts';
import type { Segment } from '../store/segment-reader.ts';
import { json, Refused } from './answers.ts';
import { integerField, type JsonObject, readJson, stringField, stringsField } from './body.ts';
import type { Engine } from './documents.ts';
import { readingDocument, searchingDocuments } from './reading.ts';
import { sectionFields } from './sections.ts';

const DEFAULT_SECTIONS = 10;
const MOST_SECTIONS = 200;
/** Of all documents together: what a caller can use, and no more than that many reads. */
const MOST_SECTIONS_OF_ALL = 100;
const MAX_QUERY_BODY = 4 * 2 ** 20;
/** Longer questions are cut: beyond this a question is a document. */
const MAX_QUESTION = 8_000;

/** One document, its sections best first. A document that is not ready has none, as in the API. */
export async function postQuery(engine: Engine, request: Request): Promise<Response> {
  const started = performance.now();
  const body = await readJson(request, MAX_QUERY_BODY);
  const documentId = stringField(body, 'document_id');
  const query = stringField(body, 'query');
  if (!documentId || !query) throw new Refused(400, 'document_id and query are required');
  const limit = sectionLimit(integerField(body, 'max_sections'));

  const document = engine.store.get(documentId);
  if (!document) throw new Refused(404, 'document not found');
  const common = { document_id: documentId, query, strategy: 'local' };
  const { segment } = document;
  if (!segment) return json(200, { ...common, model: '', sections: [], elapsed_ms: elapsed(started) });

  const unrelated = mayAbstain(body)
    ? readingDocument(engine, documentId, (current) => whyUnrelated(clip(query), [current]))
    : undefined;
  const sections = unrelated ? [] : sectionsFor(engine, documentId, clip(query), limit);
  if (sections.length === 0) {
    return json(200, { ...common, sections, abstained: true, abstention_reason: unrelated ?? NO_WORD });
  }
  return json(200, { ...common, model: '', sections, elapsed_ms: elapsed(started) });
}

function sectionsFor(engine: Engine, id: string, query: string, limit: number): Record<string, unknown>[] {
  return readingDocument(engine, id, (segment) => viewsOf(segment, search([segment], query, limit)));
}

/** On unless the request turns it off, as in the API. */
function mayAbstain(body: JsonObject): boolean {
  return body.enable_abstain !== false;
}

const NO_WORD = 'no section of the document holds any word of the question';

/** Several documents ranked as one collection: scores compare across them. `max_sections` holds for each. */
export async function postQueryMulti(engine: Engine, request: Request): Promise<Response> {
  const started = performance.now();
  const body = await readJson(request, MAX_QUERY_BODY);
  const ids = [...new Set(stringsField(body, 'document_ids'))];
  const query = stringField(body, 'query');
  if (ids.length === 0 || !query) throw new Refused(400, 'document_ids (non-empty) and query are required');
  const limit = sectionLimit(integerField(body, 'max_sections'));

  const errors: Record<string, string> = {};
  const segments = new Map<string, Segment>();
  const found: string[] = [];
  for (const id of ids) {
    const document = engine.store.get(id);
    if (!document) errors[id] = `load tree ${id}: db: not found`;
    else found.push(id);
    if (document?.segment) segments.set(id, document.segment);
  }
  if (found.length === 0) throw new Refused(500, `multi-doc retrieval failed: ${Object.values(errors)[0]}`);

  const find = (all: readonly Segment[]) =>
    mayAbstain(body) && whyUnrelated(clip(query), all) ? [] : search(all, clip(query), MOST_SECTIONS_OF_ALL);
  const hits = searchingDocuments(engine, segments, find, (id, reason) => {
    errors[id] = reason;
  });
  const byDocument = new Map<string, Hit[]>();
  for (const hit of hits) getOrAdd(byDocument, hit.segment.meta.id, () => []).push(hit);
  const documents = found.flatMap((id) => {
    if (errors[id] !== undefined) return [];
    try {
      const own = (byDocument.get(id) ?? []).slice(0, limit);
      const sections = own.length > 0 ? readingDocument(engine, id, (segment) => viewsOf(segment, own)) : [];
      return [{ document_id: id, sections, usage: NO_USAGE }];
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      errors[id] = error.message;
      return [];
    }
  });
  return json(200, {
    query,
    strategy: 'local',
    model: '',
    documents,
    errors,
    elapsed_ms: elapsed(started),
    total_usage: NO_USAGE,
  });
}

const NO_USAGE = { input_tokens: 0, output_tokens: 0, total_tokens: 0, llm_calls: 0, cost_usd: 0 };

function viewsOf(segment: Segment, hits: readonly Hit[]): Record<string, unknown>[] {
  const sections = segment.sections(hits.map(({ number }) => number));
  return sections.map((section, i) => ({
    ...sectionFields(segment.meta.id, hits[i]?.number ?? 0, section),
    score: Math.round((hits[i]?.score ?? 0) * 1000) / 1000,
  }));
}

function sectionLimit(asked: number): number {
  return asked > 0 ? Math.min(asked, MOST_SECTIONS) : DEFAULT_SECTIONS;
}

function clip(query: string): string {
  return query.slice(0, MAX_QUESTION);
}

function elapsed(started: number): number {
  return Math.round(performance.now() - started);
}
