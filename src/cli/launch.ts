import { realpath } from 'node:fs/promises';
import type { Server } from './clients/clients.ts';

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
  if (!/[\\/]_npx[\\/]/.test(real)) return { command: process.execPath, args: [real] };
  const npx = ['npx', '-y', '@vectorless/mcp'];
  // Windows starts a .cmd only through its shell.
  const [command = 'npx', ...args] = platform === 'win32' ? ['cmd', '/c', ...npx] : npx;
  return { command, args };
}
