/** HTML: headings, lists, tables and code to blocks; scripts, styles and navigation are dropped. */
import { parse } from 'parse5';
import type { ParsedDocument } from '../../document.ts';
import { cleanText, oneLine } from '../clean.ts';
import { blockWriter } from './block-writer.ts';
import {
  attribute,
  type Element,
  findElement,
  headingLevel,
  isBlock,
  isElement,
  isSkipped,
  type Node,
  type Parent,
  textOf,
} from './dom.ts';
import { isDataTable, readTable } from './table.ts';

/** A `main` element holds the document only if it holds at least this share of the text. */
const MAIN_SHARE = 0.25;

export function readHtml(source: string): ParsedDocument {
  const document = parse(source);
  const title = findElement(document, (element) => element.tagName === 'title');
  const body = findElement(document, (element) => element.tagName === 'body');
  const writer = blockWriter();
  walk(body ? mainOf(body) : document, writer);
  const blocks = writer.finish();
  const first = blocks.find((block) => block.kind === 'heading');
  const named = title ? oneLine(cleanText(textOf(title))) : '';
  return { title: named || (first?.kind === 'heading' ? first.text : ''), blocks };
}

function mainOf(body: Element): Element {
  const main = findElement(body, (el) => el.tagName === 'main' || attribute(el, 'role') === 'main');
  return main && textOf(main).length >= textOf(body).length * MAIN_SHARE ? main : body;
}

type Writer = ReturnType<typeof blockWriter>;

/** Visits nodes in document order with a stack of its own; a function on the stack runs when an element is left. */
function walk(root: Parent, writer: Writer): void {
  const todo: (Node | (() => void))[] = [];
  const descend = (parent: Parent) => {
    for (let i = parent.childNodes.length - 1; i >= 0; i--) {
      const child = parent.childNodes[i];
      if (child) todo.push(child);
    }
  };
  descend(root);
  for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
    if (typeof node === 'function') node();
    else if (node.nodeName === '#text' && 'value' in node) writer.text(node.value);
    else if (isElement(node) && !isSkipped(node)) {
      const leave = enter(node, writer);
      if (leave === 'read') continue;
      if (leave) todo.push(leave);
      descend(node);
    }
  }
}

/** Writes what an element starts. `read`: its content is done; a function: what to do after its content. */
function enter(element: Element, writer: Writer): 'read' | (() => void) | undefined {
  const level = headingLevel(element);
  if (level > 0) {
    writer.heading(oneLine(cleanText(textOf(element))), level);
    return 'read';
  }
  switch (element.tagName) {
    case 'br':
      writer.lineBreak();
      return 'read';
    case 'img':
      writer.text(attribute(element, 'alt') ?? '');
      return 'read';
    case 'pre':
      writer.code(cleanText(textOf(element, '\n')).replace(/^\n/, '').trimEnd());
      return 'read';
    case 'ul':
    case 'ol':
    case 'menu':
      return writer.list(element.tagName === 'ol', Number(attribute(element, 'start') ?? 1));
    case 'li':
      writer.item();
      return writer.endLine;
    case 'table':
      if (!isDataTable(element)) break;
      for (const block of readTable(element)) writer.push(block);
      return 'read';
    case 'td':
    case 'th':
      writer.endLine();
      return writer.endLine;
  }
  if (!isBlock(element)) return undefined;
  writer.endLine();
  return writer.endLine;
}
