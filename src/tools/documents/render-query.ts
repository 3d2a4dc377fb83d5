import { fence, inline } from './fence.ts';
import type { QueryOutput } from './query-output.ts';
import { pages } from './shapes.ts';

type Section = QueryOutput['sections'][number];

/** A query's result as the model reads it: the sections, then what could not be shown, then the next step. */
export function renderQuery(result: QueryOutput): string {
  if (result.choose_from !== undefined) return choice(result.choose_from);
  const several = new Set(result.sections.map((section) => section.document_id)).size > 1;
  const parts = [result.sections.length > 0 ? body(result.sections, several) : nothing(result)];
  if (result.failed !== undefined) {
    parts.push(
      ['Not searched:', ...result.failed.map(({ document_id, error }) => `- ${document_id}: ${error}`)].join(
        '\n',
      ),
    );
  }
  if (result.not_shown !== undefined) {
    const lines = result.not_shown.map(({ section_id, title }) => `- ${section_id}: ${inline(title, 80)}`);
    parts.push(['Also found; read with vectorless_get_section:', ...lines].join('\n'));
  }
  if (result.sections.length > 0) parts.push('Cite sections by their URI and page.');
  return parts.join('\n\n');
}

function body(sections: readonly Section[], several: boolean): string {
  const count = `${sections.length} ${sections.length === 1 ? 'section' : 'sections'}, best first.`;
  return `${count}\n${fence(sections.map((section) => sectionText(section, several)).join('\n\n'))}`;
}

function sectionText(section: Section, several: boolean): string {
  const title = inline(section.title);
  const place = [
    several ? inline(section.document_title, 80) : '',
    section.heading_path?.map((heading) => inline(heading, 80)).join(' › ') ?? '',
    pages(section.page_start, section.page_end) ?? '',
    section.score === undefined ? '' : `score ${section.score}`,
  ].filter((part) => part !== '');
  const more =
    section.next_offset === undefined
      ? ''
      : `\n[cut; go on with vectorless_get_section ${JSON.stringify({ section_id: section.section_id, offset: section.next_offset })}]`;
  return `## ${title === '' ? '(untitled)' : title}\n${[...place, section.uri].join(' · ')}\n\n${section.content}${more}`;
}

function nothing({ searched }: QueryOutput): string {
  if (searched === 0) return 'Nothing was searched.';
  const where = searched === 1 ? 'the document' : `${searched} documents`;
  return `Nothing relevant was found in ${where}. Try other words: the document’s own terms, a name, a number or a heading. vectorless_list_documents shows what else there is.`;
}

function choice(documents: NonNullable<QueryOutput['choose_from']>): string {
  const lines = documents.map(({ document_id, title }) => `- ${document_id}: ${inline(title)}`);
  return `Which document? Call vectorless_query again with document_id, or several in document_ids:\n${fence(lines.join('\n'))}`;
}
