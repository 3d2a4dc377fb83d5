import type { Completer } from '../toolset.ts';
import { treeOrNothing } from './headings.ts';
import { visibleDocuments } from './scope.ts';
import type { DocumentsService } from './service.ts';

const most = 50;

/** Document ids whose id begins with what was typed, or whose title contains it. */
export function completeDocument(service: DocumentsService): Completer {
  return async (typed, _others, call) => {
    const documents = await visibleDocuments({ service, ...call });
    return documents
      .filter((document) => fits(typed, document.id, document.title))
      .slice(0, most)
      .map(({ id }) => id);
  };
}

/** Section ids of the document that was chosen before, by id or title. */
export function completeSection(service: DocumentsService): Completer {
  return async (typed, { document_id: documentId }, call) => {
    if (documentId === undefined || (service.only.length > 0 && !service.only.includes(documentId)))
      return [];
    const tree = await treeOrNothing(documentId, service, call);
    const sections = tree?.sections ?? [];
    return sections
      .filter((section) => fits(typed, section.id, section.title))
      .slice(0, most)
      .map(({ id }) => id);
  };
}

function fits(typed: string, id: string, title: string): boolean {
  const wanted = typed.trim().toLowerCase();
  return id.toLowerCase().startsWith(wanted) || title.toLowerCase().includes(wanted);
}
