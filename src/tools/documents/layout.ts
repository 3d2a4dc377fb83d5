import { estimateTokens, pieceOf, shareFairly } from '../budget.ts';
import { inline } from './fence.ts';
import { sectionUri } from './handle.ts';
import type { QueryOutput } from './query-output.ts';
import type { FoundSection } from './search.ts';
import { present } from './shapes.ts';

type Shown = QueryOutput['sections'][number];
type Place = Omit<Shown, 'content' | 'next_offset'>;
type Named = NonNullable<QueryOutput['not_shown']>[number];

/** Tokens of a result that belong to no section: introduction, fence, next step. */
const frameTokens = 110;
/** Less of a section than this is not worth showing: it is named instead. */
const leastTokens = 300;
/** Of the budget, what the names of sections that are not shown may take. */
const namingShare = 0.12;
const maxNamed = 20;
const pathTokens = 75;
/** Of a section, the quotes around its text and the field that tells where to go on. */
const continuationTokens = 12;

/** Fits sections under a budget of tokens, shared out fairly; what does not fit is named. */
export function layOut(
  found: readonly FoundSection[],
  maxSections: number,
  budget: number,
): Pick<QueryOutput, 'sections' | 'not_shown' | 'more_found'> {
  const wanted = found.slice(0, maxSections);
  const places = wanted.map(placeOf);
  const frames = places.map((place) => costOf(place) + continuationTokens);
  const wants = wanted.map((section) => estimateTokens(section.content, budget));
  const fitAll = sum(frames) + sum(wants) <= budget - frameTokens;
  const names = fitAll ? [] : wanted.map(named);
  const naming = fitAll ? 0 : Math.min(budget * namingShare, costOf(names.slice(1)));
  const room = budget - frameTokens - naming;
  const count = fitAll ? wanted.length : howMany(frames, wants, room);
  const shares = shareFairly(wants.slice(0, count), Math.max(1, room - sum(frames.slice(0, count))));
  const rest = whatFits(names.slice(count, count + maxNamed), naming);
  return present({
    sections: places.slice(0, count).map((place, index) => {
      const [content = '', want = 0, share = 1] = [wanted[index]?.content, wants[index], shares[index]];
      if (want <= share) return { ...place, content };
      const piece = pieceOf(content, 0, share);
      return present({ ...place, content: piece.content, next_offset: piece.nextOffset });
    }),
    not_shown: rest.length > 0 ? rest : undefined,
    more_found: found.length - count - rest.length || undefined,
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

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

/** Everything of a section but its text. */
function placeOf(section: FoundSection): Place {
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
