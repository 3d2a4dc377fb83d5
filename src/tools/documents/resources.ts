import { VectorlessError } from '@vectorless/sdk';
import { estimateTokens, pieceOf } from '../budget.ts';
import type { Call } from '../tool.ts';
import { type BoundResource, ResourceMissing } from '../toolset.ts';
import { withinCall } from '../within-call.ts';
import { completeDocument, completeSection } from './completion.ts';
import { fence } from './fence.ts';
import { documentUri, sectionUri } from './handle.ts';
import { headingsOf } from './headings.ts';
import { brief, headings } from './layout.ts';
import { outlineLine, outlineOf } from './outline.ts';
import { lookUp, visibleDocuments } from './scope.ts';
import type { DocumentsService } from './service.ts';
import { pages, statusOf, titleOf } from './shapes.ts';

const mimeType = 'text/markdown';
/** Documents that are offered one by one in a client's list of resources. */
const mostListed = 100;
const frameTokens = 250;
const outlineDepth = 4;

/** What is there, the outline of each document, and each section by its URI. */
export function documentResources(service: DocumentsService): readonly BoundResource[] {
  return [
    {
      name: 'documents',
      title: 'Documents',
      description: 'What there is: every document with id, title and status.',
      mimeType,
      uri: 'vectorless://documents',
      isTemplate: false,
      reachedBy: ['vectorless_list_documents'],
      read: (_variables, call) => documentList(service, call),
    },
    {
      name: 'document-outline',
      title: 'Outline of a document',
      description: 'The section tree of one document, with ids, pages and sizes.',
      mimeType,
      uri: 'vectorless://documents/{document_id}',
      isTemplate: true,
      reachedBy: ['vectorless_query', 'vectorless_get_section', 'vectorless_get_outline'],
      list: (call) => listed(service, call),
      read: ({ document_id = '' }, call) => documentOutline(document_id, service, call),
      complete: { document_id: completeDocument(service) },
    },
    {
      name: 'section',
      title: 'Section of a document',
      description: 'The text of one section, with its place in the document.',
      mimeType,
      uri: 'vectorless://documents/{document_id}/sections/{section_id}',
      isTemplate: true,
      reachedBy: ['vectorless_query', 'vectorless_get_section'],
      read: ({ document_id = '', section_id = '' }, call) =>
        sectionText(document_id, section_id, service, call),
      complete: { document_id: completeDocument(service), section_id: completeSection(service) },
    },
  ];
}

async function documentList(service: DocumentsService, call: Call): Promise<string> {
  const documents = await visibleDocuments({ service, ...call });
  const lines = documents.map(
    (document) => `- ${titleOf(document)} · ${statusOf(document)} · ${documentUri(document.id)}`,
  );
  const { content, nextOffset } = pieceOf(
    lines.join('\n'),
    0,
    service.settings.maxResultTokens - frameTokens,
  );
  if (content === '') return 'There are no documents yet.';
  const more = nextOffset === undefined ? '' : '\nThere are more: vectorless_list_documents lists them all.';
  return `${fence(content)}${more}`;
}

async function listed(service: DocumentsService, call: Call) {
  const documents = await visibleDocuments({ service, ...call }, { status: 'ready', pages: 1 });
  return documents.slice(0, mostListed).map((document) => ({
    uri: documentUri(document.id),
    name: titleOf(document),
    title: titleOf(document),
    mimeType,
  }));
}

async function documentOutline(id: string, service: DocumentsService, call: Call): Promise<string> {
  const document = (await lookUp([id], { service, ...call })).get(id);
  if (document === undefined) throw new ResourceMissing(id);
  const tree = await service.client.documents.tree(id, withinCall(call));
  const bounds = {
    maxDepth: outlineDepth,
    offset: 0,
    maxTokens: service.settings.maxResultTokens - frameTokens,
  };
  const outline = outlineOf(tree, bounds);
  const lines = outline?.entries.map(outlineLine) ?? [];
  const more =
    outline?.nextOffset === undefined
      ? ''
      : `\nThe document has more sections${
          service.offered.has('vectorless_get_outline')
            ? `: vectorless_get_outline ${JSON.stringify({ document_id: id, offset: outline.nextOffset, depth: outlineDepth })}`
            : ''
        }.`;
  return `${fence(`# ${titleOf(document)} (${statusOf(document)})\n${lines.join('\n')}`)}${more}`;
}

async function sectionText(
  documentId: string,
  sectionId: string,
  service: DocumentsService,
  call: Call,
): Promise<string> {
  if (service.only.length > 0 && !service.only.includes(documentId)) throw new ResourceMissing(sectionId);
  const section = await sectionOrMissing(sectionId, service, call);
  if (section.documentId !== documentId) throw new ResourceMissing(sectionId);
  const place = await headingsOf(section, service, call);
  const uri = sectionUri(documentId, section.id);
  const where = [headings(place.headingPath)?.join(' › '), pages(place.pageStart, place.pageEnd), uri];
  const head = `## ${brief(section.title, 45)}\n${where.filter((part) => part !== undefined && part !== '').join(' · ')}`;
  const room = service.settings.maxResultTokens - frameTokens - estimateTokens(head);
  const { content, nextOffset } = pieceOf(section.content, 0, room);
  const more =
    nextOffset === undefined || !service.offered.has('vectorless_get_section')
      ? ''
      : `\nTo go on: vectorless_get_section ${JSON.stringify({ section_id: section.id, offset: nextOffset })}`;
  return `${fence(`${head}\n\n${content}${nextOffset === undefined ? '' : ' […]'}`)}${more}`;
}

async function sectionOrMissing(sectionId: string, { client }: DocumentsService, call: Call) {
  try {
    return await client.sections.get(sectionId, withinCall(call));
  } catch (error) {
    if (error instanceof VectorlessError && error.code === 'not_found') throw new ResourceMissing(sectionId);
    throw error;
  }
}
