import * as z from 'zod';
import { tool } from '../tool.ts';
import { embeddingArgument, largeDimension, toEmbedding } from './embedding.ts';
import { metadataArgument, toMetadata } from './metadata-argument.ts';
import { idAliases, idArgument, placeAliases, storeArgument, toId, toNamespace, toStore } from './place.ts';
import { errorText } from './refuse.ts';
import { defaultNamespace, type VectorsService } from './service.ts';

export const add = tool<VectorsService>()({
  name: 'vector_add',
  title: 'Add vector',
  access: 'write',
  errorText,
  overwrites: true,
  description:
    'Store an embedding that you already have, with optional metadata, so that vector_search finds it later. An id that exists is overwritten, metadata included. The first vector fixes the dimension of its namespace. Metadata is stored as it is: put no secrets in it.',
  input: z.object({
    id: idArgument,
    embedding: embeddingArgument.describe('The embedding vector.'),
    metadata: metadataArgument.describe('Any key-value pairs.'),
    store_name: storeArgument,
    namespace: z.string().optional().describe('Namespace in the store; the default one when absent.'),
  }),
  output: z.object({
    status: z.enum(['added', 'updated']),
    id: z.string(),
    dimension: z.int(),
    note: z.string().optional(),
  }),
  example: { id: 'doc-abc-123', embedding: [0.1, 0.2, 0.3, 0.4], metadata: { source: 'arxiv' } },
  aliases: { vector: 'embedding', values: 'embedding', ...idAliases, ...placeAliases },
  asGiven: ['embedding'],

  async run({ id, embedding: given, metadata, store_name, namespace }, { service, ...call }) {
    const embedding = toEmbedding(given, 'Embedding must be a non-empty array of numbers');
    const vector = {
      store: toStore(store_name),
      namespace: toNamespace(namespace) ?? defaultNamespace,
      id: toId(id),
      embedding,
      metadata: toMetadata('metadata', metadata),
    };
    await service.admit(call);
    const status = await service.stores.add(vector);
    const dimension = embedding.length;
    if (dimension <= largeDimension) return { status, id, dimension };
    const note = `Embeddings of more than ${largeDimension} dimensions take much memory; a smaller model is usually as good.`;
    return { status, id, dimension, note };
  },

  render: (output) => JSON.stringify(output),
});
