import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ParsedSection } from '../../src/document.ts';
import { openSegment, type Segment } from '../../src/store/segment-reader.ts';
import { encodeSegment } from '../../src/store/segment-writer.ts';

export type Draft = Partial<ParsedSection> & { readonly text: string };

/** A segment file with these sections, opened; its document is called as the file. */
export function segment(dir: string, filename: string, drafts: readonly Draft[]): Segment {
  const sections = drafts.map((draft) => ({
    ...{
      title: '',
      headingPath: [],
      depth: 0,
      parent: -1,
      rowLabels: [],
      titles: draft.title ? [draft.title] : [],
    },
    ...draft,
  }));
  const at = '2024-01-01T00:00:00.000Z';
  const common = {
    id: filename,
    title: filename,
    filename,
    contentType: '',
    byteSize: 0,
    createdAt: at,
    updatedAt: at,
  };
  const path = join(dir, filename);
  writeFileSync(path, encodeSegment(common, sections));
  return openSegment(path);
}
