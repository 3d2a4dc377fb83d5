import type { Document } from '@vectorless/sdk';
import { complete, type Place, placesOf, treeOrNothing } from './headings.ts';
import { type Answer, searchMany } from './search-many.ts';
import { searchOne } from './search-one.ts';
import type { Context } from './service.ts';

/** A section that a query found, with its document and its place in it. */
export interface FoundSection extends Place {
  readonly id: string;
  readonly documentId: string;
  readonly documentTitle: string;
  readonly title: string;
  readonly content: string;
  readonly score?: number | undefined;
}

export interface Found {
  /** Best first where the server ranks; else in the server's order, documents taking turns. */
  readonly sections: readonly FoundSection[];
  readonly failed: readonly { readonly document_id: string; readonly error: string }[];
  readonly searched: readonly Document[];
  /** Why nothing was found, where the server says so. */
  readonly reason?: string | undefined;
}

/** Documents whose heading paths are worth a call of their own. */
const maxTrees = 12;

export async function search(
  question: string,
  documents: readonly Document[],
  maxSections: number,
  context: Context,
): Promise<Found> {
  const [only] = documents;
  const { answers, failed, reason } =
    documents.length === 1 && only !== undefined
      ? await searchOne(question, only, maxSections, context)
      : await searchMany(question, documents, maxSections, context);
  const sections = await locate(interleave(answers), context);
  return { sections, failed, searched: answers.map(({ document }) => document), reason };
}

/** By score where every section has one, else one of each document in turn. */
function interleave(answers: readonly Answer[]): FoundSection[] {
  const lists = answers.map(({ document, sections }) =>
    sections.map(
      (section): FoundSection => ({
        id: section.id,
        documentId: document.id,
        documentTitle: document.title,
        title: section.title,
        content: section.content,
        score: section.score,
        headingPath: section.headingPath,
        pageStart: section.pageStart,
        pageEnd: section.pageEnd,
      }),
    ),
  );
  const all = lists.flat();
  if (all.every((section) => section.score !== undefined)) {
    return all.sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
  }
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const turns = Array.from({ length: longest }, (_, turn) => lists.map((list) => list[turn]));
  return turns.flat().filter((section) => section !== undefined);
}

/** Adds heading paths and pages from the documents' trees where the server did not send them. */
async function locate(sections: readonly FoundSection[], context: Context): Promise<FoundSection[]> {
  const lacking = sections.filter((section) => section.headingPath === undefined);
  const documents = [...new Set(lacking.map((section) => section.documentId))].slice(0, maxTrees);
  const trees = await Promise.all(documents.map((id) => treeOrNothing(id, context.service, context)));
  const places = new Map(trees.flatMap((tree) => [...placesOf(tree)]));
  return sections.map((section) => ({ ...section, ...complete(section, places) }));
}
