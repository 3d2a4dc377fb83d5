import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ParseError } from '../document.ts';
import { DamagedFile, errorCode } from './errors.ts';
import { idFromName, type Layout, parseSegmentName, segmentName } from './layout.ts';
import { createListing } from './listing.ts';
import { setAside } from './maintenance.ts';
import { openSegment, type Segment } from './segment-reader.ts';
import { readSourceHead, type SourceHead } from './source-file.ts';

/** Why a document cannot be searched. `message` is a sentence for people. */
export interface Failure {
  readonly code: ParseError['code'] | 'damaged' | 'crashed' | 'storage';
  readonly message: string;
  readonly at: string;
}

/** A document in the folder: with a segment it is ready, with a failure it failed, with neither it is waiting. */
export interface StoredDocument {
  readonly id: string;
  readonly head: SourceHead;
  readonly segment?: Segment;
  readonly failure?: Failure;
}

/** What is in the folder, kept in step with it. */
export interface Catalog {
  /** Takes in what this and other processes changed since the last look; false when the folder is as it was. */
  refresh(): boolean;
  get(id: string): StoredDocument | undefined;
  all(): StoredDocument[];
  generation(id: string): number;
  /** Looks for one document that may have just been stored, without listing the folder. */
  look(id: string): StoredDocument | undefined;
  /** Takes in a generation that this process has just written. */
  opened(id: string, generation: number): void;
  /** Notes a failure, also one that cannot be written down. */
  note(id: string, failure: Failure): void;
  /** What was found damaged since the folder was opened, a sentence each. */
  warnings(): readonly string[];
  /** Moves the damaged index of a document out of the way. */
  dropDamaged(id: string, error: DamagedFile): void;
}

interface Opened {
  readonly generation: number;
  readonly segment: Segment;
}

const MAX_WARNINGS = 20;

/** The first `readAheadBytes` of indexes are read and checked when their documents are seen, the others when needed. */
export function createCatalog(
  layout: Layout,
  readAheadBytes: number,
  report: (message: string) => void,
): Catalog {
  const listSegments = createListing(layout.segments);
  const listSources = createListing(layout.sources);
  const listFailures = createListing(layout.failures);
  const segments = new Map<string, Opened>();
  const heads = new Map<string, SourceHead>();
  const failures = new Map<string, Failure>();
  const noted = new Map<string, Failure>();
  const unusable = new Set<string>();
  const warnings: string[] = [];
  let readAhead = readAheadBytes;
  const isDeleted = (id: string) => existsSync(join(layout.deleted, id));

  function warn(message: string): void {
    if (warnings.length < MAX_WARNINGS) warnings.push(message);
    report(message);
  }

  function refresh(): boolean {
    const segmentNames = listSegments();
    if (segmentNames) refreshSegments(segmentNames);
    const sourceNames = listSources();
    if (sourceNames) follow(heads, sourceNames, '.src', readHead);
    const failureNames = listFailures();
    if (failureNames) follow(failures, failureNames, '.json', readFailure);
    return Boolean(segmentNames ?? sourceNames ?? failureNames);
  }

  function refreshSegments(names: readonly string[]): void {
    const newest = new Map<string, number>();
    for (const name of names) {
      const parsed = unusable.has(name) ? undefined : parseSegmentName(name);
      if (parsed && parsed.generation > (newest.get(parsed.id) ?? -1))
        newest.set(parsed.id, parsed.generation);
    }
    for (const id of segments.keys()) if (!newest.has(id)) segments.delete(id);
    for (const [id, generation] of newest) {
      if (segments.get(id)?.generation !== generation && !isDeleted(id)) open(id, generation);
    }
  }

  function open(id: string, generation: number): void {
    const path = join(layout.segments, segmentName(id, generation));
    try {
      const segment = openSegment(path);
      if (readAhead > 0) readAhead -= segment.bytes;
      segments.set(id, { generation, segment });
    } catch (error) {
      segments.delete(id);
      if (error instanceof DamagedFile) quarantine(path, error);
      else if (errorCode(error) !== 'ENOENT') warn(`cannot read ${path}: ${errorCode(error)}`);
    }
  }

  function quarantine(path: string, error: DamagedFile): void {
    const moved = setAside(path);
    if (!moved) unusable.add(path.slice(layout.segments.length + 1));
    const name = path.slice(layout.root.length + 1);
    warn(`${name} is damaged (${error.message})${moved ? '; it was renamed to end in .damaged' : ''}`);
  }

  /** Brings a map from document to file content in step with a folder; files never change once they have their name. */
  function follow<T>(
    known: Map<string, T>,
    names: readonly string[],
    extension: string,
    read: (id: string, path: string, folder: string) => T | undefined,
  ): void {
    const folder = extension === '.src' ? layout.sources : layout.failures;
    const present = new Set<string>();
    for (const name of names) {
      const id = idFromName(name, extension);
      if (id) present.add(id);
    }
    for (const id of known.keys()) if (!present.has(id)) known.delete(id);
    for (const id of present) {
      if (known.has(id) || isDeleted(id)) continue;
      const value = read(id, join(folder, `${id}${extension}`), folder);
      if (value !== undefined) known.set(id, value);
    }
  }

  function readHead(id: string, path: string): SourceHead | undefined {
    // The segment repeats what the head says; a folder of thousands of ready documents opens without reading them.
    const ready = segments.get(id);
    if (ready) return ready.segment.meta;
    try {
      return readSourceHead(path);
    } catch (error) {
      if (error instanceof DamagedFile) quarantine(path, error);
      return undefined;
    }
  }

  function readFailure(_id: string, path: string): Failure | undefined {
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as Failure;
    } catch {
      return undefined;
    }
  }

  function get(id: string): StoredDocument | undefined {
    const segment = segments.get(id)?.segment;
    const head = segment?.meta ?? heads.get(id);
    if (!head) return undefined;
    const failure = segment ? undefined : (failures.get(id) ?? noted.get(id));
    return { id, head, ...(segment && { segment }), ...(failure && { failure }) };
  }

  return {
    refresh,
    get,
    all() {
      const ids = new Set([...segments.keys(), ...heads.keys()]);
      return [...ids].flatMap((id) => get(id) ?? []);
    },
    look(id) {
      if (!heads.has(id) && !isDeleted(id)) {
        const path = join(layout.sources, `${id}.src`);
        const head = existsSync(path) ? readHead(id, path) : undefined;
        if (head) heads.set(id, head);
      }
      return get(id);
    },
    opened: open,
    warnings: () => warnings,
    generation: (id) => segments.get(id)?.generation ?? 0,
    note(id, failure) {
      noted.set(id, failure);
    },
    dropDamaged(id, error) {
      const damaged = segments.get(id);
      if (!damaged) return;
      segments.delete(id);
      quarantine(damaged.segment.path, error);
    },
  };
}
