import * as z from 'zod';
import { type Call, Refusal, tool } from '../tool.ts';
import { layOut } from './layout.ts';
import { type QueryOutput, queryOutput } from './query-output.ts';
import { renderQuery } from './render-query.ts';
import { type Chosen, maxDocuments, namedDocuments, visibleDocuments } from './scope.ts';
import { search } from './search.ts';
import type { DocumentsService } from './service.ts';
import { present, statusOf, titleOf } from './shapes.ts';

const whatItDoes =
  'Search the user’s documents. Use it for any question that their files, reports, manuals or notes may answer, before you answer from memory. Returns whole sections with title, heading path, pages and a vectorless:// URI to cite; vectorless_get_section reads on where one was cut.';
const wordsHelp =
  ' Put the question first, then words the document itself likely uses (for "capex": "purchases of property, plant and equipment").';

export const query = tool<DocumentsService>()({
  name: 'vectorless_query',
  title: 'Search documents',
  access: 'read',
  description: ({ settings }) => (settings.local ? whatItDoes + wordsHelp : whatItDoes),
  input: z.object({
    query: z.string().trim().min(1).describe('The question or topic, in plain words.'),
    document_id: z.string().min(1).optional().describe('The document to search.'),
    document_ids: z.array(z.string()).optional().describe('Or several.'),
    max_sections: z.int().min(1).max(50).default(10).describe('How many sections at most.'),
  }),
  output: queryOutput,
  example: { query: 'How many days of remote work are allowed?', document_id: 'doc_123' },
  aliases: {
    ...{
      q: 'query',
      question: 'query',
      user_query: 'query',
      search: 'query',
      text: 'query',
      prompt: 'query',
    },
    ...{ doc_id: 'document_id', document: 'document_id', id: 'document_id', file: 'document_id' },
    ...{ doc_ids: 'document_ids', documents: 'document_ids', ids: 'document_ids' },
    ...{ limit: 'max_sections', top_k: 'max_sections', k: 'max_sections', max_results: 'max_sections' },
  },

  async run(
    { query: question, document_id, document_ids, max_sections },
    { service, ...call },
  ): Promise<QueryOutput> {
    const named = [...(document_id === undefined ? [] : [document_id]), ...(document_ids ?? [])];
    const chosen =
      named.length > 0
        ? await namedDocuments(named, { service, ...call })
        : await unnamedDocuments(service, call);
    if ('choose_from' in chosen) return { sections: [], searched: 0, choose_from: chosen.choose_from };
    if (chosen.ready.length === 0) return nothingToSearch(chosen);
    const found = await search(question, chosen.ready, max_sections, { service, ...call });
    const failed = [...chosen.failed, ...found.failed];
    return present({
      ...layOut(found.sections, max_sections, service.settings.maxResultTokens),
      failed: failed.length > 0 ? failed : undefined,
      searched: found.searched,
    });
  },

  render: renderQuery,
});

type Unnamed = Chosen | { readonly choose_from: { document_id: string; title: string }[] };

/** No document named: the default documents, the only ready one, all of them where that is allowed, or a choice. */
async function unnamedDocuments(service: DocumentsService, call: Call): Promise<Unnamed> {
  if (service.only.length > 0) return namedDocuments(service.only, { service, ...call });
  const ready = await visibleDocuments({ service, ...call }, 'ready');
  if (ready.length === 0) throw await nothingReady(service, call);
  if (ready.length === 1 || service.settings.searchAll) {
    const left = ready.slice(maxDocuments);
    const error = 'not searched: at most 50 documents at once; name it in document_ids';
    return {
      ready: ready.slice(0, maxDocuments),
      failed: left.map(({ id }) => ({ document_id: id, error })),
    };
  }
  return {
    choose_from: ready
      .slice(0, 25)
      .map((document) => ({ document_id: document.id, title: titleOf(document) })),
  };
}

async function nothingReady(service: DocumentsService, call: Call): Promise<Refusal> {
  const others = await visibleDocuments({ service, ...call });
  if (others.length === 0) {
    return new Refusal(
      'There are no documents yet. Call vectorless_ingest_document with a path, url or text first.',
    );
  }
  const pending = others.filter((document) => statusOf(document) === 'processing').length;
  return new Refusal(
    pending > 0
      ? `No document is ready yet; ${pending} still in processing. Try again in a little while.`
      : 'No document is ready: all of them failed. Call vectorless_list_documents for the reasons.',
  );
}

function nothingToSearch({ failed }: Chosen): QueryOutput {
  const waiting = failed.filter(({ error }) => error.includes('still being processed'));
  if (waiting.length > 0) return { sections: [], searched: 0, failed: [...failed] };
  const reasons = failed.map(({ document_id, error }) => `${document_id}: ${error}`).join('\n');
  throw new Refusal(
    `Nothing could be searched.\n${reasons}\nCall vectorless_list_documents for the ids that exist.`,
  );
}
