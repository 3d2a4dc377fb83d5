import { setTimeout as sleep } from 'node:timers/promises';
import type { FoundFile } from './find-documents.ts';
import type { IngestRecord } from './ingest-record.ts';
import type { Session } from './session.ts';

export interface Outcome {
  readonly status: 'added' | 'there' | 'unchanged' | 'failed';
  readonly detail?: string;
}

/** Ids that one look at the list may name. */
const lookupSize = 50;
const firstCheckMs = 50;
const slowestCheckMs = 1_000;
/** A document that is not ready by then counts as failed; another run finds it when it is. */
const longestProcessingMs = 15 * 60_000;

/** Ingests one file and waits until it is ready. */
export async function ingestFile(file: FoundFile, record: IngestRecord, session: Session): Promise<Outcome> {
  // Waited for below: the document must be in the record before anything can stop us.
  const { ok, text, structured } = await session.call('vectorless_ingest_document', {
    ...{ path: file.path, retry: true, wait: false },
  });
  if (!ok) return { status: 'failed', detail: text.split('\n')[0] ?? '' };
  const { document_id, already_ingested } = structured;
  const id = String(document_id);
  if (already_ingested !== true) await record.noteAdded(file.path, id);
  const { status, error } = await settled(id, structured, session);
  if (status !== 'ready')
    return { status: 'failed', detail: error ?? 'still being processed; run this again later' };
  await record.noteReady(file, id);
  return { status: already_ingested === true ? 'there' : 'added' };
}

interface State {
  readonly status: string;
  readonly error?: string | undefined;
}

async function settled(
  id: string,
  first: Readonly<Record<string, unknown>>,
  session: Session,
): Promise<State> {
  let state: State = {
    status: String(first.status),
    error: first.error === undefined ? undefined : String(first.error),
  };
  const deadline = Date.now() + longestProcessingMs;
  let pause = firstCheckMs;
  while (state.status === 'processing' && Date.now() < deadline) {
    await sleep(pause);
    pause = Math.min(pause * 2, slowestCheckMs);
    state = (await look([id], session))[0] ?? { status: 'failed', error: 'it was deleted meanwhile' };
  }
  return state;
}

export interface Listed extends State {
  readonly document_id: string;
}

/** Those of the documents that are there. */
export async function look(ids: readonly string[], session: Session): Promise<readonly Listed[]> {
  const found: Listed[] = [];
  for (let start = 0; start < ids.length; start += lookupSize) {
    const { ok, text, structured } = await session.call('vectorless_list_documents', {
      ...{ document_ids: ids.slice(start, start + lookupSize), limit: lookupSize },
    });
    if (!ok) throw new TypeError(text);
    found.push(...(structured.documents as readonly Listed[]));
  }
  return found;
}
