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

const SEGMENT_NAME = new RegExp(`^(doc_\\d{18})\\.(\\d+)\\.seg${FORMAT_VERSION}$`);

export function segmentName(id: string, generation: number): string {
  return `${id}.${generation}.seg${FORMAT_VERSION}`;
}

export function parseSegmentName(name: string): { id: string; generation: number } | undefined {
  const match = SEGMENT_NAME.exec(name);
  return match ? { id: match[1] ?? '', generation: Number(match[2]) } : undefined;
}

/** The document a file belongs to, if it is named `<id><extension>`. */
export function idFromName(name: string, extension: string): string | undefined {
  return name.startsWith('doc_') && name.endsWith(extension) ? name.slice(0, -extension.length) : undefined;
}
