/** What Office files have in common: parts that refer to each other, and core properties. */
import type { ParseLimits } from '../limits.ts';
import type { Archive } from './archive.ts';
import { readXml } from './xml.ts';

export interface Relation {
  readonly id: string;
  /** The last part of the type's address, such as `slide`. */
  readonly type: string;
  /** Name of the part in the archive. */
  readonly target: string;
}

/** The parts that `part` refers to; the package itself is the part with the empty name. */
export function relationsOf(archive: Archive, part: string, limits: ParseLimits): Relation[] {
  const slash = part.lastIndexOf('/') + 1;
  const source = archive.text(`${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`);
  const relations: Relation[] = [];
  if (source === undefined) return relations;
  readXml(source, limits, {
    open(name, { Id = '', Type = '', Target = '', TargetMode }) {
      if (name !== 'Relationship' || TargetMode === 'External') return;
      relations.push({
        id: Id,
        type: Type.slice(Type.lastIndexOf('/') + 1),
        target: resolvePart(part, Target),
      });
    },
  });
  return relations;
}

/** A reference relative to a part, as a name in the archive. */
export function resolvePart(part: string, target: string): string {
  const path = target.startsWith('/') ? [] : part.split('/').slice(0, -1);
  for (const step of target.split('/')) {
    if (step === '..') path.pop();
    else if (step !== '.' && step !== '') path.push(step);
  }
  return path.join('/');
}

/** The part that the package is about. */
export function mainPart(archive: Archive, limits: ParseLimits): string | undefined {
  return relationsOf(archive, '', limits).find((relation) => relation.type === 'officeDocument')?.target;
}

/** What programs write when nobody wrote a title. */
const DEFAULT_TITLE = /^(?:powerpoint presentation|presentation|document|untitled|title)\s*\d*$/i;

export function coreTitle(archive: Archive, limits: ParseLimits): string {
  const source = archive.text('docProps/core.xml');
  let title = '';
  let inTitle = false;
  if (source === undefined) return title;
  readXml(source, limits, {
    open(name) {
      inTitle = name === 'title';
    },
    close() {
      inTitle = false;
    },
    text(text) {
      if (inTitle) title += text;
    },
  });
  return DEFAULT_TITLE.test(title.trim()) ? '' : title.trim();
}
