import { stat } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { deleteTool, type GoneFile, goneFiles, type Removal, removeDocuments } from './earlier-versions.ts';
import { type FoundFile, findDocuments } from './find-documents.ts';
import { ingestFile, look, type Outcome } from './ingest-file.ts';
import { type IngestRecord, openIngestRecord } from './ingest-record.ts';
import { openSession, ownOptions, type Session } from './session.ts';
import type { Surroundings } from './terminal.ts';

const usage = `Usage: vectorless-mcp ingest PATH… [--keep-old] [--delete-gone] [flags of the server]

Ingests files and whole folders, here with --local or into the hosted service with a key. Skips what has not changed since it was
ingested, goes on where it was stopped, and exits with 1 if anything failed.

A file that has changed takes the place of its earlier version: once the new document is ready, the one before is deleted, if this
command had added it. The documents of files that are gone are named and stay.

  --keep-old     leave earlier versions where they are
  --delete-gone  delete the documents that this command added for files that are gone from the folders`;

const tools = ['vectorless_ingest_document', 'vectorless_list_documents', deleteTool];
const mostGoneShown = 20;

interface Run {
  readonly record: IngestRecord;
  readonly session: Session;
  readonly keepsOld: boolean;
  /** Prints what became of a file, past the progress bar. */
  say(word: string, path: string, text: string): void;
  readonly counts: Record<Outcome['status'] | 'deleted' | 'stay' | 'undeleted' | 'gone', number>;
}

export async function ingest(argv: readonly string[], around: Surroundings): Promise<number> {
  const { terminal, cwd } = around;
  const { words, flags, switches } = ownOptions(argv, [], ['keep-old', 'delete-gone']);
  if (argv.includes('--help')) {
    terminal.print(usage);
    return 0;
  }
  if (words.length === 0) throw new TypeError(`Name files or folders to ingest.\n${usage}`);
  const named = words.map((word) => resolve(cwd, word));
  const allowedDirs = await Promise.all(named.map(folderOf));
  const session = await openSession(flags, around, { allowedDirs, tools });
  try {
    const { files, passedOver } = await findDocuments(named, cwd, session.config.local);
    const record = await openIngestRecord(session.config);
    const run: Run = {
      ...{ record, session, keepsOld: switches.has('keep-old') },
      say(word, path, text) {
        terminal.progress?.('');
        terminal.print(`${word}  ${relative(cwd, path)}: ${text}`);
      },
      counts: { added: 0, there: 0, unchanged: 0, failed: 0, deleted: 0, stay: 0, undeleted: 0, gone: 0 },
    };
    const known = await stillReady(files, run);
    for (const [index, file] of files.entries()) {
      terminal.progress?.(bar(index, files.length, relative(cwd, file.path)));
      await bringUpToDate(file, known.has(file.path), run);
    }
    const gone = await goneFiles(named, record, session);
    const deletes = switches.has('delete-gone') && session.publishes(deleteTool);
    await (deletes ? deleteGone(gone, run) : reportGone(gone, run));
    terminal.progress?.('');
    terminal.print(summary(run.counts, files.length, passedOver));
    if (run.counts.stay > 0)
      terminal.print(`Earlier versions stay, since VECTORLESS_TOOLS does not name ${deleteTool}.`);
    return run.counts.failed + run.counts.undeleted > 0 ? 1 : 0;
  } finally {
    await session.close();
  }
}

/** What a person names on the command line may be read, and nothing beside it. */
async function folderOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new TypeError(`There is no file or folder ${path}.`);
  return found.isDirectory() ? path : dirname(path);
}

/** Of the files that did not change, those whose documents are still there and ready. */
async function stillReady(files: readonly FoundFile[], { record, session }: Run): Promise<Set<string>> {
  const recorded = files.flatMap((file) => {
    const document = record.documentOf(file);
    return document === undefined ? [] : [{ path: file.path, document }];
  });
  const ids = [...new Set(recorded.map(({ document }) => document))];
  const ready = new Set(
    (await look(ids, session)).flatMap(({ document_id, status }) => (status === 'ready' ? document_id : [])),
  );
  return new Set(recorded.filter(({ document }) => ready.has(document)).map(({ path }) => path));
}

async function bringUpToDate(file: FoundFile, isKnown: boolean, run: Run): Promise<void> {
  const { record, session, counts, say } = run;
  const before = record.lastOf(file.path);
  const isOthers = before !== undefined && !record.hasAdded(file.path, before);
  const { status, detail } = isKnown
    ? ({ status: 'unchanged' } as Outcome)
    : await ingestFile(file, record, session);
  counts[status]++;
  if (detail !== undefined) say(status, file.path, detail);
  if (status === 'failed') return;
  const earlier = record.superseded(file.path);
  if (run.keepsOld) return record.letGo(file.path, earlier);
  await removeEarlier(file.path, earlier, run);
  if (isOthers && before !== record.lastOf(file.path) && (await look([before], session)).length > 0)
    say('kept', file.path, `the earlier version ${before} stays, since this command did not add it`);
}

async function removeEarlier(path: string, earlier: readonly string[], run: Run): Promise<void> {
  if (earlier.length === 0) return;
  if (!run.session.publishes(deleteTool)) run.counts.stay += earlier.length;
  else run.counts.deleted += (await remove(path, earlier, run)).deleted;
}

async function remove(path: string, documents: readonly string[], run: Run): Promise<Removal> {
  const removal = await removeDocuments(path, documents, run.record, run.session);
  if (removal.problem === undefined) return removal;
  run.counts.undeleted++;
  run.say('failed', path, removal.problem);
  return removal;
}

async function deleteGone(gone: readonly GoneFile[], run: Run): Promise<void> {
  const { record, counts, say } = run;
  for (const { path, document } of gone) {
    if (!record.hasAdded(path, document)) {
      await record.noteGone(path);
      say('gone', path, `its document ${document} stays, since this command did not add it`);
      continue;
    }
    const { deleted, problem } = await remove(path, [...record.superseded(path), document], run);
    counts.gone += deleted;
    if (problem === undefined) await record.noteGone(path);
  }
}

function reportGone(gone: readonly GoneFile[], { say, session }: Run): void {
  const how = session.publishes(deleteTool)
    ? '--delete-gone deletes it'
    : `VECTORLESS_TOOLS does not name ${deleteTool}`;
  for (const { path, document } of gone.slice(0, mostGoneShown))
    say('gone', path, `its document ${document} stays; ${how}`);
}

function bar(done: number, total: number, name: string): string {
  const width = 24;
  const filled = Math.round((done / total) * width);
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done}/${total}  ${name.slice(-60)}`;
}

const versions = (count: number) => `${count} earlier ${count === 1 ? 'version' : 'versions'}`;

function summary(counts: Run['counts'], total: number, passedOver: number): string {
  const parts = [
    `${counts.added} ingested`,
    counts.there > 0 && `${counts.there} were there already`,
    counts.unchanged > 0 && `${counts.unchanged} unchanged`,
    counts.failed > 0 && `${counts.failed} failed`,
    counts.deleted > 0 && `${versions(counts.deleted)} deleted`,
    counts.stay > 0 && `${versions(counts.stay)} left`,
    counts.gone > 0 && `${counts.gone} deleted of files that are gone`,
    passedOver > 0 && `${passedOver} of other types passed over`,
  ];
  return total === 0
    ? `No documents found${passedOver > 0 ? ` (${passedOver} files of other types)` : ''}.`
    : parts.filter(Boolean).join(', ');
}
