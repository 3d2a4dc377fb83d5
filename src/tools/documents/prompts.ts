import type { BoundPrompt } from '../toolset.ts';
import { completeDocument } from './completion.ts';
import { documentUri } from './handle.ts';
import type { DocumentsService } from './service.ts';

const citeRule =
  'Cite after each statement: section title, page and vectorless:// URI. Say so plainly where the documents are silent; do not fill gaps from memory.';

/** Prompts that a person picks from a client's menu. */
export function documentPrompts(service: DocumentsService): readonly BoundPrompt[] {
  const complete = { document_id: completeDocument(service) };
  return [
    {
      name: 'summarize-document',
      title: 'Summarise a document',
      description: 'A summary of one document that cites its sections and pages.',
      needs: ['vectorless_query', 'vectorless_get_section'],
      arguments: [{ name: 'document_id', description: 'The document to summarise.', required: true }],
      complete,
      render: ({ document_id = '' }) =>
        [
          `Summarise the document ${JSON.stringify(document_id)} in five to ten points.`,
          `Its outline is the resource ${documentUri(document_id)}. Use vectorless_query with this document_id for its purpose, main findings, figures, and conclusions or duties; read what was cut with vectorless_get_section.`,
          citeRule,
        ].join('\n\n'),
    },
    {
      name: 'answer-with-sources',
      title: 'Answer with sources',
      description: 'An answer from the user’s documents in which every statement has its source.',
      needs: ['vectorless_query'],
      arguments: [
        { name: 'question', description: 'What you want to know.', required: true },
        {
          name: 'document_id',
          description: 'The document to look in; all of them when left out.',
          required: false,
        },
      ],
      complete,
      render: ({ question = '', document_id }) => {
        const findIt = service.offered.has('vectorless_list_documents')
          ? 'Find the right document with vectorless_list_documents if you do not know it yet.'
          : 'Called without a document it names those to choose from.';
        const where =
          document_id === undefined || document_id === ''
            ? findIt
            : `Look in the document ${JSON.stringify(document_id)}.`;
        return [
          `Answer this from my documents: ${question}`,
          `Use vectorless_query, in other words too if the first ones find nothing. ${where}`,
          citeRule,
        ].join('\n\n');
      },
    },
  ];
}
