import { join } from 'node:path';
import { FORMAT_VERSION } from './segment-format.ts';

/** Where things are in a document folder. A document's files all begin with its id. */
export interface Layout {
  readonly root: string;
  /** `<id>.src`: what was sent. There from acceptance to deletion; a document is waiting while it has nothing else. */
  readonly sources: string;
  /** `<id>.<generation>.seg1`: the finished index. */
  readonly segments: string;
  /** `<id>.json`: why it cannot be indexed. */
  readonly failures: string;
  /** `<id>`: who is indexing it. */
  readonly claims: string;
  /** `<id>`: it was deleted; whatever a slower process still writes of it is void. */
  readonly deleted: string;
}

export function layoutOf(root: string): Layout {
  return {
    root,
    sources: join(root, 'sources'),
    segments: join(root, 'segments'),
    failures: join(root, 'failures'),
    claims: join(root, 'claims'),
    deleted: join(root, 'deleted'),
  };
}

const SEGMENT_NAME = /^(doc_\d{18})\.(\d+)\.seg(\d+)$/;

export function segmentName(id: string, generation: number): string {
  return `${id}.${generation}.seg${FORMAT_VERSION}`;
}

/** Undefined for what is no index, or one in a format of another version. */
export function parseSegmentName(name: string): { id: string; generation: number } | undefined {
  const { id, generation, format } = partsOf(name) ?? {};
  return id !== undefined && generation !== undefined && format === FORMAT_VERSION
    ? { id, generation }
    : undefined;
}

/**
 * Indexes of which there is a later one: of a higher generation, or in this format where they are in an older one. A newer
 * format is another server's business.
 */
export function replacedIn(names: readonly string[]): Set<string> {
  const newest = new Map<string, number>();
  for (const name of names) {
    const parsed = parseSegmentName(name);
    if (parsed) newest.set(parsed.id, Math.max(parsed.generation, newest.get(parsed.id) ?? 0));
  }
  return new Set(
    names.filter((name) => {
      const { id = '', generation = 0, format = FORMAT_VERSION } = partsOf(name) ?? {};
      const latest = newest.get(id);
      if (latest === undefined) return false;
      return format < FORMAT_VERSION || (format === FORMAT_VERSION && generation < latest);
    }),
  );
}

function partsOf(name: string): { id: string; generation: number; format: number } | undefined {
  const [, id, generation, format] = SEGMENT_NAME.exec(name) ?? [];
  return id === undefined ? undefined : { id, generation: Number(generation), format: Number(format) };
}

/** The id that a file's name begins with, if it is a document's. */
export function documentOf(name: string): string {
  return name.slice(0, ID_LENGTH);
}

const ID_LENGTH = 'doc_'.length + 18;

/** The document a file belongs to, if it is named `<id><extension>`. */
export function idFromName(name: string, extension: string): string | undefined {
  return name.startsWith('doc_') && name.endsWith(extension) ? name.slice(0, -extension.length) : undefined;
}
