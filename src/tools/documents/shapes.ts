import type { Document } from '@vectorless/sdk';
import * as z from 'zod';
import { pieceOf } from '../budget.ts';
import { inline, quoted } from './fence.ts';

/** Shapes that several tools share, as agents see them. */

/** `processing` stands for every state on the way to `ready` or `failed`. */
export type Status = 'ready' | 'processing' | 'failed';

export function statusOf(document: Pick<Document, 'status'>): Status {
  if (document.status === 'ready') return 'ready';
  return document.status === 'failed' ? 'failed' : 'processing';
}

/** Arguments, bounded: what is longer is no id and no question, and would only keep the server busy. */
export const idArgument = z.string().min(1).max(2_000);
export const idsArgument = z.array(z.string().max(2_000)).max(1_000);
export const questionArgument = z.string().trim().min(1).max(10_000);

/** What every view of a document tells of it. */
export const documentFields = {
  document_id: z.string(),
  title: z.string(),
  status: z.string(),
  content_type: z.string(),
  byte_size: z.int(),
  created_at: z.string(),
  error: z.string().optional(),
};

/** Of the reason why a document failed, in tokens. */
export const errorTokens = 80;

/** `error` is why the document failed, which a listing does not say: only the document itself does. */
export function fieldsOf(document: Document, error: string | undefined) {
  const reason = pieceOf(inline(error ?? '', 300), 0, errorTokens).content;
  return present({
    document_id: document.id,
    title: inline(document.title),
    status: statusOf(document),
    content_type: inline(document.contentType, 80),
    byte_size: document.byteSize,
    created_at: document.createdAt,
    error: reason === '' ? undefined : reason,
  });
}

export const failedDocument = z.object({ document_id: z.string(), error: z.string() });

export function pages(start: number | undefined, end: number | undefined): string | undefined {
  if (start === undefined) return undefined;
  return end === undefined || end === start ? `page ${start}` : `pages ${start}–${end}`;
}

/** Title for a line of text; documents without one go by their id. */
export function titleOf(document: Pick<Document, 'title' | 'id'>, limit?: number): string {
  const title = inline(document.title, limit);
  return title === '' ? document.id : title;
}

/** Id and title, for one of our own sentences. */
export function nameOf(document: Pick<Document, 'title' | 'id'>): string {
  return `${document.id} (${quoted(titleOf(document))})`;
}

/** The same fields, those that may be undefined made optional. */
type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves out what is undefined: absent rather than null. */
export function present<T extends Record<string, unknown>>(fields: T): Present<T> {
  const kept: Record<string, unknown> = {};
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name];
  return kept as Present<T>;
}
