import * as z from 'zod';
import { tool } from '../tool.ts';
import { withinCall } from '../within-call.ts';
import { inline, quoted } from './fence.ts';
import { oneDocument } from './scope.ts';
import type { DocumentsService } from './service.ts';
import { idArgument } from './shapes.ts';

export const deleteDocument = tool<DocumentsService>()({
  name: 'vectorless_delete_document',
  title: 'Delete document',
  access: 'delete',
  description:
    'Delete a document and all its sections for good. Use it only when the user asks for it; check with vectorless_list_documents that it is the right one. There is no undo.',
  input: z.object({ document_id: idArgument.describe('Id of the document to delete.') }),
  output: z.object({ document_id: z.string(), title: z.string(), deleted: z.boolean() }),
  example: { document_id: 'doc_123' },
  aliases: { id: 'document_id', doc_id: 'document_id' },

  async run({ document_id }, { service, ...call }) {
    const document = await oneDocument(document_id, { service, ...call }, { byTitle: false });
    await service.client.documents.delete(document.id, withinCall(call));
    return { document_id: document.id, title: inline(document.title, 200), deleted: true };
  },

  render: ({ document_id, title }) => `Deleted ${document_id} (${quoted(title)}) and all its sections.`,
});
