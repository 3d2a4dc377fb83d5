import { isMap, isNode, isScalar, isSeq, type Pair, parseDocument, type YAMLSeq } from 'yaml';
import {
  type ConfigFormat,
  type Entry,
  isEntry,
  lineEnd,
  plain,
  valueAt,
  withoutPath,
} from './config-format.ts';

/** YAML: an item `name: …` of the top-level list `list`, first of its items. */
export function yamlFormat(list: string, name: string, blank: string): ConfigFormat {
  const itemsOf = (parsed: unknown) => {
    const items = valueAt(parsed, [list]);
    return Array.isArray(items) ? items.filter(isEntry) : [];
  };
  return {
    blank,
    parse: (text) => plain(documentOf(text).toJS() ?? {}),
    find: (parsed) => {
      const found = itemsOf(parsed).find((item) => item.name === name);
      if (found === undefined) return undefined;
      const { name: _, ...entry } = found;
      return entry;
    },
    others: (parsed) => {
      const items = itemsOf(parsed).filter((item) => item.name !== name);
      const rest = withoutPath(parsed, [list]);
      return items.length === 0 || !isEntry(rest) ? rest : { ...rest, [list]: items };
    },
    insert: (text, entry) => insert(remove(text, list, name), list, { name, ...entry }),
    remove: (text) => remove(text, list, name),
  };
}

function documentOf(text: string) {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw new SyntaxError(`it is not valid YAML (${error.message.split('\n', 1)[0]})`);
  if (document.contents !== null && (!isMap(document.contents) || document.contents.flow)) {
    throw new SyntaxError('it does not hold plain keys and values');
  }
  return document;
}

/** The list's key and value. */
function pairOf(text: string, list: string): Pair | undefined {
  const { contents } = documentOf(text);
  return isMap(contents)
    ? contents.items.find(({ key }) => (isScalar(key) ? key.value : undefined) === list)
    : undefined;
}

function insert(text: string, list: string, item: Entry): string {
  const eol = lineEnd(text);
  const pair = pairOf(text, list);
  if (pair === undefined) {
    const end = text === '' || text.endsWith('\n') ? text : text + eol;
    return `${end}${list}:${eol}${toItem(item, '  ', eol)}`;
  }
  const [keyStart, keyEnd] = rangeOf(pair.key);
  if (isSeq(pair.value) && pair.value.flow) {
    const [start, end] = rangeOf(pair.value);
    if (pair.value.items.length > 0) {
      return `${text.slice(0, start + 1)}${JSON.stringify(item)}, ${text.slice(start + 1)}`;
    }
    const head = text.slice(0, start).trimEnd();
    return `${head}${eol}${toItem(item, '  ', eol).trimEnd()}${text.slice(end)}`;
  }
  const column = isSeq(pair.value) ? columnOf(text, rangeOf(pair.value)[0]) : '  ';
  const lineAfter = text.indexOf('\n', isSeq(pair.value) ? keyEnd : keyStart) + 1;
  const [head, rest] = lineAfter === 0 ? [text + eol, ''] : [text.slice(0, lineAfter), text.slice(lineAfter)];
  return head + toItem(item, column, eol) + rest;
}

function remove(text: string, list: string, name: string): string {
  const seq = pairOf(text, list)?.value;
  if (!isSeq(seq)) return text;
  const index = seq.items.findIndex((item) => isMap(item) && item.get('name') === name);
  if (index < 0) return text;
  return seq.flow ? removeFromFlow(text, seq, index) : removeLines(text, seq, index, list);
}

function removeLines(text: string, seq: YAMLSeq, index: number, list: string): string {
  const [start, end] = rangeOf(seq.items[index]);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEndAt = text.charAt(end - 1) === '\n' ? end : text.indexOf('\n', end) + 1 || text.length;
  const rest = text.slice(0, lineStart) + text.slice(lineEndAt);
  // A key without a value is null, which is not a list.
  if (seq.items.length > 1) return rest;
  const keyEnd = rangeOf(pairOf(text, list)?.key)[1];
  return `${rest.slice(0, keyEnd)}: []${rest.slice(keyEnd).replace(/^\s*:/, '')}`;
}

function removeFromFlow(text: string, seq: YAMLSeq, index: number): string {
  const [start, end] = rangeOf(seq.items[index]);
  const after = text.slice(end);
  const hasComma = /^\s*,\s?/.exec(after);
  if (hasComma) return text.slice(0, start) + after.slice(hasComma[0].length);
  return text.slice(0, start).replace(/,\s*$/, '') + after;
}

/** JSON strings are YAML strings. */
function toItem(item: Entry, indent: string, eol: string): string {
  const lines = Object.entries(item).flatMap(([key, value]) =>
    isEntry(value) && Object.keys(value).length > 0
      ? [`${key}:`, ...Object.entries(value).map(([inner, each]) => `  ${inner}: ${JSON.stringify(each)}`)]
      : [`${key}: ${JSON.stringify(value)}`],
  );
  return lines.map((line, index) => `${indent}${index === 0 ? '- ' : '  '}${line}${eol}`).join('');
}

function columnOf(text: string, offset: number): string {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).replace(/\S/g, ' ');
}

function rangeOf(node: unknown): readonly [start: number, end: number] {
  const range = isNode(node) ? node.range : undefined;
  if (!range) throw new SyntaxError('it is written in a way that cannot be edited');
  return [range[0], range[1]];
}
