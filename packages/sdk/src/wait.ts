import { setTimeout as sleep } from 'node:timers/promises';
import type { Documents } from './client.ts';
import { VectorlessError, type VectorlessErrorCode } from './errors.ts';
import type { CallOptions, DocumentDetail } from './types.ts';

const firstDelayMs = 250;
const longestDelayMs = 3_000;
const longestLookMs = 30_000;
const growth = 1.6;
const defaultTimeoutMs = 15 * 60_000;
/** `failed` is believed when it is still there after this: some queues write it before they try again. */
const secondLookMs = 1_000;
/** Looks in a row that may go wrong, each with its own retries, before the wait does. */
const toleratedFailures = 3;

const passing: ReadonlySet<VectorlessErrorCode> = new Set([
  'connection',
  'unavailable',
  'rate_limited',
  'timeout',
]);

/** A document, and the request that told about it. */
export interface Look {
  readonly document: DocumentDetail;
  readonly requestId: string;
}

export function createWait(
  look: (documentId: string, options: CallOptions) => Promise<Look>,
): Documents['waitUntilReady'] {
  return async (documentId, { signal, timeoutMs = defaultTimeoutMs, onStatus } = {}) => {
    const endsAt = performance.now() + timeoutMs;
    const remaining = () => endsAt - performance.now();
    const fail = (code: VectorlessErrorCode, message: string, cause?: unknown) =>
      new VectorlessError({ code, message, documentId, requestId, cause });
    let requestId: string | undefined;
    let last: DocumentDetail | undefined;
    let delay = firstDelayMs;
    let failures = 0;

    for (;;) {
      let current: DocumentDetail | undefined;
      try {
        const seen = await look(documentId, { signal, timeoutMs: Math.min(longestLookMs, remaining()) });
        current = seen.document;
        requestId = seen.requestId;
        failures = 0;
      } catch (error) {
        const tolerated = error instanceof VectorlessError && passing.has(error.code);
        if (!tolerated || ++failures > toleratedFailures) throw error;
        requestId = error.requestId;
      }
      if (current !== undefined) {
        onStatus?.(current);
        if (current.status === 'ready') return current;
        if (current.status === 'failed' && last?.status === 'failed') {
          throw fail('document_failed', current.errorMessage ?? 'The document could not be read.');
        }
        last = current;
      }

      if (remaining() <= 0) throw fail('timeout', `The document is still "${last?.status ?? 'unknown'}".`);
      // Jitter keeps many waits that began together from asking together.
      const pause = delay * (0.75 + Math.random() / 2);
      const wait =
        current?.status === 'failed' ? Math.min(secondLookMs, remaining() / 2) : Math.min(pause, remaining());
      delay = Math.min(longestDelayMs, delay * growth);
      await sleep(Math.max(1, wait), undefined, { signal }).catch((reason) => {
        throw fail('aborted', 'The wait was cancelled.', reason);
      });
      if (remaining() <= 1) throw fail('timeout', `The document is still "${last?.status ?? 'unknown'}".`);
    }
  };
}
