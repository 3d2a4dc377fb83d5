import { type Document, type QuerySection, VectorlessError } from '@vectorless/sdk';
import { withinCall } from '../within-call.ts';
import type { FailedDocument } from './scope.ts';
import type { Context } from './service.ts';

export interface Answer {
  readonly document: Document;
  readonly sections: readonly QuerySection[];
}

export interface Outcome {
  readonly answers: Answer[];
  readonly failed: FailedDocument[];
  /** Why the server gave nothing, where it says so. */
  readonly reason?: string | undefined;
}

/** Documents that one request asks about, and requests at once: bounded, so that the deadline can be kept. */
const batchSize = 8;
const batchesAtOnce = 2;
/** What a request may take at least while others wait for their turn. */
const leastMs = 15_000;
const noTimeMs = 1_000;

interface Search {
  readonly question: string;
  readonly maxSections: number;
  readonly context: Context;
  readonly outcome: Outcome;
  readonly errors: VectorlessError[];
  /** Documents of each request that is still to be made. */
  readonly waiting: (readonly Document[])[];
  /** Some servers have no route for several documents. */
  alone: boolean;
}

/** Asks about several documents in batches. What fails is named; only what would fail for all of them is thrown. */
export async function searchMany(
  question: string,
  documents: readonly Document[],
  maxSections: number,
  context: Context,
): Promise<Outcome> {
  // The embedded engine answers at once, and its scores compare within one request.
  const size = context.service.settings.local ? documents.length : batchSize;
  const waiting = Array.from({ length: Math.ceil(documents.length / size) }, (_, index) =>
    documents.slice(index * size, (index + 1) * size),
  );
  const outcome: Outcome = { answers: [], failed: [] };
  const search: Search = { question, maxSections, context, outcome, errors: [], waiting, alone: false };
  const worker = async () => {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      await searchBatch(batch, search);
      const done = outcome.answers.length + outcome.failed.length;
      context.progress?.({ progress: done, total: documents.length, message: `searched ${done} documents` });
    }
  };
  await Promise.all(Array.from({ length: batchesAtOnce }, worker));
  const [error] = search.errors;
  if (outcome.answers.length === 0 && error !== undefined) throw error;
  return outcome;
}

async function searchBatch(batch: readonly Document[], search: Search): Promise<void> {
  const { context, outcome } = search;
  if (context.deadline - Date.now() < noTimeMs) return fail(batch, 'not reached in time', outcome);
  if (!search.alone) {
    const error = await attempt(batch, askTogether, search);
    if (error === undefined) return;
    search.alone = true;
  }
  await Promise.all(
    batch.map(async (document) => {
      const error = await attempt([document], askOne, search);
      if (error !== undefined) fail([document], 'the server no longer has it', outcome);
    }),
  );
}

/** Adds the answers, or names what failed. Gives the error back where it says that there is nothing at that address. */
async function attempt(
  batch: readonly Document[],
  ask: (batch: readonly Document[], search: Search) => Promise<Answer[]>,
  search: Search,
): Promise<VectorlessError | undefined> {
  try {
    search.outcome.answers.push(...(await ask(batch, search)));
    return undefined;
  } catch (error) {
    if (!(error instanceof VectorlessError) || concernsAll.has(error.code)) throw error;
    if (isAbsent.has(error.code)) return error;
    search.errors.push(error);
    fail(batch, error.code === 'timeout' ? 'not reached in time' : cannotSearch, search.outcome);
    return undefined;
  }
}

async function askTogether(batch: readonly Document[], search: Search): Promise<Answer[]> {
  const { question, maxSections, context, outcome } = search;
  const documentIds = batch.map((document) => document.id);
  const { documents } = await context.service.client.queryMany(
    { documentIds, query: question, maxSections },
    timed(context, search.waiting.length),
  );
  const answers = batch.flatMap((document) => {
    const answer = documents.find(({ documentId }) => documentId === document.id);
    return answer === undefined ? [] : [{ document, sections: answer.sections }];
  });
  const answered = new Set(answers.map(({ document }) => document.id));
  fail(
    batch.filter(({ id }) => !answered.has(id)),
    cannotSearch,
    outcome,
  );
  return answers;
}

async function askOne([document]: readonly Document[], search: Search): Promise<Answer[]> {
  const { question, maxSections, context } = search;
  if (document === undefined) return [];
  const { sections } = await context.service.client.query(
    { documentId: document.id, query: question, maxSections },
    timed(context, search.waiting.length),
  );
  return [{ document, sections }];
}

const cannotSearch = 'the server could not search it; ask about it alone';

function fail(documents: readonly Document[], error: string, { failed }: Outcome): void {
  for (const document of documents) failed.push({ document_id: document.id, error });
}

const isAbsent: ReadonlySet<VectorlessError['code']> = new Set(['not_supported', 'not_found']);

/** Failures that the other batches would meet as well. */
const concernsAll: ReadonlySet<VectorlessError['code']> = new Set([
  ...(['aborted', 'unauthorized', 'forbidden', 'payment_required', 'tls'] as const),
]);

/** What is left of the call's time, shared with the batches that wait: one that hangs must not cost all the others. */
function timed(context: Context, waiting: number) {
  const rounds = 1 + Math.ceil(waiting / batchesAtOnce);
  return withinCall(context, Math.max(leastMs, (context.deadline - Date.now()) / rounds));
}
