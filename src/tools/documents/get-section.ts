import { type Document, type Section, VectorlessError } from '@vectorless/sdk';
import * as z from 'zod';
import { pieceOf } from '../budget.ts';
import { Refusal, tool } from '../tool.ts';
import { withinCall } from '../within-call.ts';
import { fence, inline } from './fence.ts';
import { sectionUri, toDocumentId, toSectionId } from './handle.ts';
import { headingsOf } from './headings.ts';
import { brief, costOf, headings } from './layout.ts';
import { absent, lookUpEach } from './scope.ts';
import type { Context, DocumentsService } from './service.ts';
import { idArgument, nameOf, pages, present } from './shapes.ts';

/** Tokens of a result beside the section and its fields: fence, and the call that goes on. */
const frameTokens = 110;

export const getSection = tool<DocumentsService>()({
  name: 'vectorless_get_section',
  title: 'Get section',
  access: 'read',
  description:
    'Read one section of a document in full. Use it with a section_id or vectorless:// URI from vectorless_query when its text was cut or you need the exact wording. Long sections come in pages: call again with next_offset as offset until there is none.',
  input: z.object({
    section_id: idArgument.describe('Section id or vectorless:// URI from vectorless_query.'),
    offset: z.int().min(0).default(0).describe('next_offset of the previous page.'),
  }),
  output: z.object({
    section_id: z.string(),
    uri: z.string(),
    document_id: z.string(),
    title: z.string(),
    heading_path: z.array(z.string()).optional(),
    page_start: z.int().optional(),
    page_end: z.int().optional(),
    content: z.string(),
    offset: z.int(),
    next_offset: z.int().optional(),
    total_chars: z.int(),
  }),
  example: { section_id: 'sec_123' },
  aliases: {
    id: 'section_id',
    section: 'section_id',
    uri: 'section_id',
    cursor: 'offset',
    next_offset: 'offset',
  },

  async run({ section_id, offset }, { service, ...call }) {
    const section = await sectionNamed(section_id, { service, ...call });
    if (service.only.length > 0 && !service.only.includes(section.documentId)) {
      throw new Refusal(
        `There is no section ${inline(section.id, 100)} on this server. vectorless_query gives the ids of sections.`,
      );
    }
    const known = await headingsOf(section, service, call);
    const start = Math.min(offset, section.content.length);
    const place = present({
      section_id: section.id,
      uri: sectionUri(section.documentId, section.id),
      document_id: section.documentId,
      title: brief(section.title, 45),
      heading_path: headings(known.headingPath),
      page_start: known.pageStart,
      page_end: known.pageEnd,
      offset: start,
      total_chars: section.content.length,
    });
    const room = service.settings.maxResultTokens - frameTokens - costOf(place);
    const { content, nextOffset } = pieceOf(section.content, start, room);
    return present({ ...place, content, next_offset: nextOffset });
  },

  render(section, { offered }) {
    const place = [section.heading_path?.join(' › '), pages(section.page_start, section.page_end)];
    const text = [
      `## ${section.title}`,
      place.filter((part) => part !== undefined && part !== '').join(' · '),
      section.content,
    ];
    const end = section.offset + section.content.length;
    if (section.content === '' && section.offset > 0) {
      return `The section ends at character ${section.total_chars}: there is nothing more to read. Cite it as ${section.uri}`;
    }
    if (section.content === '') {
      const below = offered.has('vectorless_get_outline')
        ? ` vectorless_get_outline ${JSON.stringify({ document_id: section.document_id, section_id: section.section_id })} lists them.`
        : '';
      return `${fence(text.filter((line) => line !== '').join('\n\n'))}\nThis heading has no text of its own; the sections below it have.${below}`;
    }
    const next =
      section.next_offset === undefined
        ? `This is the ${section.offset === 0 ? 'whole section' : 'end of the section'}. Cite it as ${section.uri}`
        : `Characters ${section.offset}–${end} of ${section.total_chars}. To go on: vectorless_get_section ${JSON.stringify({ section_id: section.section_id, offset: section.next_offset })}`;
    return `${fence(text.filter((line) => line !== '').join('\n\n'))}\n${next}`;
  },
});

async function sectionNamed(given: string, context: Context): Promise<Section> {
  const { client, offered } = context.service;
  const id = toSectionId(given);
  if (id === undefined) throw documentInstead(toDocumentId(given), inline(toDocumentId(given), 100), offered);
  try {
    return await client.sections.get(id, withinCall(context));
  } catch (error) {
    if (!(error instanceof VectorlessError) || !absent.has(error.code)) throw error;
    const document = await documentWith(id, context);
    throw document === undefined ? error : documentInstead(id, nameOf(document), offered);
  }
}

async function documentWith(id: string, context: Context): Promise<Document | undefined> {
  try {
    return (await lookUpEach([id], context)).found.get(id);
  } catch (error) {
    if (error instanceof VectorlessError && !context.signal.aborted) return undefined;
    throw error;
  }
}

/** Models take the id of a document for that of a section, and the server only says that there is no such section. */
function documentInstead(id: string, name: string, offered: ReadonlySet<string>): Refusal {
  const calls = [
    `search it with vectorless_query ${JSON.stringify({ document_id: id, query: '…' })}`,
    offered.has('vectorless_get_outline') &&
      `see its sections with vectorless_get_outline ${JSON.stringify({ document_id: id })}`,
  ].filter((call) => call !== false);
  return new Refusal(`${name} is a document, not a section: ${calls.join(', or ')}.`);
}
