import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import type { Server } from './clients/clients.ts';

/** Where npx, pnpm dlx, yarn dlx and bunx keep what they fetched for one run. */
const passing = /[\\/](?:_npx|pnpm[\\/]dlx|dlx-\d+|bunx-\d+-[^\\/]+)[\\/]/;

/**
 * The same Node by a path that stays: Homebrew's own names the version, and is gone with the next upgrade, while the
 * link beside it moves along.
 */
export function lasting(node: string, exists: (path: string) => boolean = existsSync): string {
  const link = node.replace(/\/Cellar\/([^/]+)\/[^/]+\/bin\/(\w+)$/, '/opt/$1/bin/$2');
  return exists(link) ? link : node;
}

/**
 * The command by which a client starts this very server. An installed one is started by its full path, with the Node
 * that runs now: graphical clients often find no npx, or an old Node. What npx fetched is asked from npx again, since
 * its cache comes and goes.
 */
export async function launchCommand(
  script: string,
  platform: NodeJS.Platform,
): Promise<Pick<Server, 'command' | 'args'>> {
  const real = await realpath(script).catch(() => script);
  if (!passing.test(real)) return { command: lasting(process.execPath), args: [real] };
  const npx = ['npx', '-y', '@vectorless/mcp'];
  // Windows starts a .cmd only through its shell.
  const [command = 'npx', ...args] = platform === 'win32' ? ['cmd', '/c', ...npx] : npx;
  return { command, args };
}
