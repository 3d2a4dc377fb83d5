import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { loadConfig } from '../../config.ts';
import { type Client, clients, type Machine, type Server, serverOf } from '../clients/clients.ts';
import { readEntry } from '../clients/config-file.ts';
import { type Finding, fail, ok, warn } from './check.ts';

/** What clients fill in themselves: inputs and variables in their own notation. */
const filledIn = /\$\{(?:input|env|workspaceFolder)\b|\{(?:env|file):/;

/** The entries of this server in the configurations of the clients on this machine. */
export async function checkClientFiles(machine: Machine): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const client of clients) {
    for (const file of client.files(machine).filter((each) => existsSync(each))) {
      found.push(...(await checkFile(client, file, machine.platform)));
    }
  }
  if (found.length > 0) return found;
  return [
    warn('Clients', 'no client on this computer has an entry of this server.', 'Run `vectorless-mcp init`.'),
  ];
}

/** The files that an entry names. On Windows `/c`, which tells cmd to run something, is not one of them. */
export function filesOf({ command, args }: Server, platform: NodeJS.Platform): string[] {
  const isFull = (word: string) =>
    platform === 'win32' ? /^(?:[A-Za-z]:[\\/]|\\\\)/.test(word) : posix.isAbsolute(word);
  return [command, ...args].filter(isFull);
}

async function checkFile(client: Client, file: string, platform: NodeJS.Platform): Promise<Finding[]> {
  const again = `Run \`vectorless-mcp init --client ${client.id}\`.`;
  try {
    const entry = await readEntry(file, client.format);
    if (entry === undefined) return [];
    const server = serverOf(entry);
    if (server === undefined) return [ok(client.name, `${file}: a remote server`)];
    const missing = filesOf(server, platform).find((word) => !existsSync(word));
    if (missing !== undefined) return [fail(client.name, `${file}: ${missing} does not exist.`, again)];
    const env = Object.fromEntries(Object.entries(server.env).filter(([, value]) => !filledIn.test(value)));
    const [warning] = loadConfig([], env).warnings;
    if (warning !== undefined) return [warn(client.name, `${file}: ${warning}`, again)];
    const needsKey =
      !server.args.includes('--local') && !/^(?:1|true|yes|on)$/i.test(env.VECTORLESS_LOCAL ?? '');
    const hasKey = 'VECTORLESS_API_KEY' in server.env || 'VECTORLESS_BASE_URL' in server.env;
    if (needsKey && !hasKey)
      return [warn(client.name, `${file}: no VECTORLESS_API_KEY and no --local.`, again)];
    return [ok(client.name, file)];
  } catch (error) {
    return [
      fail(client.name, (error as Error).message, 'Repair the file; the client cannot read it either.'),
    ];
  }
}
