import type { DocumentTree, TreeSection } from '@vectorless/sdk';
import { estimateTokens } from '../budget.ts';
import { inline } from './fence.ts';
import { pages } from './shapes.ts';

/** One line of an outline. */
export interface OutlineEntry {
  readonly section_id: string;
  readonly title: string;
  /** 0 at the top of what was asked for. */
  readonly depth: number;
  readonly tokens: number;
  readonly page_start?: number | undefined;
  readonly page_end?: number | undefined;
  /** Sections below that are not listed. */
  readonly hidden?: number | undefined;
}

export interface Outline {
  readonly entries: readonly OutlineEntry[];
  /** Index of the first entry that did not fit. */
  readonly nextOffset?: number | undefined;
}

export interface OutlineBounds {
  /** Only what is below this section, itself included. */
  readonly sectionId?: string | undefined;
  readonly maxDepth: number;
  readonly offset: number;
  readonly maxTokens: number;
}

/** Undefined when there is no such section in the tree. */
export function outlineOf(tree: DocumentTree, bounds: OutlineBounds): Outline | undefined {
  const branch = branchOf(tree.sections, bounds.sectionId);
  if (branch === undefined) return undefined;
  const top = Math.min(...branch.map((section) => section.depth), Number.POSITIVE_INFINITY);
  const listed: OutlineEntry[] = [];
  for (const section of branch) {
    const depth = section.depth - top;
    if (depth < bounds.maxDepth) listed.push(entry(section, depth));
    else countHidden(listed);
  }
  return whatFits(listed, bounds);
}

export function outlineLine(entry: OutlineEntry): string {
  const facts = [pages(entry.page_start, entry.page_end), `${entry.tokens} tokens`, entry.section_id];
  const hidden = entry.hidden === undefined ? '' : ` (+${entry.hidden} below)`;
  const title = inline(entry.title, 120);
  const bullet = `${'  '.repeat(Math.min(entry.depth, 12))}- ${title === '' ? '(untitled)' : title}`;
  return `${bullet}${hidden} · ${facts.filter((fact) => fact !== undefined).join(' · ')}`;
}

function branchOf(
  sections: readonly TreeSection[],
  root: string | undefined,
): readonly TreeSection[] | undefined {
  if (root === undefined) return sections;
  const start = sections.findIndex((section) => section.id === root);
  const first = sections[start];
  if (first === undefined) return undefined;
  const end = sections.findIndex((section, index) => index > start && section.depth <= first.depth);
  return sections.slice(start, end === -1 ? undefined : end);
}

function entry(section: TreeSection, depth: number): OutlineEntry {
  return {
    section_id: section.id,
    title: inline(section.title, 200),
    depth,
    tokens: section.tokens,
    ...(section.pageStart !== undefined && { page_start: section.pageStart }),
    ...(section.pageEnd !== undefined && { page_end: section.pageEnd }),
  };
}

function countHidden(listed: OutlineEntry[]): void {
  const parent = listed.at(-1);
  if (parent !== undefined) listed[listed.length - 1] = { ...parent, hidden: (parent.hidden ?? 0) + 1 };
}

function whatFits(listed: readonly OutlineEntry[], { offset, maxTokens }: OutlineBounds): Outline {
  let spent = 0;
  let end = offset;
  for (; end < listed.length; end++) {
    const next = listed[end];
    spent += next === undefined ? 0 : estimateTokens(JSON.stringify(next));
    if (spent > maxTokens && end > offset) break;
  }
  const entries = listed.slice(offset, end);
  return end < listed.length ? { entries, nextOffset: end } : { entries };
}
