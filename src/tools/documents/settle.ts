import { type DocumentDetail, VectorlessError } from '@vectorless/sdk';
import { withinCall } from '../within-call.ts';
import { inline } from './fence.ts';
import type { Context } from './service.ts';
import { present, type Status, statusOf } from './shapes.ts';
import type { Ingested } from './upload.ts';

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
export async function settle(
  { documentId, document }: Ingested,
  waitSeconds: number,
  context: Context,
): Promise<Settled> {
  let last = document;
  const onStatus = (seen: DocumentDetail) => {
    last = seen;
    context.progress?.({ progress: shareDone[seen.status] ?? 50, total: 100, message: seen.status });
  };
  try {
    if (waitSeconds > 0 && last?.status !== 'ready') {
      const options = { ...withinCall(context, waitSeconds * 1000), onStatus };
      last = await context.service.client.documents.waitUntilReady(documentId, options);
    }
  } catch (error) {
    // The upload is done: whatever goes wrong while waiting, the agent gets the id and can ask again.
    if (!(error instanceof VectorlessError) || !passing.has(error.code)) throw error;
  }
  if (last === undefined) return { status: 'processing' };
  return present({
    status: statusOf(last),
    title: inline(last.title) || undefined,
    error: inline(last.errorMessage ?? '', 300) || undefined,
  });
}

const passing: ReadonlySet<VectorlessError['code']> = new Set([
  ...(['timeout', 'document_failed', 'connection', 'unavailable', 'server_error', 'rate_limited'] as const),
]);
