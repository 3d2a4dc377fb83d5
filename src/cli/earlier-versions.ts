import { stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { look } from './ingest-file.ts';
import type { IngestRecord } from './ingest-record.ts';
import type { Session } from './session.ts';

export const deleteTool = 'vectorless_delete_document';

/** What became of documents that were to be deleted. */
export interface Removal {
  readonly deleted: number;
  /** Why one could not be; the next run tries again. */
  readonly problem?: string;
}

/** Deletes documents that this command added for a file, as an agent would. Those that are gone already are forgotten. */
export async function removeDocuments(
  path: string,
  documents: readonly string[],
  record: IngestRecord,
  session: Session,
): Promise<Removal> {
  const there = (await look(documents, session)).map(({ document_id }) => document_id);
  await record.letGo(
    path,
    documents.filter((document) => !there.includes(document)),
  );
  let deleted = 0;
  for (const document of there) {
    const { ok, text } = await session.call(deleteTool, { document_id: document });
    if (!ok) return { deleted, problem: `${document} could not be deleted: ${text.split('\n')[0] ?? ''}` };
    await record.letGo(path, [document]);
    deleted++;
  }
  return { deleted };
}

export interface GoneFile {
  readonly path: string;
  readonly document: string;
}

/**
 * Files in the named places that are no longer there, while their documents are. One that was only moved hands its document on
 * to the file that it is now.
 */
export async function goneFiles(
  named: readonly string[],
  record: IngestRecord,
  session: Session,
): Promise<readonly GoneFile[]> {
  const files = record.files().filter(({ path }) => named.some((place) => isIn(path, place)));
  const gone: GoneFile[] = [];
  for (const file of files) if (await isGone(file.path)) gone.push(file);
  const there = new Set(
    (await look([...new Set(gone.map(({ document }) => document))], session)).map(
      (found) => found.document_id,
    ),
  );
  const paths = new Set(gone.map(({ path }) => path));
  const heirs = new Map(
    record.files().flatMap(({ path, document }) => (paths.has(path) ? [] : [[document, path] as const])),
  );
  const left: GoneFile[] = [];
  for (const file of gone) {
    const { path, document } = file;
    const heir = heirs.get(document);
    if (there.has(document) && heir === undefined) {
      left.push(file);
      continue;
    }
    if (heir !== undefined && record.hasAdded(path, document)) await record.noteAdded(heir, document);
    await record.noteGone(path);
    await record.letGo(path, [document]);
  }
  return left;
}

async function isGone(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  return 'code' in found && found.code === 'ENOENT';
}

function isIn(path: string, place: string): boolean {
  return path.startsWith(place.endsWith(sep) ? place : `${place}${sep}`);
}
