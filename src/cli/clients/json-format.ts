import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import {
  type ConfigFormat,
  indented,
  indentUnit,
  isEntry,
  lineEnd,
  plain,
  valueAt,
  withoutPath,
} from './config-format.ts';

/** JSON, with or without comments: the entry `name` in the object at `pathOf(root)`, first of its entries. */
export function jsonFormat(name: string, pathOf: (parsed: unknown) => readonly string[]): ConfigFormat {
  const parse = (text: string): unknown => {
    const root = rootOf(text);
    return root === undefined ? {} : plain(getNodeValue(root));
  };
  return {
    blank: '',
    parse,
    find: (parsed) => {
      const found = valueAt(parsed, [...pathOf(parsed), name]);
      return isEntry(found) ? found : undefined;
    },
    others: (parsed) => withoutPath(parsed, [...pathOf(parsed), name]),
    insert: (text, entry) => put(text, [...pathOf(parse(text)), name], entry),
    remove: (text) => {
      const root = rootOf(text);
      const found = root && findNodeAtLocation(root, [...pathOf(getNodeValue(root)), name]);
      return found?.parent === undefined ? text : cut(text, found.parent);
    },
  };
}

/** Undefined for a text with nothing but comments in it. */
function rootOf(text: string): Node | undefined {
  const errors: ParseError[] = [];
  // A byte-order mark is not JSON; a space in its place keeps the offsets.
  const root = parseTree(text.replace(/^\ufeff/, ' '), errors, {
    allowTrailingComma: true,
    allowEmptyContent: true,
  });
  const [error] = errors;
  if (error !== undefined) {
    throw new SyntaxError(`it is not valid JSON (line ${text.slice(0, error.offset).split('\n').length})`);
  }
  if (root !== undefined && root.type !== 'object') throw new SyntaxError('it does not hold an object');
  return root;
}

function put(text: string, path: readonly string[], value: unknown): string {
  const root = rootOf(text);
  if (root === undefined) return put(`${text.trimEnd()}{}${lineEnd(text)}`, path, value);
  const there = findNodeAtLocation(root, [...path]);
  const unit = indentUnit(text);
  const print = (what: unknown, depth: number) =>
    indented(JSON.stringify(what, null, unit), unit.repeat(depth), lineEnd(text));
  if (there) {
    if (JSON.stringify(getNodeValue(there)) === JSON.stringify(value)) return text;
    return text.slice(0, there.offset) + print(value, path.length) + text.slice(there.offset + there.length);
  }
  // The innermost object that exists takes the rest of the path.
  let depth = path.length - 1;
  while (findNodeAtLocation(root, path.slice(0, depth)) === undefined) depth -= 1;
  const object = findNodeAtLocation(root, path.slice(0, depth));
  if (object?.type !== 'object') throw new SyntaxError(`${path.slice(0, depth).join('.')} is not an object`);
  const nested = path.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  const property = `${JSON.stringify(path[depth])}: ${print(nested, depth + 1)}`;
  return insertFirst(text, object, property, unit.repeat(depth), unit);
}

function insertFirst(text: string, object: Node, property: string, indent: string, unit: string): string {
  const eol = lineEnd(text);
  const isEmpty = (object.children ?? []).length === 0;
  const line = `${eol}${indent}${unit}${property}${isEmpty ? '' : ','}`;
  const brace = object.offset + 1;
  // A comment on the brace's line stays there.
  const restOfLine = /^[\t ]*(?:\/\/[^\n\r]*|(?:\/\*[^\n]*?\*\/[\t ]*)*)(?=\r?\n)/.exec(text.slice(brace));
  if (restOfLine) {
    const from = brace + restOfLine[0].length;
    return text.slice(0, from) + line + text.slice(from);
  }
  const gap = eol + indent + (isEmpty ? '' : unit);
  return text.slice(0, brace) + line + gap + text.slice(brace).replace(/^[\t ]+/, '');
}

/** Takes a property out, with the white space before it and one comma. */
function cut(text: string, property: Node): string {
  const object = property.parent;
  const siblings = object?.children ?? [];
  const before = text.slice(0, property.offset).trimEnd();
  const after = text.slice(property.offset + property.length);
  if (siblings.length === 1) {
    const rest = after.replace(/^\s*,/, '');
    return before.endsWith('{') && /^\s*\}/.test(rest) ? before + rest.trimStart() : before + rest;
  }
  if (/^\s*,/.test(after)) return before + after.replace(/^\s*,/, '');
  return (before.endsWith(',') ? before.slice(0, -1) : before) + after;
}
