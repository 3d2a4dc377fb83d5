import { type DocumentDetail, VectorlessError } from '@vectorless/sdk';
import { inline } from './fence.ts';
import type { Context } from './service.ts';
import { present, type Status, statusOf } from './shapes.ts';
import { withinCall } from './within-call.ts';

export interface Settled {
  readonly status: Status;
  readonly title?: string;
  readonly error?: string;
}

/** Typical share of the work behind each state: servers say what they do, not how far they are. */
const shareDone: Readonly<Record<string, number>> = {
  pending: 20,
  parsing: 45,
  summarizing: 75,
  ready: 100,
  failed: 100,
};

/** Waits for the document, but never longer than was asked for: the id is what matters, and it must come in time. */
export async function settle(documentId: string, waitSeconds: number, context: Context): Promise<Settled> {
  let last: DocumentDetail | undefined;
  const onStatus = (document: DocumentDetail) => {
    last = document;
    context.progress?.({ progress: shareDone[document.status] ?? 50, total: 100, message: document.status });
  };
  if (waitSeconds === 0) return { status: 'processing' };
  const options = { ...withinCall(context, waitSeconds * 1000), onStatus };
  try {
    last = await context.service.client.documents.waitUntilReady(documentId, options);
  } catch (error) {
    // The upload is done: whatever goes wrong while waiting, the agent gets the id and can ask again.
    if (!(error instanceof VectorlessError) || error.code === 'aborted') throw error;
    if (
      !['timeout', 'document_failed', 'connection', 'unavailable', 'server_error', 'rate_limited'].includes(
        error.code,
      )
    ) {
      throw error;
    }
  }
  if (last === undefined) return { status: 'processing' };
  return present({
    status: statusOf(last),
    title: inline(last.title) || undefined,
    error: last.errorMessage === undefined ? undefined : inline(last.errorMessage, 300) || undefined,
  });
}
