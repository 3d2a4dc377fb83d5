import { type Setting, settings } from '../settings.ts';
import { version } from '../version.ts';
import type { Surroundings } from './terminal.ts';

/** What `--help` prints: the commands, and every flag with its variable. */
export function usage(): string {
  const flags = (Object.values(settings) as Setting<unknown>[]).flatMap(
    ({ flag, isSwitch, env, meaning }) => {
      if (flag === undefined) return [];
      const shown = isSwitch ? `--${flag}` : `--${flag} ${flag.toUpperCase()}`;
      return [`  ${shown.padEnd(26)} ${meaning} (${env})`];
    },
  );
  return `vectorless-mcp ${version}: your documents as tools for AI agents, over MCP.

Usage: vectorless-mcp [FLAG…]       serve one client over stdio, or with --http many over HTTP
       vectorless-mcp init          set up the MCP clients of this computer
       vectorless-mcp doctor        check what a server needs, one line each

${flags.join('\n')}
  ${'--version'.padEnd(26)} Print the version.
  ${'--help'.padEnd(26)} Print this; each command has its own.

Everything can be set by environment variables; VECTORLESS_API_KEY is the one that the hosted service needs. The
README lists the others.`;
}

export async function help(_argv: readonly string[], { terminal }: Surroundings): Promise<number> {
  terminal.print(usage());
  return 0;
}

export async function printVersion(_argv: readonly string[], { terminal }: Surroundings): Promise<number> {
  terminal.print(version);
  return 0;
}
