import { fence, inline } from './fence.ts';
import type { QueryOutput } from './query-output.ts';
import type { DocumentsService } from './service.ts';
import { pages } from './shapes.ts';

type Section = QueryOutput['sections'][number];

/** A query's result as the model reads it: the sections, then what could not be shown, then the next step. */
export function renderQuery(result: QueryOutput, { offered }: Pick<DocumentsService, 'offered'>): string {
  if (result.choose_from !== undefined) return choice(result.choose_from, result.more_to_choose_from);
  return [
    result.sections.length > 0 ? found(result, offered) : nothing(result, offered),
    notSearched(result),
    result.sections.length > 0 ? 'Cite sections by their URI and page.' : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Calls stand outside the fence: within it there is only what documents say. */
function found(
  { sections, not_shown = [], more_found = 0 }: QueryOutput,
  offered: ReadonlySet<string>,
): string {
  const several = new Set(sections.map((section) => section.document_id)).size > 1;
  const ranked = sections.every((section) => section.score !== undefined) ? ', best first' : '';
  // Where one document holds all of them it is named once: the model may not have chosen it.
  const [first] = sections;
  const title = several || first === undefined ? [] : [`# ${inline(first.document_title, 80)}`];
  const texts = sections.map((section) => sectionText(section, several));
  const names = not_shown.map(({ section_id, title }) => `- ${section_id}: ${title}`);
  if (names.length > 0) texts.push(['Also found, not shown:', ...names].join('\n'));
  const parts = [
    `${sections.length} ${sections.length === 1 ? 'section' : 'sections'}${ranked}.`,
    fence([...title, ...texts].join('\n\n')),
  ];
  const cut = sections.flatMap(({ section_id, next_offset }) =>
    next_offset === undefined
      ? []
      : [`- vectorless_get_section ${JSON.stringify({ section_id, offset: next_offset })}`],
  );
  if (more_found > 0)
    parts.push(
      `${more_found} more were found: a narrower question, fewer documents or a higher max_sections would show them.`,
    );
  if (!offered.has('vectorless_get_section')) return parts.join('\n');
  if (cut.length > 0) parts.push('Sections that end in […] go on with:', ...cut);
  if (names.length > 0) parts.push('What was not shown is read with vectorless_get_section, too.');
  return parts.join('\n');
}

function sectionText(section: Section, several: boolean): string {
  const place = [
    several ? inline(section.document_title, 80) : '',
    section.heading_path?.join(' › ') ?? '',
    pages(section.page_start, section.page_end) ?? '',
    section.score === undefined ? '' : `score ${section.score}`,
    section.uri,
  ].filter((part) => part !== '');
  const more = section.next_offset === undefined ? '' : ' […]';
  return `## ${section.title === '' ? '(untitled)' : section.title}\n${place.join(' · ')}\n\n${section.content.trimEnd()}${more}`;
}

/** One line for each reason: fifty documents seldom have more than two of them. */
function notSearched({ failed = [], more_failed, searched }: QueryOutput): string {
  const byReason = new Map<string, string[]>();
  for (const { document_id, error } of failed) {
    byReason.set(error, [...(byReason.get(error) ?? []), document_id]);
  }
  const lines = [...byReason].map(([error, ids]) => `- ${ids.join(', ')}: ${error}`);
  if (more_failed !== undefined) lines.push(`- and ${more_failed} more`);
  return lines.length === 0
    ? ''
    : [searched === 0 ? 'Nothing was searched:' : 'Not (fully) searched:', ...lines].join('\n');
}

function nothing({ searched, searched_in = [] }: QueryOutput, offered: ReadonlySet<string>): string {
  if (searched === 0) return '';
  const others = searched - searched_in.length;
  const where = `${searched_in.join(', ')}${others > 0 ? ` and ${others} other documents` : ''}`;
  const more = offered.has('vectorless_list_documents')
    ? ' vectorless_list_documents shows what else there is.'
    : '';
  return `Nothing relevant was found in ${where}. Try other words: the document’s own terms, a name, a number or a heading; for an overview its introduction, purpose or summary.${more}`;
}

function choice(documents: NonNullable<QueryOutput['choose_from']>, others: number | undefined): string {
  const lines = documents.map(({ document_id, title }) => `- ${document_id}: ${title}`);
  const more =
    others === undefined
      ? ''
      : `\n${others} more are not shown: find them with vectorless_list_documents and title_contains.`;
  return `Which document? Call vectorless_query again with document_id, or several in document_ids:\n${fence(lines.join('\n'))}${more}`;
}
