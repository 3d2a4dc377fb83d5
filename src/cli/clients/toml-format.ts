import { parse as parseToml } from 'smol-toml';
import { type ConfigFormat, isEntry, lineEnd, plain, valueAt, withoutPath } from './config-format.ts';

/** TOML: the table `[table.name]`, at the end of the file. */
export function tomlFormat(table: string, name: string): ConfigFormat {
  return {
    blank: '',
    parse: (text) => {
      try {
        return plain(parseToml(text));
      } catch (error) {
        throw new SyntaxError(`it is not valid TOML (${(error as Error).message.split('\n', 1)[0]})`);
      }
    },
    find: (parsed) => {
      const found = valueAt(parsed, [table, name]);
      return isEntry(found) ? found : undefined;
    },
    others: (parsed) => withoutPath(parsed, [table, name]),
    insert: (text, entry) => {
      const eol = lineEnd(text);
      const rest = withoutTable(text, table, name);
      const end = rest === '' || rest.endsWith('\n') ? rest : rest + eol;
      const gap = end === '' ? '' : eol;
      return end + gap + [`[${table}.${name}]`, ...Object.entries(entry).map(toLine)].join(eol) + eol;
    },
    remove: (text) => withoutTable(text, table, name),
  };
}

const toLine = ([key, value]: [string, unknown]) => `${key} = ${toValue(value)}`;

function toValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toValue).join(', ')}]`;
  if (isEntry(value)) {
    const pairs = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)} = ${toValue(inner)}`);
    return `{ ${pairs.join(', ')} }`;
  }
  // JSON's escapes are TOML's, but for DEL, which TOML wants escaped.
  return typeof value === 'string' ? JSON.stringify(value).replaceAll('\u007f', '\\u007f') : String(value);
}

/**
 * Without the table, its sub-tables and one blank line before it. Comments that stand right above the next table stay.
 * Lines are enough here: the caller checks that all else parses as it did.
 */
function withoutTable(text: string, table: string, name: string): string {
  const lines = text.split(/(?<=\n)/);
  const kept: string[] = [];
  for (let at = 0; at < lines.length; ) {
    if (!isOurs(lines[at] ?? '', table, name)) {
      kept.push(lines[at] ?? '');
      at += 1;
      continue;
    }
    let end = at + 1;
    while (end < lines.length && !/^\s*\[/.test(lines[end] ?? '')) end += 1;
    const isAtEnd = end === lines.length;
    while (end > at + 1 && /^\s*(?:#.*)?\s*$/.test(lines[end - 1] ?? '')) end -= 1;
    if (isAtEnd && kept.at(-1)?.trim() === '') kept.pop();
    at = end;
  }
  return kept.join('');
}

function isOurs(line: string, table: string, name: string): boolean {
  const header = /^\s*\[\s*([^[\]]+?)\s*\]/.exec(line)?.[1];
  const parts = header?.match(/"[^"]*"|'[^']*'|[\w-]+/g)?.map((part) => part.replace(/^["']|["']$/g, ''));
  return parts?.[0] === table && parts[1] === name;
}
