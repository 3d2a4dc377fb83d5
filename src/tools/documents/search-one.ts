import { type Document, type QueryRequest, type QuerySection, VectorlessError } from '@vectorless/sdk';
import { withinCall } from '../within-call.ts';
import { inline } from './fence.ts';
import type { Outcome } from './search-many.ts';
import type { Context } from './service.ts';

/** Asks about one document; as a stream where the client wants progress and the server can. */
export async function searchOne(
  question: string,
  document: Document,
  maxSections: number,
  context: Context,
): Promise<Outcome> {
  const request = { documentId: document.id, query: question, maxSections };
  const streamed = context.progress === undefined ? undefined : await searchStream(request, context);
  if (streamed === undefined) {
    const result = await context.service.client.query(request, withinCall(context));
    // Another server's reason may quote the document, and would stand outside the fence.
    const reason = context.service.settings.local ? result.abstentionReason : undefined;
    return { answers: [{ document, sections: result.sections }], failed: [], reason };
  }
  const error = 'searched only in part: the server was not done in time';
  return {
    answers: [{ document, sections: streamed.sections }],
    failed: streamed.isWhole ? [] : [{ document_id: document.id, error }],
  };
}

/** Sections as progress while the server finds them; nothing where it cannot stream or the stream broke off. */
async function searchStream(
  request: QueryRequest & { maxSections: number },
  context: Context,
): Promise<{ sections: QuerySection[]; isWhole: boolean } | undefined> {
  const found = new Map<string, QuerySection>();
  const sections = () => [...found.values()].slice(0, request.maxSections);
  try {
    for await (const event of context.service.client.queryStream(request, withinCall(context))) {
      if (event.type !== 'section' || found.has(event.section.id)) continue;
      found.set(event.section.id, event.section);
      context.progress?.({ progress: found.size, message: `found: ${inline(event.section.title, 80)}` });
    }
    return { sections: sections(), isWhole: true };
  } catch (error) {
    if (!(error instanceof VectorlessError)) throw error;
    // The time is used up: what was found until now is more than nothing.
    if (error.code === 'timeout' && found.size > 0) return { sections: sections(), isWhole: false };
    if (concernsEveryCall.has(error.code)) throw error;
    return undefined;
  }
}

/** Failures that a plain call would meet as well. Whatever else ends a stream, the plain call may serve. */
const concernsEveryCall: ReadonlySet<VectorlessError['code']> = new Set([
  ...(['aborted', 'timeout', 'unauthorized', 'forbidden', 'payment_required'] as const),
  ...(['rate_limited', 'tls'] as const),
]);
