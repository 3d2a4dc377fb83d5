/** Chosen by measurement: docs/retrieval.md has what each is worth. Indexes of `weight` and `b` follow FIELDS. */
export interface RankingParameters {
  readonly k1: number;
  /** Weight of a term in the body, the section's titles, its ancestors' titles, and its first words. */
  readonly weight: readonly number[];
  /** How far each field's frequency is normalised by its length. */
  readonly b: readonly number[];
  readonly proximity: {
    readonly depth: number;
    readonly window: number;
    readonly ordered: number;
    readonly unordered: number;
  };
  /** What a document that the question names gains, as a share of the best score. */
  readonly documentMatch: number;
  readonly centrality: { readonly weight: number; readonly otherwise: number };
}

/** Documents of so many sections on average are told from each other by their text alone. */
export const FEW_SECTIONS = 5;

export const PARAMETERS: RankingParameters = {
  k1: 2,
  weight: [1, 4, 6, 0.5],
  b: [0.75, 0.5, 0.5, 0.5],
  proximity: { depth: 100, window: 8, ordered: 0.3, unordered: 0.15 },
  documentMatch: 0.8,
  centrality: { weight: 0.5, otherwise: 0.5 },
};
