import { createHash } from 'node:crypto';
import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Config } from '../config.ts';
import { makeFolder } from '../make-folder.ts';
import { parseJson } from '../tools/parse-json.ts';
import type { FoundFile } from './find-documents.ts';

/**
 * What was ingested where, so that the next run can skip what has not changed, and knows which documents are earlier versions.
 * A change is on disk when its promise resolves: whatever stops a run, the next one goes on from there.
 */
export interface IngestRecord {
  /** The document that this very file became, unless it was changed since. */
  documentOf(file: FoundFile): string | undefined;
  /** The document that the file became when it was last ready, changed or not. */
  lastOf(path: string): string | undefined;
  /** Notes that this command added a document for a file, before it is known to be ready. */
  noteAdded(path: string, document: string): Promise<void>;
  /** Notes that a file is a document, which is ready. */
  noteReady(file: FoundFile, document: string): Promise<void>;
  hasAdded(path: string, document: string): boolean;
  /** Documents that this command added for a file and that it no longer is, nor any other file. */
  superseded(path: string): readonly string[];
  /** From now on these are not this command's: they are gone, or wanted. */
  letGo(path: string, documents: readonly string[]): Promise<void>;
  /** Files that became documents, each with its own. */
  files(): readonly { readonly path: string; readonly document: string }[];
  /** Forgets which document a file was, since the file is gone. */
  noteGone(path: string): Promise<void>;
}

const shape = z.object({
  path: z.string(),
  /** Absent until a first version is ready, and once the file is gone. */
  version: z.object({ size: z.number(), modified: z.number(), document: z.string() }).optional(),
  /** What this command added for the file and has not deleted, the current document with it. */
  added: z.array(z.string()),
});
type Entry = z.output<typeof shape>;

/** One file for each place that documents go to: another server has other documents. A line is an entry; the last counts. */
export async function openIngestRecord(config: Config): Promise<IngestRecord> {
  const target = config.local
    ? `local ${config.dataDir}`
    : `${config.apiUrl} ${config.org ?? ''} ${config.store ?? ''}`;
  const folder = join(config.dataDir, 'ingested');
  const file = join(folder, `${createHash('sha256').update(target).digest('hex').slice(0, 16)}.jsonl`);
  const entries = await readEntries(file);

  const entryOf = (path: string): Entry => entries.get(path) ?? { path, added: [] };
  async function put(entry: Entry): Promise<void> {
    entries.set(entry.path, entry);
    makeFolder(folder);
    await appendFile(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  }

  return {
    documentOf({ path, size, modifiedMs }) {
      const version = entries.get(path)?.version;
      return version?.size === size && version.modified === modifiedMs ? version.document : undefined;
    },
    lastOf: (path) => entries.get(path)?.version?.document,
    async noteAdded(path, document) {
      const entry = entryOf(path);
      if (!entry.added.includes(document)) await put({ ...entry, added: [...entry.added, document] });
    },
    async noteReady({ path, size, modifiedMs }, document) {
      await put({ ...entryOf(path), version: { size, modified: modifiedMs, document } });
    },
    hasAdded: (path, document) => entryOf(path).added.includes(document),
    superseded(path) {
      const { added, version } = entryOf(path);
      if (added.every((document) => document === version?.document)) return [];
      const current = new Set([...entries.values()].map(({ version }) => version?.document));
      return added.filter((document) => !current.has(document));
    },
    async letGo(path, documents) {
      const entry = entryOf(path);
      const added = entry.added.filter((document) => !documents.includes(document));
      if (added.length < entry.added.length) await put({ ...entry, added });
    },
    files: () =>
      [...entries.values()].flatMap(({ path, version }) =>
        version === undefined ? [] : [{ path, document: version.document }],
      ),
    async noteGone(path) {
      const { version: _, ...entry } = entryOf(path);
      await put(entry);
    },
  };
}

/** A record that is missing or damaged only means that files are looked at again. */
async function readEntries(file: string): Promise<Map<string, Entry>> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n');
  const entries = new Map<string, Entry>();
  for (const line of lines) {
    const parsed = shape.safeParse(parseJson(line));
    if (parsed.success) entries.set(parsed.data.path, parsed.data);
  }
  for (const [path, { version, added }] of entries) {
    if (version === undefined && added.length === 0) entries.delete(path);
  }
  // Written anew when most of it is history, or when the last line was cut off and the next one would be lost with it.
  if (lines.length > 2 * entries.size + 100 || !text.endsWith('\n')) await rewrite(file, text, entries);
  return entries;
}

async function rewrite(file: string, text: string, entries: ReadonlyMap<string, Entry>): Promise<void> {
  if (text === '') return;
  const next = `${file}.${process.pid}.tmp`;
  const lines = [...entries.values()].map((entry) => `${JSON.stringify(entry)}\n`);
  await writeFile(next, lines.join(''), { mode: 0o600 });
  await rename(next, file);
}
