import type { DocumentTree } from '@vectorless/sdk';
import * as z from 'zod';
import { tool } from '../tool.ts';
import { fence, inline } from './fence.ts';
import { treeOrNothing } from './headings.ts';
import { oneDocument } from './scope.ts';
import type { DocumentsService } from './service.ts';
import { documentFields, fieldsOf, idArgument, present } from './shapes.ts';

export const getDocument = tool<DocumentsService>()({
  name: 'vectorless_get_document',
  title: 'Get document',
  access: 'read',
  description:
    'Look at one document: its status, why it failed, its size, and how many of its pages could be read. Use it to see whether an ingest has finished, or whether parts of a document are missing.',
  input: z.object({ document_id: idArgument.describe('The document.') }),
  output: z.object({
    ...documentFields,
    updated_at: z.string(),
    section_count: z.int().optional(),
    page_count: z.int().optional(),
    pages_read: z.int().optional(),
  }),
  example: { document_id: 'doc_123' },
  aliases: { id: 'document_id', doc_id: 'document_id', document: 'document_id' },

  async run({ document_id }, { service, ...call }) {
    const document = await oneDocument(document_id, { service, ...call });
    const tree = document.status === 'ready' ? await treeOrNothing(document.id, service, call) : undefined;
    return present({
      ...fieldsOf(document, document.errorMessage),
      updated_at: document.updatedAt,
      section_count: tree?.sections.length ?? document.sectionCount,
      page_count: document.pageCount ?? lastPage(tree),
      pages_read: document.pagesRead ?? pagesWithText(tree),
    });
  },

  render(document) {
    const lines = Object.entries(document).map(([name, value]) => `${name}: ${inline(String(value), 300)}`);
    const { page_count = 0, pages_read = page_count } = document;
    const missing = page_count - pages_read;
    const warning =
      missing > 0 ? `\n${missing} of ${page_count} pages hold no readable text (scans or pictures).` : '';
    return `${fence(lines.join('\n'))}${warning}`;
  },
});

function lastPage(tree: DocumentTree | undefined): number | undefined {
  const ends = tree?.sections.map((section) => section.pageEnd ?? section.pageStart ?? 0) ?? [];
  return Math.max(0, ...ends) || undefined;
}

/** Pages that some section covers. */
function pagesWithText(tree: DocumentTree | undefined): number | undefined {
  const covered = new Set<number>();
  for (const { pageStart, pageEnd = pageStart } of tree?.sections ?? []) {
    for (let page = pageStart ?? 1; page <= (pageEnd ?? 0); page++) covered.add(page);
  }
  return covered.size || undefined;
}
