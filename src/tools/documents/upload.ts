import { type BlobLike, type DocumentDetail, type IngestReceipt, VectorlessError } from '@vectorless/sdk';
import type { DocumentSource } from '../../sources/document-source.ts';
import { Refusal } from '../tool.ts';
import { withinCall } from '../within-call.ts';
import type { Context } from './service.ts';

export interface Ingested {
  readonly documentId: string;
  /** The same bytes and name had been sent before. */
  readonly already: boolean;
  /** What has become of it since; absent when it was only just taken in. */
  readonly document?: DocumentDetail | undefined;
}

/**
 * A key outlives what happened under it: a server replays errors of an upload that broke off, and ids of documents
 * that were deleted since. So a dead key leads to the next of a chain that everyone with the same file walks alike.
 */
const maxKeys = 3;

/** Uploads the document, or finds it where it was uploaded before. `retry` starts afresh where it had failed. */
export async function upload(source: DocumentSource, retry: boolean, context: Context): Promise<Ingested> {
  let key = digest(source.sha256, source.filename, source.contentType);
  for (let tries = 1; ; tries++) {
    const outcome = await send(source, key, context);
    const isLast = tries === maxKeys;
    if (outcome instanceof VectorlessError) {
      if (isLast) throw outcome;
      key = digest(key, '', String(outcome.status));
      continue;
    }
    const state = await stateOf(outcome, context);
    if (state === 'gone') {
      if (isLast) return { documentId: outcome.documentId, already: false };
      key = digest(key, outcome.documentId, 'gone');
      continue;
    }
    if (state?.status === 'failed' && retry && !isLast) {
      // Without its failed document the key is free again, so that a later plain call finds the new one.
      if (!(await removed(outcome.documentId, context))) key = digest(key, outcome.documentId, 'failed');
      continue;
    }
    const already = outcome.replayed || (outcome.status !== 'pending' && tries === 1);
    return { documentId: outcome.documentId, already, document: state };
  }
}

/** The receipt, or the error that the server replays for this key and always will. */
async function send(
  source: DocumentSource,
  idempotencyKey: string,
  context: Context,
): Promise<IngestReceipt | VectorlessError> {
  const { filename, contentType } = source;
  const { content, refusal } = watched(source.body);
  context.progress?.({ progress: 1, total: 100, message: 'uploading' });
  try {
    return await context.service.client.documents.ingest(
      { content, filename, contentType, idempotencyKey },
      withinCall(context),
    );
  } catch (error) {
    const cause = refusal();
    if (cause !== undefined) throw cause;
    if (error instanceof VectorlessError && error.replayed) return error;
    throw error;
  }
}

/** What is wrong with the document itself is worth more than what the server says to half of it. */
function watched(body: BlobLike): { content: BlobLike; refusal(): Refusal | undefined } {
  let refusal: Refusal | undefined;
  async function* stream() {
    try {
      yield* body.stream();
    } catch (error) {
      if (error instanceof Refusal) refusal = error;
      throw error;
    }
  }
  return { content: { size: body.size, stream }, refusal: () => refusal };
}

/** What has become of the document where it was there before; a fresh receipt is believed. */
async function stateOf(
  { documentId, replayed, status }: IngestReceipt,
  context: Context,
): Promise<DocumentDetail | 'gone' | undefined> {
  if (!replayed && status === 'pending') return undefined;
  try {
    return await context.service.client.documents.get(documentId, withinCall(context));
  } catch (error) {
    if (!(error instanceof VectorlessError) || error.code !== 'not_found') throw error;
    return replayed || status === 'failed' ? 'gone' : undefined;
  }
}

async function removed(documentId: string, context: Context): Promise<boolean> {
  try {
    await context.service.client.documents.delete(documentId, withinCall(context));
    return true;
  } catch (error) {
    if (!(error instanceof VectorlessError) || error.code === 'aborted') throw error;
    return error.code === 'not_found';
  }
}

function digest(...parts: readonly string[]): string {
  return process
    .getBuiltinModule('node:crypto')
    .createHash('sha256')
    .update(JSON.stringify(parts))
    .digest('hex');
}
