import * as z from 'zod';
import { Refusal, tool } from '../tool.ts';
import { withinCall } from '../within-call.ts';
import { fence, inline } from './fence.ts';
import { toSectionId } from './handle.ts';
import { type OutlineEntry, outlineLine, outlineOf } from './outline.ts';
import { notReady, oneDocument } from './scope.ts';
import type { DocumentsService } from './service.ts';
import { idArgument, present, statusOf } from './shapes.ts';

const frameTokens = 200;

export const getOutline = tool<DocumentsService>()({
  name: 'vectorless_get_outline',
  title: 'Get outline',
  access: 'read',
  description:
    'See how a document is built: its tree of sections with ids, pages and sizes. Use it to walk a long document or to find a chapter by its title; then read sections with vectorless_get_section. Pass section_id to open one branch, depth to see more levels.',
  input: z.object({
    document_id: idArgument.describe('The document.'),
    section_id: idArgument.optional().describe('Only the branch below this section.'),
    depth: z.int().min(1).max(10).default(3).describe('Levels to show.'),
    offset: z.int().min(0).default(0).describe('next_offset of the previous page.'),
  }),
  output: z.object({
    document_id: z.string(),
    title: z.string(),
    sections: z.array(
      z.object({
        section_id: z.string(),
        title: z.string(),
        depth: z.int(),
        tokens: z.int(),
        page_start: z.int().optional(),
        page_end: z.int().optional(),
        hidden: z.int().optional(),
      }),
    ),
    next_offset: z.int().optional(),
  }),
  example: { document_id: 'doc_123', depth: 2 },
  aliases: {
    id: 'document_id',
    doc_id: 'document_id',
    document: 'document_id',
    levels: 'depth',
    max_depth: 'depth',
  },

  async run({ document_id, section_id, depth, offset }, { service, ...call }) {
    const document = await oneDocument(document_id, { service, ...call });
    const tree = await service.client.documents.tree(document.id, withinCall(call));
    if (tree.sections.length === 0 && statusOf(document) !== 'ready')
      throw new Refusal(`${document.id}: ${notReady(document)}.`);
    const sectionId = section_id === undefined ? undefined : toSectionId(section_id);
    const maxTokens = service.settings.maxResultTokens - frameTokens;
    const outline = outlineOf(tree, { sectionId, maxDepth: depth, offset, maxTokens });
    if (outline === undefined) {
      throw new Refusal(
        `There is no section ${inline(section_id ?? '')} in this document. Leave section_id out to see the whole tree.`,
      );
    }
    return present({
      document_id: document.id,
      title: inline(document.title, 200),
      sections: outline.entries.map((entry) => ({ ...entry })),
      next_offset: outline.nextOffset,
    });
  },

  render(result, _service, { offset }) {
    const lines = result.sections.map((section) => outlineLine(section as OutlineEntry));
    if (lines.length === 0 && offset > 0) {
      return `The outline of ${result.document_id} ends before offset ${offset}. Call again with offset 0.`;
    }
    if (lines.length === 0) {
      return `${result.document_id} has no sections.`;
    }
    const more =
      result.next_offset === undefined
        ? 'Read a section with vectorless_get_section; open a branch with section_id.'
        : `There is more: call again with offset ${result.next_offset}.`;
    return `${fence(`# ${inline(result.title)}\n${lines.join('\n')}`)}\n${more}`;
  },
});
