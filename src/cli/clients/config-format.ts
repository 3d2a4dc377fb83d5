/** How a client's configuration file is written. Edits are made in the text, so that every other byte stays. */
export interface ConfigFormat {
  /** What a new file begins as. */
  readonly blank: string;
  /** @throws {SyntaxError} when the text is not of this format. */
  parse(text: string): unknown;
  /** Puts the entry in, or in the place of the one that is there. */
  insert(text: string, entry: Entry): string;
  /** Takes the entry out; the text as it is when there is none. */
  remove(text: string): string;
  /** The entry in what `parse` gave; undefined when there is none. */
  find(parsed: unknown): Entry | undefined;
  /** All but the entry and what would be empty without it: what an edit must not change. */
  others(parsed: unknown): unknown;
}

export type Entry = Readonly<Record<string, unknown>>;

export function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of keys. */
export function valueAt(parsed: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isEntry(value) ? value[key] : undefined), parsed);
}

/** A copy without what is at the path, and without objects that are empty then. */
export function withoutPath(parsed: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return undefined;
  if (!isEntry(parsed) || !(key in parsed)) return parsed;
  const inner = withoutPath(parsed[key], rest);
  const { [key]: _, ...others } = parsed;
  const isGone = inner === undefined || (isEntry(inner) && Object.keys(inner).length === 0);
  return isGone ? others : { ...others, [key]: inner };
}

/** Plain objects in place of a parser's own kinds, so that two of them can be equal. */
export function plain(parsed: unknown): unknown {
  return JSON.parse(JSON.stringify(parsed));
}

/** What line ends a text uses. */
export function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** What one level is indented by in a text: the first indented line says it. */
export function indentUnit(text: string): string {
  return /^([\t ]+)\S/m.exec(text)?.[1]?.replace(/^\t.*/, '\t') ?? '  ';
}

/** A multi-line text whose further lines begin with `indent`. */
export function indented(text: string, indent: string, eol: string): string {
  return text.split('\n').join(`${eol}${indent}`);
}
