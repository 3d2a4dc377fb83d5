import { type DocumentTree, VectorlessError } from '@vectorless/sdk';
import type { Call } from '../tool.ts';
import { withinCall } from '../within-call.ts';
import type { DocumentsService } from './service.ts';

/** Where a section stands in its document. */
export interface Place {
  readonly headingPath?: readonly string[] | undefined;
  readonly pageStart?: number | undefined;
  readonly pageEnd?: number | undefined;
}

interface Located extends Place {
  readonly id: string;
  readonly documentId: string;
}

/** A nicety must not hold up the answer. */
const treeWithinMs = 6_000;

/** Heading path and pages of a section: its own where the server sent them, else those of the document's tree. */
export async function headingsOf(
  section: Located,
  service: DocumentsService,
  call: Pick<Call, 'signal' | 'deadline'>,
): Promise<Place> {
  if (section.headingPath !== undefined) return section;
  return complete(section, placesOf(await treeOrNothing(section.documentId, service, call)));
}

/** The tree, or nothing when it does not come soon: what the client cancelled stays cancelled. */
export async function treeOrNothing(
  documentId: string,
  service: DocumentsService,
  call: Pick<Call, 'signal' | 'deadline'>,
): Promise<DocumentTree | undefined> {
  try {
    return await service.client.documents.tree(documentId, withinCall(call, treeWithinMs));
  } catch (error) {
    if (error instanceof VectorlessError && error.code !== 'aborted') return undefined;
    throw error;
  }
}

/** By section id. */
export function placesOf(tree: DocumentTree | undefined): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  const open: { depth: number; title: string }[] = [];
  // Depth-first order: what is open above a section are its ancestors.
  for (const section of tree?.sections ?? []) {
    while ((open.at(-1)?.depth ?? -1) >= section.depth) open.pop();
    places.set(section.id, {
      headingPath: open.map(({ title }) => title),
      pageStart: section.pageStart,
      pageEnd: section.pageEnd,
    });
    open.push({ depth: section.depth, title: section.title });
  }
  return places;
}

export function complete(
  section: Place & { readonly id: string },
  places: ReadonlyMap<string, Place>,
): Place {
  const known = places.get(section.id);
  return {
    headingPath: section.headingPath ?? known?.headingPath,
    pageStart: section.pageStart ?? known?.pageStart,
    pageEnd: section.pageEnd ?? known?.pageEnd,
  };
}
