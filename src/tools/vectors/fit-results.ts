import type { Metadata } from '../../stores/vectors/metadata.ts';
import type { Match } from '../../stores/vectors/vector-stores.ts';
import { estimateTokens } from '../budget.ts';

export interface Result {
  id: string;
  score: number;
  metadata?: Metadata;
  namespace?: string;
}

/** Tokens for what stands around the results. */
const frame = 100;
/** Metadata that did not fit, after which no more is tried: measuring it takes time that other callers want. */
const maxMisses = 10;

/**
 * Results within a budget, best first. Half of it is for ids and scores, so that large metadata cannot crowd them out;
 * then comes metadata, each whole or not at all; then what else has room. `left` says in sentences what is missing.
 */
export function fitResults(
  matches: readonly Match[],
  namesNamespace: boolean,
  maxTokens: number,
): { results: Result[]; left: string[] } {
  const results: Result[] = [];
  let room = maxTokens - frame;
  let misses = 0;

  function place(reserve: number): void {
    for (const { id, score, namespace } of matches.slice(results.length)) {
      const result = { id, score, ...(namesNamespace && { namespace }) };
      const cost = costOf({ ...result, metadata: {} });
      if (room - cost < reserve && results.length > 0) return;
      room = Math.max(0, room - cost);
      results.push(result);
    }
  }

  function describe(from: number): void {
    for (const [index, result] of results.entries()) {
      if (index < from) continue;
      const metadata = matches[index]?.metadata ?? {};
      const cost = misses > maxMisses ? Number.POSITIVE_INFINITY : costOf(metadata);
      if (cost > room) misses++;
      else {
        room -= cost;
        result.metadata = metadata;
      }
    }
  }

  place(room / 2);
  describe(0);
  const described = results.length;
  place(0);
  describe(described);
  return { results, left: whatIsLeft(matches.length - results.length, misses) };
}

function whatIsLeft(results: number, metadata: number): string[] {
  const missing = [
    ...(results > 0 ? [`${results} more results`] : []),
    ...(metadata > 0 ? [`the metadata of ${metadata} results`] : []),
  ];
  if (missing.length === 0) return [];
  return [
    `To keep the answer short it leaves out ${missing.join(' and ')}; ask with a smaller k or a narrower metadata_filter.`,
  ];
}

/** A comma or a brace more than the parts. */
const costOf = (value: object): number => estimateTokens(JSON.stringify(value)) + 1;
