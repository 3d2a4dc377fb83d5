import { type Document, type DocumentDetail, VectorlessError } from '@vectorless/sdk';
import { type Call, Refusal } from '../tool.ts';
import { inline } from './fence.ts';
import { toDocumentId } from './handle.ts';
import type { DocumentsService } from './service.ts';
import { statusOf, titleOf } from './shapes.ts';

/** What a call works on: documents that are ready, and those that cannot be read, each with its reason. */
export interface Chosen {
  readonly ready: readonly Document[];
  readonly failed: readonly { readonly document_id: string; readonly error: string }[];
}

type Context = Pick<Call, 'signal' | 'deadline'> & { readonly service: DocumentsService };

/** At most this many documents are looked at in one call. */
export const maxDocuments = 50;
const lookupsAtOnce = 8;

export function notHere(what: string): Refusal {
  return new Refusal(
    `${what} Call vectorless_query for section ids, or vectorless_list_documents for documents.`,
  );
}

/** Looks up the named documents; a title is taken for an id where it is exact and unique. */
export async function namedDocuments(given: readonly string[], context: Context): Promise<Chosen> {
  const ids = [...new Set(given.map(toDocumentId).filter((id) => id !== ''))];
  if (ids.length > maxDocuments) {
    throw new Refusal(
      `At most ${maxDocuments} documents fit in one call; ${ids.length} were named. Split the call.`,
    );
  }
  const found = await lookUp(ids, context);
  const missing = ids.filter((id) => found.get(id) === undefined);
  const known = missing.length > 0 ? await visibleDocuments(context) : [];
  const ready = new Map<string, Document>();
  const failed: { document_id: string; error: string }[] = [];
  for (const id of ids) {
    const document = found.get(id) ?? byTitle(id, known);
    if (document === undefined) failed.push({ document_id: id, error: noSuchDocument(id, known) });
    else if (statusOf(document) === 'ready') ready.set(document.id, document);
    else failed.push({ document_id: document.id, error: notReady(document) });
  }
  return { ready: [...ready.values()], failed };
}

/** The one document that a call is about, whatever its state. */
export async function oneDocument(
  given: string,
  context: Context,
  { byTitle: titlesCount = true } = {},
): Promise<DocumentDetail> {
  const id = toDocumentId(given);
  const found = (await lookUp([id], context)).get(id);
  if (found !== undefined) return found;
  const known = await visibleDocuments(context);
  const named = titlesCount ? byTitle(id, known) : undefined;
  const document = named === undefined ? undefined : (await lookUp([named.id], context)).get(named.id);
  if (document !== undefined) return document;
  const reason = noSuchDocument(id, known);
  throw new Refusal(`${inline(id)}: ${reason}. Call vectorless_list_documents for the ids that exist.`);
}

/** Documents that this server shows, newest first; at most one large page of them. */
export async function visibleDocuments(context: Context, status?: string): Promise<readonly Document[]> {
  const { service } = context;
  if (service.only.length === 0) {
    const page = await service.client.documents.list(
      { limit: 200, ...(status !== undefined && { status }) },
      options(context),
    );
    return page.documents;
  }
  const found = await lookUp(service.only, context);
  const documents = [...found.values()].filter((document) => document !== undefined);
  return status === undefined ? documents : documents.filter((document) => document.status === status);
}

/** By id; undefined where there is none, or none that this server shows. Other failures are thrown. */
export async function lookUp(
  ids: readonly string[],
  context: Context,
): Promise<ReadonlyMap<string, DocumentDetail | undefined>> {
  const { service } = context;
  const found = new Map<string, DocumentDetail | undefined>();
  const queue = ids.filter((id) => service.only.length === 0 || service.only.includes(id));
  const worker = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      found.set(id, await orUndefined(service.client.documents.get(id, options(context))));
    }
  };
  await Promise.all(Array.from({ length: Math.min(lookupsAtOnce, queue.length) }, worker));
  return found;
}

async function orUndefined<T>(pending: Promise<T>): Promise<T | undefined> {
  try {
    return await pending;
  } catch (error) {
    if (error instanceof VectorlessError && error.code === 'not_found') return undefined;
    throw error;
  }
}

function options({ signal, deadline }: Pick<Call, 'signal' | 'deadline'>) {
  return { signal, timeoutMs: Math.max(1, deadline - Date.now()) };
}

const bareTitle = (title: string) =>
  title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\.[a-z0-9]{2,8}$/, '')
    .trim();

function byTitle(title: string, known: readonly Document[]): Document | undefined {
  const matches = known.filter((document) => bareTitle(document.title) === bareTitle(title));
  return matches.length === 1 ? matches[0] : undefined;
}

function noSuchDocument(id: string, known: readonly Document[]): string {
  const near = nearest(id, known).map((document) => `${document.id} ("${titleOf(document)}")`);
  return near.length === 0 ? 'no such document' : `no such document; did you mean ${near.join(' or ')}?`;
}

/** Up to three documents whose title or id shares most with what was asked for. */
function nearest(id: string, known: readonly Document[]): Document[] {
  const wanted = trigrams(id);
  return known
    .map((document) => {
      const score = Math.max(
        overlap(wanted, trigrams(document.title)),
        overlap(wanted, trigrams(document.id)),
      );
      return { document, score };
    })
    .filter(({ score }) => score >= 0.35)
    .sort((a, b) => b.score - a.score)
    .slice(0, 3)
    .map(({ document }) => document);
}

function trigrams(text: string): Set<string> {
  const plain = `  ${bareTitle(text).replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
  return new Set(
    Array.from({ length: Math.max(0, plain.length - 2) }, (_, index) => plain.slice(index, index + 3)),
  );
}

/** Sørensen–Dice coefficient. */
function overlap(a: Set<string>, b: Set<string>): number {
  let shared = 0;
  for (const gram of a) if (b.has(gram)) shared++;
  return (2 * shared) / Math.max(1, a.size + b.size);
}

export function notReady(document: Document): string {
  if (document.status === 'failed') {
    return 'it could not be processed; vectorless_list_documents says why';
  }
  return 'it is still being processed; try again in a little while';
}
