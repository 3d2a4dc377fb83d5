import type { Failure } from '../store/catalog.ts';

/** `index`: parse the stored document at `path`. `reindex`: analyse the text of the segment at `path` again. */
export interface IndexingJob {
  readonly kind: 'index' | 'reindex';
  readonly path: string;
}

export type IndexingOutcome =
  | { readonly segment: Uint8Array }
  | { readonly code: Failure['code']; readonly message: string };
