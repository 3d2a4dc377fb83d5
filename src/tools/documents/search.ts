import { type Document, type QuerySection, VectorlessError } from '@vectorless/sdk';
import type { Call } from '../tool.ts';
import { inline } from './fence.ts';
import { complete, type Place, placesOf, treeOrNothing } from './headings.ts';
import type { DocumentsService } from './service.ts';

/** A section that a query found, with its document and its place in it. */
export interface FoundSection extends Place {
  readonly id: string;
  readonly documentId: string;
  readonly documentTitle: string;
  readonly title: string;
  readonly content: string;
  readonly score?: number | undefined;
}

export interface Found {
  /** Best first where the server ranks; else in the server's order, documents taking turns. */
  readonly sections: readonly FoundSection[];
  readonly failed: readonly { readonly document_id: string; readonly error: string }[];
  /** Documents that were searched. */
  readonly searched: number;
}

type Context = Call & { readonly service: DocumentsService };

interface Answer {
  readonly document: Document;
  readonly sections: readonly QuerySection[];
}

/** Documents that one request asks about, and requests at once: bounded, so that the deadline can be kept. */
const batchSize = 8;
const batchesAtOnce = 2;
/** Documents whose heading paths are worth a call of their own. */
const maxTrees = 12;

export async function search(
  question: string,
  documents: readonly Document[],
  maxSections: number,
  context: Context,
): Promise<Found> {
  const { answers, failed } =
    documents.length === 1
      ? await searchOne(question, documents, maxSections, context)
      : await searchMany(question, documents, maxSections, context);
  const sections = await locate(interleave(answers), context);
  return { sections, failed, searched: answers.length };
}

interface Outcome {
  readonly answers: Answer[];
  readonly failed: { document_id: string; error: string }[];
}

async function searchOne(
  question: string,
  [document]: readonly Document[],
  maxSections: number,
  context: Context,
): Promise<Outcome> {
  if (document === undefined) return { answers: [], failed: [] };
  const request = { documentId: document.id, query: question, maxSections };
  const streamed = context.progress === undefined ? undefined : await searchStream(request, context);
  const sections = streamed ?? (await context.service.client.query(request, options(context))).sections;
  return { answers: [{ document, sections }], failed: [] };
}

/** Sections as progress while the server finds them; nothing where it cannot stream or the stream broke off. */
async function searchStream(
  request: { documentId: string; query: string; maxSections: number },
  context: Context,
): Promise<QuerySection[] | undefined> {
  const found = new Map<string, QuerySection>();
  try {
    for await (const event of context.service.client.queryStream(request, options(context))) {
      if (event.type !== 'section' || found.has(event.section.id)) continue;
      found.set(event.section.id, event.section);
      context.progress?.({ progress: found.size, message: `found: ${inline(event.section.title, 80)}` });
    }
    return [...found.values()].slice(0, request.maxSections);
  } catch (error) {
    if (error instanceof VectorlessError && canAskPlainly.has(error.code)) return undefined;
    throw error;
  }
}

const canAskPlainly: ReadonlySet<VectorlessError['code']> = new Set([
  ...(['not_supported', 'not_found', 'bad_response', 'connection', 'server_error'] as const),
]);

async function searchMany(
  question: string,
  documents: readonly Document[],
  maxSections: number,
  context: Context,
): Promise<Outcome> {
  const outcome: Outcome = { answers: [], failed: [] };
  const batches = Array.from({ length: Math.ceil(documents.length / batchSize) }, (_, index) =>
    documents.slice(index * batchSize, (index + 1) * batchSize),
  );
  const worker = async () => {
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      await searchBatch(question, batch, maxSections, context, outcome);
      const done = outcome.answers.length + outcome.failed.length;
      context.progress?.({ progress: done, total: documents.length, message: `searched ${done} documents` });
    }
  };
  await Promise.all(Array.from({ length: batchesAtOnce }, worker));
  return outcome;
}

async function searchBatch(
  question: string,
  batch: readonly Document[],
  maxSections: number,
  context: Context,
  { answers, failed }: Outcome,
): Promise<void> {
  const fail = (document: Document, error: string) => failed.push({ document_id: document.id, error });
  if (context.deadline - Date.now() < 1_000) {
    for (const document of batch) fail(document, 'not reached in time; ask about it alone');
    return;
  }
  try {
    const documentIds = batch.map((document) => document.id);
    const result = await context.service.client.queryMany(
      { documentIds, query: question, maxSections },
      options(context),
    );
    for (const document of batch) {
      const answer = result.documents.find(({ documentId }) => documentId === document.id);
      if (answer === undefined) fail(document, 'the server could not search it');
      else answers.push({ document, sections: answer.sections });
    }
  } catch (error) {
    if (!(error instanceof VectorlessError) || !concernsOneBatch.has(error.code)) throw error;
    const reason =
      error.code === 'timeout' ? 'not reached in time; ask about it alone' : 'the server could not search it';
    for (const document of batch) fail(document, reason);
  }
}

/** Failures that say nothing about the other batches. */
const concernsOneBatch: ReadonlySet<VectorlessError['code']> = new Set([
  ...(['timeout', 'not_found', 'server_error', 'unavailable'] as const),
]);

/** By score where every section has one, else one of each document in turn. */
function interleave(answers: readonly Answer[]): FoundSection[] {
  const lists = answers.map(({ document, sections }) =>
    sections.map(
      (section): FoundSection => ({
        id: section.id,
        documentId: document.id,
        documentTitle: document.title,
        title: section.title,
        content: section.content,
        score: section.score,
        headingPath: section.headingPath,
        pageStart: section.pageStart,
        pageEnd: section.pageEnd,
      }),
    ),
  );
  const all = lists.flat();
  if (all.every((section) => section.score !== undefined)) {
    return all.sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
  }
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const turns = Array.from({ length: longest }, (_, turn) => lists.map((list) => list[turn]));
  return turns.flat().filter((section) => section !== undefined);
}

/** Adds heading paths and pages from the documents' trees where the server did not send them. */
async function locate(sections: readonly FoundSection[], context: Context): Promise<FoundSection[]> {
  const lacking = sections.filter((section) => section.headingPath === undefined);
  const documents = [...new Set(lacking.map((section) => section.documentId))].slice(0, maxTrees);
  const trees = await Promise.all(documents.map((id) => treeOrNothing(id, context.service, context)));
  const places = new Map(trees.flatMap((tree) => [...placesOf(tree)]));
  return sections.map((section) => ({ ...section, ...complete(section, places) }));
}

function options({ signal, deadline }: Context) {
  return { signal, timeoutMs: Math.max(1, deadline - Date.now()) };
}
