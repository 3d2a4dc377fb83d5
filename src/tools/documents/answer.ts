import type { AnswerResult, Citation } from '@vectorless/sdk';
import * as z from 'zod';
import { pieceOf } from '../budget.ts';
import { Refusal, tool } from '../tool.ts';
import { withinCall } from '../within-call.ts';
import { fence, inline } from './fence.ts';
import { sectionUri } from './handle.ts';
import { costOf, whatFits } from './layout.ts';
import { notReady, oneDocument } from './scope.ts';
import type { DocumentsService } from './service.ts';
import { idArgument, pages, present, questionArgument, statusOf } from './shapes.ts';

const citation = z.object({
  section_id: z.string().optional(),
  uri: z.string().optional(),
  title: z.string().optional(),
  page_start: z.int().optional(),
  page_end: z.int().optional(),
  quote: z.string().optional(),
});

/** Of the budget, what all citations together may take. */
const citationShare = 0.35;
const frameTokens = 90;

export const answer = tool<DocumentsService>()({
  name: 'vectorless_answer',
  title: 'Answer from a document',
  access: 'read',
  description:
    'Let the server write an answer from one document, with quoted and page-numbered citations. Use vectorless_query instead when you want to read the sections yourself. With by_pages the server walks a paged document (PDF) page by page: slower, for questions that need several places at once.',
  input: z.object({
    query: questionArgument.describe('The question.'),
    document_id: idArgument.describe('The document.'),
    by_pages: z.boolean().default(false).describe('Walk the pages; PDF only.'),
  }),
  output: z.object({
    document_id: z.string(),
    answer: z.string(),
    citations: z.array(citation),
    answered: z.boolean(),
  }),
  example: { query: 'What was the capital expenditure in 2018?', document_id: 'doc_123' },
  aliases: { question: 'query', q: 'query', id: 'document_id', doc_id: 'document_id' },

  async run({ query, document_id, by_pages }, { service, ...call }) {
    const document = await oneDocument(document_id, { service, ...call });
    if (statusOf(document) !== 'ready') throw new Refusal(`${document.id}: ${notReady(document)}.`);
    const { client, settings } = service;
    const request = { documentId: document.id, query };
    const options = withinCall(call);
    const result = by_pages
      ? await client.answerTreewalk(request, options)
      : await client.answer(request, options);
    const sources = citations(result, settings.maxResultTokens * citationShare);
    const room = settings.maxResultTokens - frameTokens - costOf(sources);
    const { content, nextOffset } = pieceOf(result.answer, 0, room);
    return {
      document_id: document.id,
      answer: nextOffset === undefined ? content : `${content.trimEnd()} […]`,
      citations: sources,
      answered: !result.abstained && result.answer.trim() !== '',
    };
  },

  render(result) {
    if (!result.answered) {
      return 'The document does not answer this. Call vectorless_query with other words to look for yourself.';
    }
    const sources = result.citations.map((cited) => {
      const place = [cited.title, pages(cited.page_start, cited.page_end), cited.uri];
      const quote = cited.quote === undefined ? '' : `: “${cited.quote}”`;
      return `- ${place.filter((part) => part !== undefined && part !== '').join(' · ')}${quote}`;
    });
    if (sources.length === 0) {
      return `${fence(result.answer)}\nNo sources were given: look for them with vectorless_query before you rely on it.`;
    }
    return `${fence([result.answer, '', 'Sources:', ...sources].join('\n'))}\nCheck a source with vectorless_get_section before you rely on it.`;
  },
});

/** As many as fit: a quote is cut before a citation is left out. */
function citations(
  { documentId, citations: cited }: AnswerResult,
  budget: number,
): z.output<typeof citation>[] {
  const share = Math.max(20, budget / Math.max(1, cited.length) - 120);
  const shaped = cited.slice(0, 20).map((source: Citation) => {
    const sectionId = source.sectionIds[0];
    return present({
      section_id: sectionId,
      uri: sectionId === undefined ? undefined : sectionUri(documentId, sectionId),
      title: source.title === undefined ? undefined : inline(source.title, 80),
      page_start: source.pageStart,
      page_end: source.pageEnd,
      quote: source.quote === undefined ? undefined : pieceOf(inline(source.quote, 400), 0, share).content,
    });
  });
  return whatFits(shaped, budget);
}
