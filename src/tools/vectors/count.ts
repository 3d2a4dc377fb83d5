import * as z from 'zod';
import { tool } from '../tool.ts';
import { placeAliases, storeArgument, toNamespace, toStore } from './place.ts';
import { errorText } from './refuse.ts';
import type { VectorsService } from './service.ts';

export const count = tool<VectorsService>()({
  name: 'vector_count',
  title: 'Count vectors',
  access: 'read',
  errorText,
  description:
    'Count the vectors in a store, or in one of its namespaces; 0 when it does not exist. Use it to see whether there is anything for vector_search to find.',
  input: z.object({
    store_name: storeArgument,
    namespace: z.string().optional().describe('Namespace to count; the whole store when absent.'),
  }),
  output: z.object({ count: z.int(), store_name: z.string() }),
  example: { store_name: 'project_embeddings', namespace: 'chapter-1' },
  aliases: placeAliases,

  async run({ store_name, namespace }, { service }) {
    const store = toStore(store_name);
    return {
      count: await service.stores.count({ store, namespace: toNamespace(namespace) }),
      store_name: store,
    };
  },

  render: (output) => JSON.stringify(output),
});
