import { type Setting, settings } from '../settings.ts';
import { version } from '../version.ts';

const commands: readonly (readonly [string, string])[] = [
  ['(none)', 'serve one client over stdin and stdout'],
  ['init', 'set up MCP clients on this machine'],
  ['doctor', 'check what a server needs, and say what to mend'],
  ['ingest PATH…', 'ingest files and folders, each file in place of its earlier version'],
  ['documents', 'list the documents'],
  ['query "QUESTION"', 'ask the documents'],
];

export function versionLine(): string {
  return `vectorless-mcp ${version} (Node ${process.versions.node})`;
}

export function helpText(): string {
  const all = Object.values(settings) as Setting<unknown>[];
  const flags = all
    .filter((setting) => setting.flag !== undefined)
    .map(({ flag, isSwitch, meaning }) => [`--${flag}${isSwitch ? '' : ' VALUE'}`, meaning] as const);
  return [
    'vectorless-mcp: your documents as tools for AI agents, over MCP',
    '',
    'Usage: vectorless-mcp [COMMAND] [FLAGS]',
    '',
    ...table(commands),
    '',
    ...table([
      ...flags,
      ['--version', 'print the version'],
      ['--help', 'print this; `COMMAND --help` says more'],
    ]),
    '',
    'Environment variables (a flag wins):',
    '',
    ...table(all.map(({ env, meaning }) => [env, meaning] as const)),
  ].join('\n');
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`);
}
