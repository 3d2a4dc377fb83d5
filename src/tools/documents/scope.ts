import { type Document, type DocumentDetail, VectorlessError } from '@vectorless/sdk';
import { Refusal } from '../tool.ts';
import { withinCall } from '../within-call.ts';
import { inline } from './fence.ts';
import { toDocumentId } from './handle.ts';
import { noSuchDocument, titled } from './near-titles.ts';
import type { Context as ServiceContext } from './service.ts';
import { statusOf } from './shapes.ts';

/** What a call works on: documents that are ready, and those that cannot be read, each with its reason. */
export interface Chosen {
  readonly ready: readonly Document[];
  readonly failed: readonly FailedDocument[];
}

export interface FailedDocument {
  readonly document_id: string;
  readonly error: string;
}

type Context = Pick<ServiceContext, 'signal' | 'deadline' | 'service'>;

/** At most this many documents are looked at in one call. */
export const maxDocuments = 50;
const lookupsAtOnce = 8;
/** A look at one document is quick; one that hangs must not take the call's time from the others. */
const lookupWithinMs = 12_000;
/** What is longer is a title, or a mistake, and no part of an address. */
const longestId = 256;
/** Pages of the library that are gone through for a title or for all that is ready. */
const maxPages = 5;

/** Where ids are found, for a caller who may not have the tool that lists them. */
export function whereIdsAre(offered: ReadonlySet<string>): string {
  return offered.has('vectorless_list_documents')
    ? 'vectorless_list_documents shows the ids that exist.'
    : 'Ask the user which document is meant.';
}

/** Looks up the named documents; a title is taken for an id where only one document has it. */
export async function namedDocuments(given: readonly string[], context: Context): Promise<Chosen> {
  const all = [...new Set(given.map(toDocumentId).filter((id) => id !== ''))];
  const ids = all.slice(0, maxDocuments);
  const { found, failures } = await lookUpEach(ids, context);
  const missing = ids.filter((id) => found.get(id) === undefined && !failures.has(id));
  const known = missing.length > 0 ? await visibleDocuments(context) : [];
  const ready = new Map<string, Document>();
  const failed: FailedDocument[] = leftOver(all);
  for (const id of ids) {
    const document = found.get(id) ?? (failures.has(id) ? undefined : byTitle(id, known));
    if (document === undefined) {
      const error = failures.has(id) ? 'it could not be looked up; try again' : noSuchDocument(id, known);
      failed.push({ document_id: inline(id, 100), error });
    } else if (statusOf(document) === 'ready') ready.set(document.id, document);
    else failed.push({ document_id: document.id, error: notReady(document) });
  }
  return { ready: [...ready.values()], failed };
}

/** What is beyond the first fifty is named, so that a next call can take it. */
export function leftOver(ids: readonly string[]): FailedDocument[] {
  const error = `not searched: at most ${maxDocuments} documents at once; name it in a call of its own`;
  return ids.slice(maxDocuments).map((id) => ({ document_id: inline(id, 100), error }));
}

/** The one document that a call is about, whatever its state. */
export async function oneDocument(
  given: string,
  context: Context,
  { byTitle: titlesCount = true } = {},
): Promise<DocumentDetail> {
  const id = toDocumentId(given);
  const found = id === '' ? undefined : (await lookUp([id], context)).get(id);
  if (found !== undefined) return found;
  const known = await visibleDocuments(context);
  const named = titlesCount ? byTitle(id, known) : undefined;
  const document = named === undefined ? undefined : (await lookUp([named.id], context)).get(named.id);
  if (document !== undefined) return document;
  const reason = noSuchDocument(id, known);
  throw new Refusal(`${inline(id, 100)}: ${reason}\n${whereIdsAre(context.service.offered)}`);
}

/** Documents that this server shows, newest first: all of them, or the newest thousand. */
export async function visibleDocuments(
  context: Context,
  { status, pages = maxPages }: { status?: string; pages?: number } = {},
): Promise<readonly Document[]> {
  const { service } = context;
  if (service.only.length > 0) {
    const { found } = await lookUpEach(service.only, context);
    const documents = service.only.map((id) => found.get(id)).filter((document) => document !== undefined);
    return status === undefined ? documents : documents.filter((document) => document.status === status);
  }
  const documents = new Map<string, Document>();
  let cursor: string | undefined;
  for (let page = 0; page < pages && (page === 0 || cursor !== undefined); page++) {
    const known = {
      limit: 200,
      ...(status !== undefined && { status }),
      ...(cursor !== undefined && { cursor }),
    };
    const answer = await service.client.documents.list(known, withinCall(context));
    for (const document of answer.documents) documents.set(document.id, document);
    cursor = answer.nextCursor;
  }
  return [...documents.values()];
}

/** By id; undefined where there is none, or none that this server shows. Other failures are thrown. */
export async function lookUp(
  ids: readonly string[],
  context: Context,
): Promise<ReadonlyMap<string, DocumentDetail | undefined>> {
  const { found, failures } = await lookUpEach(ids, context);
  for (const error of failures.values()) throw error;
  return found;
}

interface LookedUp {
  readonly found: ReadonlyMap<string, DocumentDetail | undefined>;
  readonly failures: ReadonlyMap<string, VectorlessError>;
}

/** As `lookUp`, with the failures of single documents beside what was found. One that all share is thrown. */
export async function lookUpEach(ids: readonly string[], context: Context): Promise<LookedUp> {
  const { service, signal } = context;
  const found = new Map<string, DocumentDetail | undefined>();
  const failures = new Map<string, VectorlessError>();
  const queue = ids.filter(
    (id) => id.length <= longestId && (service.only.length === 0 || service.only.includes(id)),
  );
  const wanted = queue.length;
  const worker = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      try {
        const lookup = service.client.documents.get(id, withinCall(context, lookupWithinMs));
        found.set(id, await orUndefined(lookup));
      } catch (error) {
        if (!(error instanceof VectorlessError) || signal.aborted) throw error;
        failures.set(id, error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(lookupsAtOnce, queue.length) }, worker));
  if (failures.size === wanted) for (const error of failures.values()) throw error;
  return { found, failures };
}

/** What cannot be an id at all is refused by some servers with 400: there is no such document, either. */
async function orUndefined<T>(pending: Promise<T>): Promise<T | undefined> {
  try {
    return await pending;
  } catch (error) {
    if (error instanceof VectorlessError && absent.has(error.code)) return undefined;
    throw error;
  }
}

export const absent: ReadonlySet<VectorlessError['code']> = new Set(['not_found', 'invalid_request']);

function byTitle(title: string, known: readonly Document[]): Document | undefined {
  const matches = titled(title, known);
  return matches.length === 1 ? matches[0] : undefined;
}

export function notReady(document: Document & Partial<Pick<DocumentDetail, 'errorMessage'>>): string {
  if (document.status === 'failed') {
    const reason = inline(document.errorMessage ?? '', 160).replace(/\.$/, '');
    return `it could not be processed${reason === '' ? '; vectorless_list_documents says why' : `: ${reason}`}`;
  }
  return 'it is still being processed; try again in a little while';
}
