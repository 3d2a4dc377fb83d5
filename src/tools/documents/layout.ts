import { estimateTokens, pieceOf, shareFairly } from '../budget.ts';
import { inline } from './fence.ts';
import { sectionUri } from './handle.ts';
import type { QueryOutput } from './query-output.ts';
import type { FoundSection } from './search.ts';
import { present } from './shapes.ts';

type Shown = QueryOutput['sections'][number];
type Named = NonNullable<QueryOutput['not_shown']>[number];

/** Tokens of a result that belong to no section: introduction, fence, next step. */
const frameTokens = 110;
/** Less of a section than this is not worth showing: it is named instead. */
const leastTokens = 300;
/** Of the budget, what the names of sections that are not shown may take. */
const namingShare = 0.12;
const maxNamed = 20;
const pathTokens = 75;

/** Fits sections under a budget of tokens, shared out fairly; what does not fit is named. */
export function layOut(
  found: readonly FoundSection[],
  maxSections: number,
  budget: number,
): Pick<QueryOutput, 'sections' | 'not_shown' | 'more_found'> {
  const wanted = found.slice(0, maxSections);
  const names = wanted.map(named);
  const naming = Math.min(budget * namingShare, costOf(names.slice(1)));
  const room = budget - frameTokens - naming;
  const frames = wanted.map((section) => costOf(shape(section, '', section.content.length)));
  const wants = wanted.map((section) => estimateTokens(section.content, room));
  const shown = howMany(frames, wants, room);
  const spent = frames.slice(0, shown).reduce((sum, frame) => sum + frame, 0);
  const shares = shareFairly(wants.slice(0, shown), Math.max(1, room - spent));
  const rest = whatFits(names.slice(shown, shown + maxNamed), naming);
  return present({
    sections: wanted.slice(0, shown).map((section, index) => {
      const share = shares[index] ?? 1;
      if ((wants[index] ?? 0) <= share) return shape(section, section.content, undefined);
      const { content, nextOffset } = pieceOf(section.content, 0, share);
      return shape(section, content, nextOffset);
    }),
    not_shown: rest.length > 0 ? rest : undefined,
    more_found: found.length - shown - rest.length || undefined,
  });
}

/** As many entries from the start of a list as `budget` tokens hold. */
export function whatFits<T extends object | string>(entries: readonly T[], budget: number): T[] {
  let spent = 0;
  const end = entries.findIndex((entry) => {
    spent += costOf(entry);
    return spent > budget;
  });
  return entries.slice(0, end === -1 ? undefined : end);
}

/** As JSON, which is never cheaper than the same facts in a line of text. */
export function costOf(value: object | string): number {
  return estimateTokens(JSON.stringify(value)) + 1;
}

/** Sections that get at least a useful piece each; the first one is shown whatever it costs. */
function howMany(frames: readonly number[], wants: readonly number[], room: number): number {
  let left = room;
  const end = frames.findIndex((frame, index) => {
    left -= frame + Math.min(leastTokens, wants[index] ?? 0);
    return left < 0 && index > 0;
  });
  return end === -1 ? frames.length : end;
}

function named({ id, title }: FoundSection): Named {
  return { section_id: id, title: brief(title, 25) };
}

function shape(section: FoundSection, content: string, nextOffset: number | undefined): Shown {
  return present({
    section_id: section.id,
    uri: sectionUri(section.documentId, section.id),
    document_id: section.documentId,
    document_title: brief(section.documentTitle, 30),
    title: brief(section.title, 45),
    heading_path: headings(section.headingPath),
    page_start: section.pageStart,
    page_end: section.pageEnd,
    score: section.score === undefined ? undefined : Math.round(section.score * 1000) / 1000,
    content,
    next_offset: nextOffset,
  });
}

/** Titles of the sections above, the nearest ones: what a document calls a heading can be a page of text. */
export function headings(path: readonly string[] | undefined): string[] | undefined {
  const nearest = path?.slice(-8).map((title) => brief(title, 25));
  return nearest && whatFits(nearest.reverse(), pathTokens).reverse();
}

/** A title that costs no more than so many tokens. */
export function brief(title: string, tokens: number): string {
  const line = inline(title);
  const { content, nextOffset } = pieceOf(line, 0, tokens);
  return nextOffset === undefined ? line : `${content.trimEnd()}…`;
}
