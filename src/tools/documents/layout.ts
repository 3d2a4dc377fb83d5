import { estimateTokens, pieceOf, shareFairly } from '../budget.ts';
import { sectionUri } from './handle.ts';
import type { QueryOutput } from './query-output.ts';
import type { FoundSection } from './search.ts';
import { present } from './shapes.ts';

/** Tokens of a result that belong to no section: introduction, fence, next step. */
const frameTokens = 250;
/** A section's own frame: field names, ids, the URI twice. Its headings are counted as they are. */
const sectionFrameTokens = 110;
/** Less of a section than this is not worth showing: it is named instead. */
const leastTokens = 150;
const maxNamed = 20;

/** Fits sections under the result's budget, shared out fairly; what does not fit is named. */
export function layOut(
  found: readonly FoundSection[],
  maxSections: number,
  budget: number,
): Pick<QueryOutput, 'sections' | 'not_shown'> {
  const wanted = found.slice(0, maxSections);
  const frames = wanted.map((section) => sectionFrameTokens + estimateTokens(headingText(section)));
  const namingTokens = Math.min(maxNamed, wanted.length) * 25;
  let room = budget - frameTokens - namingTokens;
  let shown = 0;
  for (const frame of frames) {
    const least = frame + Math.min(leastTokens, estimateTokens(wanted[shown]?.content ?? ''));
    if (room < least && shown > 0) break;
    room -= least;
    shown++;
  }
  const spent = frames.slice(0, shown).reduce((sum, frame) => sum + frame, 0);
  const texts = wanted.slice(0, shown);
  const shares = shareFairly(
    texts.map((section) => estimateTokens(section.content)),
    Math.max(leastTokens, budget - frameTokens - namingTokens - spent),
  );
  const rest = found.slice(shown, Math.max(shown, maxSections)).slice(0, maxNamed);
  return present({
    sections: texts.map((section, index) => shape(section, shares[index] ?? 0)),
    not_shown:
      rest.length > 0
        ? rest.map(({ id, title }) => ({ section_id: id, title: title.slice(0, 80) }))
        : undefined,
  });
}

function headingText(section: FoundSection): string {
  return `${section.documentTitle} ${section.title} ${section.headingPath?.join(' ') ?? ''}`;
}

function shape(section: FoundSection, share: number): QueryOutput['sections'][number] {
  const piece = pieceOf(section.content, 0, share);
  return present({
    section_id: section.id,
    uri: sectionUri(section.documentId, section.id),
    document_id: section.documentId,
    document_title: section.documentTitle,
    title: section.title,
    heading_path: section.headingPath === undefined ? undefined : [...section.headingPath],
    page_start: section.pageStart,
    page_end: section.pageEnd,
    score: section.score === undefined ? undefined : Math.round(section.score * 1000) / 1000,
    content: piece.content,
    next_offset: piece.nextOffset,
  });
}
