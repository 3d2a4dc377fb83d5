import type { Document } from '@vectorless/sdk';
import * as z from 'zod';
import { type Call, Refusal, tool } from '../tool.ts';
import { inline } from './fence.ts';
import { costOf, layOut, whatFits } from './layout.ts';
import { byTitleWords } from './near-titles.ts';
import { type QueryOutput, queryOutput } from './query-output.ts';
import { renderQuery } from './render-query.ts';
import {
  type Chosen,
  type FailedDocument,
  leftOver,
  maxDocuments,
  namedDocuments,
  visibleDocuments,
  whereIdsAre,
} from './scope.ts';
import { type Found, search } from './search.ts';
import type { DocumentsService } from './service.ts';
import { idArgument, idsArgument, nameOf, present, questionArgument, statusOf, titleOf } from './shapes.ts';

const whatItDoes =
  'Search the user’s documents. Use it for any question that their files, reports, manuals or notes may answer, before you answer from memory. Returns whole sections with title, heading path, pages and a vectorless:// URI to cite; vectorless_get_section reads on where one was cut.';
const wordsHelp =
  ' Put the question first, then words the document likely uses (for "capex": "purchases of property, plant and equipment").';

/** Of the budget, what the documents that were not searched may take beside those that were. */
const failuresShare = 0.2;
const choiceFrameTokens = 90;
/** Of the documents in which nothing was found, how many are named. */
const mostSearchedIn = 3;

export const query = tool<DocumentsService>()({
  name: 'vectorless_query',
  title: 'Search documents',
  access: 'read',
  description: ({ settings }) => (settings.local ? whatItDoes + wordsHelp : whatItDoes),
  input: z.object({
    query: questionArgument.describe('The question or topic, in plain words.'),
    document_id: idArgument.optional().describe('The document to search.'),
    document_ids: idsArgument.optional().describe('Or several.'),
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
    ...{ doc: 'document_id', filename: 'document_id', document_title: 'document_id', uri: 'document_id' },
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
        : await unnamedDocuments(question, service, call);
    if ('choose_from' in chosen) return { sections: [], searched: 0, ...chosen };
    const budget = service.settings.maxResultTokens;
    if (chosen.ready.length === 0) return nothingToSearch(chosen, budget, service.offered);
    const found = await search(question, chosen.ready, max_sections, { service, ...call });
    const failures = fitFailures([...chosen.failed, ...found.failed], budget * failuresShare);
    const room = budget - (failures.failed === undefined ? 0 : costOf(failures));
    return {
      ...layOut(found.sections, max_sections, room),
      ...failures,
      searched: found.searched.length,
      ...(found.sections.length === 0 && {
        searched_in: searchedIn(found),
      }),
    };
  },

  render: renderQuery,
});

/** Names of documents in which nothing was found; of a single one also why, where the server says so. */
function searchedIn({ searched, reason }: Found): string[] {
  const names = searched.slice(0, mostSearchedIn).map(nameOf);
  return reason === undefined
    ? names
    : names.map((name) => `${name}: ${inline(reason, 300).replace(/\.$/, '')}`);
}

type Choice = Required<Pick<QueryOutput, 'choose_from'>> & Pick<QueryOutput, 'more_to_choose_from'>;

/** No document named: the default documents, the only ready one, all of them where that is allowed, or a choice. */
async function unnamedDocuments(
  question: string,
  service: DocumentsService,
  call: Call,
): Promise<Chosen | Choice> {
  if (service.only.length > 0) return namedDocuments(service.only, { service, ...call });
  const ready = await visibleDocuments({ service, ...call }, { status: 'ready' });
  if (ready.length === 0) throw await nothingReady(service, call);
  if (ready.length > 1 && !service.settings.searchAll) return choice(question, ready, service);
  const likely = ready.length > maxDocuments ? byTitleWords(question, ready) : ready;
  return { ready: likely.slice(0, maxDocuments), failed: leftOver(likely.map(({ id }) => id)) };
}

function choice(question: string, ready: readonly Document[], { settings }: DocumentsService): Choice {
  const entries = byTitleWords(question, ready)
    .slice(0, 25)
    .map((document) => ({ document_id: document.id, title: titleOf(document, 120) }));
  const shown = whatFits(entries, settings.maxResultTokens - choiceFrameTokens);
  const others = ready.length - shown.length;
  return present({ choose_from: shown, more_to_choose_from: others > 0 ? others : undefined });
}

/** Every document that was not searched is named, as far as names leave room for sections. */
function fitFailures(
  failed: readonly FailedDocument[],
  budget: number,
): Pick<QueryOutput, 'failed' | 'more_failed'> {
  if (failed.length === 0) return {};
  const [first, ...rest] = failed;
  const shown = first === undefined ? [] : [first, ...whatFits(rest, budget - costOf(first))];
  const others = failed.length - shown.length;
  return present({ failed: shown, more_failed: others > 0 ? others : undefined });
}

async function nothingReady(service: DocumentsService, call: Call): Promise<Refusal> {
  const others = await visibleDocuments({ service, ...call });
  if (others.length === 0) {
    const advice = service.offered.has('vectorless_ingest_document')
      ? 'Add one with vectorless_ingest_document first.'
      : 'This server cannot take any in: tell the user.';
    return new Refusal(`There are no documents yet. ${advice}`);
  }
  const pending = others.filter((document) => statusOf(document) === 'processing').length;
  return new Refusal(
    pending > 0
      ? `No document is ready yet; ${pending} still being processed. Try again in a little while.`
      : 'No document is ready: all of them failed. Call vectorless_list_documents for the reasons.',
  );
}

function nothingToSearch({ failed }: Chosen, budget: number, offered: ReadonlySet<string>): QueryOutput {
  const waiting = failed.filter(({ error }) => error.includes('still being processed'));
  const shown = fitFailures(failed, budget - choiceFrameTokens);
  if (waiting.length > 0) return { sections: [], searched: 0, ...shown };
  const reasons = (shown.failed ?? []).map(({ document_id, error }) => `${document_id}: ${error}`);
  if (shown.more_failed !== undefined) reasons.push(`and ${shown.more_failed} more`);
  throw new Refusal(['Nothing could be searched.', ...reasons, whereIdsAre(offered)].join('\n'));
}
