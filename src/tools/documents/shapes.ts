import type { Document } from '@vectorless/sdk';
import * as z from 'zod';
import { inline } from './fence.ts';

/** Shapes that several tools share, as agents see them. */

/** `processing` stands for every state on the way to `ready` or `failed`. */
export type Status = 'ready' | 'processing' | 'failed';

export function statusOf(document: Pick<Document, 'status'>): Status {
  if (document.status === 'ready') return 'ready';
  return document.status === 'failed' ? 'failed' : 'processing';
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
