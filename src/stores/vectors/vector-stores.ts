import type { Metadata } from './metadata.ts';

export const metrics = ['cosine', 'dot', 'euclidean'] as const;
export type Metric = (typeof metrics)[number];

/** Named stores of vectors, kept apart by owner. Two adapters: in memory, and in memory with a durable log. */
export interface VectorStores {
  /** Cheap, and creates nothing. `owner` is opaque and need not be fit for a file name. */
  of(owner: string): OwnedStores;
  close(): Promise<void>;
}

/** What one owner can do. Every method throws `VectorRefusal` for what the caller can put right. */
export interface OwnedStores {
  /** Replaces a vector of the same id wholly; it keeps its place in the order of insertion. */
  add(vector: NewVector): Promise<'added' | 'updated'>;
  /** Whether the vector was there. */
  delete(place: { store: string; namespace: string; id: string }): Promise<boolean>;
  /** Exact. Does not create a store, and throws the signal's reason once it aborts. */
  search(search: Search): Promise<Found>;
  /** The whole store without a namespace; 0 for what does not exist. */
  count(place: { store: string; namespace?: string | undefined }): Promise<number>;
}

export interface NewVector {
  readonly store: string;
  readonly namespace: string;
  readonly id: string;
  /** Finite numbers, at least one; the first vector of a namespace fixes how many. */
  readonly embedding: Float32Array;
  readonly metadata: Metadata;
}

export interface Search {
  readonly store: string;
  /** The whole store when absent. */
  readonly namespace?: string | undefined;
  readonly query: Float32Array;
  readonly k: number;
  /** Every key must be present and deeply equal. */
  readonly filter: Metadata;
  readonly signal: AbortSignal;
}

export interface Match {
  readonly id: string;
  readonly namespace: string;
  /** The metric's own value. */
  readonly score: number;
  readonly metadata: Metadata;
}

export interface Found {
  /** Best first: highest for cosine and dot, lowest for euclidean; ties in order of insertion. */
  readonly matches: readonly Match[];
  /** How many vectors were scored, after namespace and filter. */
  readonly searched: number;
  /** Vectors that were passed over because their namespace has another dimension than the query. */
  readonly incomparable: number;
}

/** Something the caller can put right, in a sentence; nothing was changed. */
export class VectorRefusal extends Error {
  override readonly name = 'VectorRefusal';
}
