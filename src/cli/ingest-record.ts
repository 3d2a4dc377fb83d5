import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Config } from '../config.ts';
import type { FoundFile } from './find-documents.ts';

/** What was ingested where, so that the next run can skip what has not changed. */
export interface IngestRecord {
  /** The document that this very file became, unless it was changed since. */
  documentOf(file: FoundFile): string | undefined;
  remember(file: FoundFile, documentId: string): void;
  /** Written at most once a second, unless `now`. */
  save(now?: boolean): Promise<void>;
}

const shape = z.record(
  z.string(),
  z.object({ size: z.number(), modified: z.number(), document: z.string() }),
);

const saveEveryMs = 1_000;

/** One file for each place that documents go to: another server has other documents. */
export async function openIngestRecord(config: Config): Promise<IngestRecord> {
  const target = config.local
    ? `local ${config.dataDir}`
    : `${config.apiUrl} ${config.org ?? ''} ${config.store ?? ''}`;
  const folder = join(config.dataDir, 'ingested');
  const file = join(folder, `${createHash('sha256').update(target).digest('hex').slice(0, 16)}.json`);
  const entries = new Map(Object.entries(await readEntries(file)));
  let savedAt = Date.now();
  let dirty = false;
  return {
    documentOf({ path, size, modifiedMs }) {
      const entry = entries.get(path);
      return entry?.size === size && entry.modified === modifiedMs ? entry.document : undefined;
    },
    remember({ path, size, modifiedMs }, document) {
      entries.set(path, { size, modified: modifiedMs, document });
      dirty = true;
    },
    async save(now = false) {
      if (!dirty || (!now && Date.now() - savedAt < saveEveryMs)) return;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const temporary = `${file}.${process.pid}.tmp`;
      await writeFile(temporary, JSON.stringify(Object.fromEntries(entries)), { mode: 0o600 });
      await rename(temporary, file);
      savedAt = Date.now();
      dirty = false;
    },
  };
}

/** A record that is missing or damaged only means that files are looked at again. */
async function readEntries(file: string): Promise<z.output<typeof shape>> {
  try {
    const parsed = shape.safeParse(JSON.parse(await readFile(file, 'utf8')));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}
