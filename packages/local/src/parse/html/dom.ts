/** The little of a parsed HTML tree that is read here. Everything walks without recursion: nesting has no bound. */
import type { DefaultTreeAdapterTypes } from 'parse5';

export type Node = DefaultTreeAdapterTypes.ChildNode;
export type Element = DefaultTreeAdapterTypes.Element;
export type Parent = DefaultTreeAdapterTypes.ParentNode;

/** Elements whose content is not the document's text. */
const SKIPPED = new Set(
  'script style noscript template svg math iframe object embed canvas audio video map head nav select datalist button dialog'.split(
    ' ',
  ),
);
/** Elements that start and end a line of text. */
const BLOCKS = new Set(
  (
    'address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form header hgroup ' +
    'hr html li main menu ol p pre section summary table tbody td tfoot th thead tr ul caption legend'
  ).split(' '),
);

export function isElement(node: Node | Parent): node is Element {
  return 'tagName' in node;
}

export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((attr) => attr.name === name)?.value;
}

export function isBlock(element: Element): boolean {
  return BLOCKS.has(element.tagName) || headingLevel(element) > 0;
}

/** 1 to 6 for a heading, else 0. */
export function headingLevel(element: Element): number {
  const level = /^h([1-6])$/.exec(element.tagName)?.[1];
  if (level) return Number(level);
  if (attribute(element, 'role') !== 'heading') return 0;
  const declared = Number(attribute(element, 'aria-level') ?? 2);
  return declared >= 1 && declared <= 9 ? Math.floor(declared) : 2;
}

/** Navigation, code, hidden parts and printed contents are not read. */
export function isSkipped(element: Element): boolean {
  if (SKIPPED.has(element.tagName)) return true;
  if (attribute(element, 'hidden') !== undefined || attribute(element, 'aria-hidden') === 'true') return true;
  const role = attribute(element, 'role') ?? attribute(element, 'epub:type') ?? '';
  if (/^(?:navigation|doc-toc|toc|search|menu|menubar)$/.test(role)) return true;
  if (/display\s*:\s*none/i.test(attribute(element, 'style') ?? '')) return true;
  return /^(?:toc|table-of-contents)$/i.test(attribute(element, 'id') ?? attribute(element, 'class') ?? '');
}

/** Text below a node; blocks and line breaks come out as `lineBreak`. */
export function textOf(root: Parent, lineBreak = ' '): string {
  const out: string[] = [];
  const todo: (Node | string)[] = [...root.childNodes].reverse();
  for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
    if (typeof node === 'string') out.push(node);
    else if (node.nodeName === '#text' && 'value' in node) out.push(node.value);
    else if (isElement(node) && !isSkipped(node)) {
      const apart = isBlock(node) || node.tagName === 'br';
      if (apart) out.push(lineBreak);
      if (apart && node.childNodes.length > 0) todo.push(lineBreak);
      for (let i = node.childNodes.length - 1; i >= 0; i--) {
        const child = node.childNodes[i];
        if (child) todo.push(child);
      }
    }
  }
  return out.join('');
}

/** The first element below `root` that `test` accepts, in document order. */
export function findElement(root: Parent, test: (element: Element) => boolean): Element | undefined {
  const todo: Node[] = [...root.childNodes].reverse();
  for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
    if (!isElement(node)) continue;
    if (test(node)) return node;
    for (let i = node.childNodes.length - 1; i >= 0; i--) {
      const child = node.childNodes[i];
      if (child) todo.push(child);
    }
  }
  return undefined;
}
