import { stat } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FoundFile, findDocuments } from './find-documents.ts';
import { type IngestRecord, openIngestRecord } from './ingest-record.ts';
import { openSession, ownOptions, type Session } from './session.ts';
import type { Surroundings } from './terminal.ts';

const usage = `Usage: vectorless-mcp ingest PATH… [flags of the server]

Ingests files and whole folders, here with --local or into the hosted service with a key. Skips what has not changed since it was
ingested, goes on where it was stopped, and exits with 1 if anything failed.`;

interface Outcome {
  readonly status: 'added' | 'there' | 'unchanged' | 'failed';
  readonly detail?: string;
}

/** Ids that one look at the list may name. */
const lookupSize = 50;
const processingCheckMs = 1_000;
/** A document that is not ready by then counts as failed; another run finds it when it is. */
const longestProcessingMs = 15 * 60_000;

export async function ingest(argv: readonly string[], around: Surroundings): Promise<number> {
  const { terminal, cwd } = around;
  const { words, flags } = ownOptions(argv, []);
  if (argv.includes('--help')) {
    terminal.print(usage);
    return 0;
  }
  if (words.length === 0) throw new TypeError(`Name files or folders to ingest.\n${usage}`);
  const named = words.map((word) => resolve(cwd, word));
  const allowedDirs = await Promise.all(named.map(folderOf));
  const session = await openSession(flags, around, { allowedDirs });
  try {
    const { files, passedOver } = await findDocuments(named, cwd, session.config.local);
    const record = await openIngestRecord(session.config);
    const known = await stillReady(files, record, session);
    const counts = { added: 0, there: 0, unchanged: 0, failed: 0 };
    for (const [index, file] of files.entries()) {
      terminal.progress?.(bar(index, files.length, relative(cwd, file.path)));
      const outcome = known.has(file.path)
        ? ({ status: 'unchanged' } as const)
        : await ingestFile(file, record, session);
      counts[outcome.status]++;
      await record.save();
      if (outcome.detail !== undefined) {
        terminal.progress?.('');
        terminal.print(`${outcome.status}  ${relative(cwd, file.path)}: ${outcome.detail}`);
      }
    }
    await record.save(true);
    terminal.progress?.('');
    terminal.print(summary(counts, files.length, passedOver));
    return counts.failed > 0 ? 1 : 0;
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
async function stillReady(
  files: readonly FoundFile[],
  record: IngestRecord,
  session: Session,
): Promise<Set<string>> {
  const recorded = files.flatMap((file) => {
    const document = record.documentOf(file);
    return document === undefined ? [] : [{ path: file.path, document }];
  });
  const ready = new Set<string>();
  for (let start = 0; start < recorded.length; start += lookupSize) {
    const ids = recorded.slice(start, start + lookupSize).map(({ document }) => document);
    for (const { document_id, status } of await look(ids, session))
      if (status === 'ready') ready.add(document_id);
  }
  return new Set(recorded.filter(({ document }) => ready.has(document)).map(({ path }) => path));
}

async function ingestFile(file: FoundFile, record: IngestRecord, session: Session): Promise<Outcome> {
  const { ok, text, structured } = await session.call('vectorless_ingest_document', {
    path: file.path,
    retry: true,
  });
  if (!ok) return { status: 'failed', detail: text.split('\n')[0] ?? '' };
  const { document_id, already_ingested } = structured;
  const id = String(document_id);
  const { status, error } = await settled(id, structured, session);
  if (status !== 'ready')
    return { status: 'failed', detail: error ?? 'still being processed; run this again later' };
  record.remember(file, id);
  return { status: already_ingested === true ? 'there' : 'added' };
}

interface State {
  readonly status: string;
  readonly error?: string | undefined;
}

async function settled(
  id: string,
  first: Readonly<Record<string, unknown>>,
  session: Session,
): Promise<State> {
  let state: State = {
    status: String(first.status),
    error: first.error === undefined ? undefined : String(first.error),
  };
  const deadline = Date.now() + longestProcessingMs;
  while (state.status === 'processing' && Date.now() < deadline) {
    await sleep(processingCheckMs);
    state = (await look([id], session))[0] ?? { status: 'failed', error: 'it was deleted meanwhile' };
  }
  return state;
}

interface Listed extends State {
  readonly document_id: string;
}

async function look(ids: readonly string[], session: Session): Promise<readonly Listed[]> {
  const { ok, text, structured } = await session.call('vectorless_list_documents', {
    document_ids: [...ids],
    limit: lookupSize,
  });
  if (!ok) throw new TypeError(text);
  return structured.documents as readonly Listed[];
}

function bar(done: number, total: number, name: string): string {
  const width = 24;
  const filled = Math.round((done / total) * width);
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done}/${total}  ${name.slice(-60)}`;
}

function summary(counts: Record<Outcome['status'], number>, total: number, passedOver: number): string {
  const parts = [
    `${counts.added} ingested`,
    counts.there > 0 && `${counts.there} were there already`,
    counts.unchanged > 0 && `${counts.unchanged} unchanged`,
    counts.failed > 0 && `${counts.failed} failed`,
    passedOver > 0 && `${passedOver} of other types passed over`,
  ];
  return total === 0
    ? `No documents found${passedOver > 0 ? ` (${passedOver} files of other types)` : ''}.`
    : parts.filter(Boolean).join(', ');
}
