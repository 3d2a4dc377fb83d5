import * as z from 'zod';
import { tool } from '../tool.ts';
import { idAliases, idArgument, placeAliases, storeArgument, toId, toNamespace, toStore } from './place.ts';
import { errorText } from './refuse.ts';
import { defaultNamespace, type VectorsService } from './service.ts';

export const deleteVector = tool<VectorsService>()({
  name: 'vector_delete',
  title: 'Delete vector',
  access: 'delete',
  errorText,
  description:
    'Remove one vector by its id, for good. Says whether it was there; an id that does not exist is no error. Without a namespace it looks in the default one only.',
  input: z.object({
    id: idArgument,
    store_name: storeArgument,
    namespace: z.string().optional().describe('Namespace that holds it; the default one when absent.'),
  }),
  output: z.object({ deleted: z.boolean(), id: z.string() }),
  example: { id: 'doc-abc-123' },
  aliases: { ...idAliases, ...placeAliases },

  async run({ id, store_name, namespace }, { service }) {
    const deleted = await service.stores.delete({
      store: toStore(store_name),
      namespace: toNamespace(namespace) ?? defaultNamespace,
      id: toId(id),
    });
    return { deleted, id };
  },

  render: (output) => JSON.stringify(output),
});
