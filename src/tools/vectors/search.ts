import * as z from 'zod';
import type { Metric } from '../../stores/vectors/vector-stores.ts';
import { tool } from '../tool.ts';
import { embeddingArgument, toEmbedding } from './embedding.ts';
import { fitResults } from './fit-results.ts';
import { metadataArgument, toMetadata } from './metadata-argument.ts';
import { placeAliases, storeArgument, toNamespace, toStore } from './place.ts';
import { errorText, refuse } from './refuse.ts';
import type { VectorsService } from './service.ts';

const maxK = 1000;

const scores: Readonly<Record<Metric, string>> = {
  cosine: 'cosine similarity, highest first',
  dot: 'dot product, highest first',
  euclidean: 'euclidean distance, lowest first',
};

export const search = tool<VectorsService>()({
  name: 'vector_search',
  title: 'Search vectors',
  access: 'read',
  errorText,
  description: ({ metric }) =>
    `Find the stored vectors nearest to a query embedding of the same model. Returns ids, scores (${scores[metric]}) and metadata, never the embeddings; ties come in order of insertion. Without a namespace the whole store is searched and each result names its namespace.`,
  input: z.object({
    query: embeddingArgument.describe('Query embedding.'),
    k: z.int().max(maxK).default(10).describe(`How many results, 1 to ${maxK}.`),
    store_name: storeArgument,
    namespace: z.string().optional().describe('Namespace to search; the whole store when absent.'),
    metadata_filter: metadataArgument.describe('Key-value pairs that the metadata must contain.'),
  }),
  output: z.object({
    results: z.array(
      z.object({
        id: z.string(),
        score: z.number(),
        metadata: z.record(z.string(), z.unknown()).optional(),
        namespace: z.string().optional(),
      }),
    ),
    total_searched: z.int(),
    note: z.string().optional(),
  }),
  example: { query: [0.1, 0.2, 0.3, 0.4], k: 3, metadata_filter: { source: 'arxiv' } },
  aliases: {
    ...{ embedding: 'query', vector: 'query', query_embedding: 'query', query_vector: 'query' },
    ...{ top_k: 'k', limit: 'k', n: 'k', n_results: 'k', max_results: 'k' },
    ...{ filter: 'metadata_filter', where: 'metadata_filter', filters: 'metadata_filter' },
    ...placeAliases,
  },
  asGiven: ['query'],

  async run({ query: given, k, store_name, namespace, metadata_filter }, { service, signal }) {
    const query = toEmbedding(given, 'Query embedding must be a non-empty array');
    if (k < 1) throw refuse(`k must be an integer from 1 to ${maxK}`);
    const within = toNamespace(namespace);
    const { matches, searched, incomparable } = await service.stores.search({
      store: toStore(store_name),
      namespace: within,
      ...{ query, k, signal, filter: toMetadata('metadata_filter', metadata_filter) },
    });
    const { results, left } = fitResults(matches, within === undefined, service.maxResultTokens);
    const notes = [
      ...left,
      ...(incomparable > 0
        ? [
            `${incomparable === 1 ? '1 vector' : `${incomparable} vectors`} in namespaces of another dimension than ${query.length} ${incomparable === 1 ? 'was' : 'were'} not searched.`,
          ]
        : []),
    ];
    return { results, total_searched: searched, ...(notes.length > 0 && { note: notes.join(' ') }) };
  },

  render: (output) => JSON.stringify(output),
});
