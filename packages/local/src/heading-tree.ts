/** The tree that a document's headings make, before it is cut into sections. */
import type { Block } from './document.ts';

export type Content = Exclude<Block, { kind: 'heading' }>;

export interface HeadingNode {
  readonly title: string;
  /** 0 for the root, which has no heading, 1 for the outermost headings. */
  readonly depth: number;
  readonly page: number | undefined;
  readonly parent: HeadingNode | undefined;
  readonly blocks: Content[];
  readonly children: HeadingNode[];
}

/** Deeper headings become siblings: nobody reads a path of more, and what walks the tree recurses. */
const MAX_DEPTH = 12;

/** A heading belongs under the nearest one before it with a lower level; text belongs to the heading before it. */
export function buildTree(blocks: readonly Block[]): HeadingNode {
  const root: HeadingNode = {
    title: '',
    depth: 0,
    page: undefined,
    parent: undefined,
    blocks: [],
    children: [],
  };
  const open: { node: HeadingNode; level: number }[] = [{ node: root, level: 0 }];
  let current = root;
  for (const block of blocks) {
    if (block.kind !== 'heading') {
      current.blocks.push(block);
      continue;
    }
    const level = Math.max(1, block.level);
    while (open.length > 1 && ((open.at(-1)?.level ?? 0) >= level || open.length > MAX_DEPTH)) open.pop();
    const parent = open.at(-1)?.node ?? root;
    current = {
      title: block.text,
      depth: parent.depth + 1,
      page: block.page,
      parent,
      blocks: [],
      children: [],
    };
    parent.children.push(current);
    open.push({ node: current, level });
  }
  return root;
}
