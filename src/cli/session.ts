import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { loadConfig, secretsOf } from '../config.ts';
import { type EmbeddedEngine, embeddedEngine } from '../embedded-engine.ts';
import { createLog } from '../log.ts';
import { openRegistry } from '../registry/registry.ts';
import { wireSchema } from '../registry/schema.ts';
import { callTool } from '../server/call-tool.ts';
import { localCaller } from '../tools/caller.ts';
import type { Surroundings } from './terminal.ts';

/** The tools as an agent has them, for a command of a person: the same registry, the same one way to run a tool. */
export interface Session {
  readonly config: Config;
  /** Whether the settings let this tool be called. */
  publishes(tool: string): boolean;
  call(tool: string, args: Record<string, unknown>): Promise<CalledTool>;
  close(): Promise<void>;
}

export interface CalledTool {
  readonly ok: boolean;
  /** What an agent would read. */
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
}

export interface SessionOptions {
  /** Folders that `path` may read, since the person named them. */
  readonly allowedDirs?: readonly string[];
  readonly delimiter?: string;
  /** What the command works with where `VECTORLESS_TOOLS` chooses nothing: what agents get by default is not all of it. */
  readonly tools?: readonly string[];
}

export async function openSession(
  flags: readonly string[],
  around: Surroundings,
  {
    allowedDirs,
    tools: needed = [],
    delimiter = around.platform === 'win32' ? ';' : ':',
  }: SessionOptions = {},
): Promise<Session> {
  const loaded = loadConfig(flags, around.env);
  const config = {
    ...loaded,
    ...(loaded.tools.length === 0 && { tools: needed }),
    ...(allowedDirs !== undefined && { allowedDirs: allowedDirs.join(delimiter) }),
  };
  const log = createLog('warn', (line) => process.stderr.write(line), secretsOf(config));
  const engine: EmbeddedEngine | undefined = config.local ? embeddedEngine(config, log) : undefined;
  const registry = await openRegistry({ config, log, upstream: engine?.fetch });
  const { tools } = registry.bind(localCaller);
  return {
    config,
    publishes: (name) => tools.some((tool) => tool.name === name),
    async call(name, args) {
      const tool = tools.find((candidate) => candidate.name === name);
      if (tool === undefined) throw new TypeError(`${name} is not published with these settings.`);
      const schema = wireSchema(tool.input, 'input', tool.hidden);
      const result = await callTool(tool, schema, args, { signal: new AbortController().signal, log });
      const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
      return { ok: result.isError !== true, text, structured: asRecord(result.structuredContent) };
    },
    async close() {
      await registry.close();
      await engine?.close();
    },
  };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

export interface OwnOptions<Name extends string> {
  readonly words: string[];
  /** What is the server's. */
  readonly flags: string[];
  readonly options: Partial<Record<Name, string>>;
  readonly switches: ReadonlySet<string>;
}

/** Takes a command's own options and switches out of its arguments; what is left are words and flags of the server. */
export function ownOptions<const Name extends string>(
  argv: readonly string[],
  names: readonly Name[],
  switchNames: readonly string[] = [],
): OwnOptions<Name> {
  const options = Object.fromEntries([
    ...names.map((name) => [name, { type: 'string' as const }] as const),
    ...switchNames.map((name) => [name, { type: 'boolean' as const }] as const),
  ]);
  const { tokens } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const words: string[] = [];
  const flags: string[] = [];
  const found: Partial<Record<Name, string>> = {};
  const switches = new Set<string>();
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const own = names.find((name) => name === token.name);
    if (switchNames.includes(token.name)) switches.add(token.name);
    else if (own === undefined)
      flags.push(token.value === undefined ? token.rawName : `${token.rawName}=${token.value}`);
    else found[own] = token.value ?? '';
  }
  return { words, flags, options: found, switches };
}
