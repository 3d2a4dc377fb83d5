import { parseArgs } from 'node:util';
import { redact } from '../log.ts';
import { chooseClients, chooseServer, clientsNamed, fileOf, replacedBy } from './choose.ts';
import { type Client, clients, renewed, type Server, serverOf } from './clients/clients.ts';
import { backupOf, readEntry, removeEntry, writeEntry } from './clients/config-file.ts';
import type { Surroundings } from './terminal.ts';
import { type Trial, tryServer } from './try-server.ts';

export const initUsage = `Usage: vectorless-mcp init [--client NAME]… [--local] [--print] [--undo]

Sets up the MCP clients of this computer: writes the server's entry into each one's own configuration, keeps a backup
beside it, then starts what it wrote and lists the tools. The API key is taken from VECTORLESS_API_KEY, or asked for.

  --client NAME  only this client (repeatable, or "all"):
                 ${clients.map(({ id }) => id).join(', ')}
  --local        use the embedded engine: no account, no key, no network
  --print        print the entries instead of writing them
  --undo         take the entries out again`;

/** npx may have to fetch the package first. */
const startMs = 60_000;

/** Sets up clients. Resolves with the exit code: 0 when everything that was asked for is done and was seen to work. */
export async function init(argv: readonly string[], around: Surroundings): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      client: { type: 'string', multiple: true, default: [] },
      local: { type: 'boolean', default: false },
      print: { type: 'boolean', default: false },
      undo: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { print } = around.terminal;
  if (values.help) {
    print(initUsage);
    return 0;
  }
  const named = clientsNamed(values.client);
  if (values.undo) return undoAll(named.length > 0 ? named : clients, around);
  if (values.print) {
    const server = await chooseServer(values.local, true, around);
    for (const client of named.length > 0 ? named : clients) printEntry(client, server, around);
    return 0;
  }
  const chosen = await chooseClients(values.client, around);
  const server = await chooseServer(values.local, false, around);
  return setUpAll(chosen, server, around);
}

function printEntry(client: Client, server: Server, around: Surroundings): void {
  const { print } = around.terminal;
  print(`# ${client.name}: ${fileOf(client, around)}`);
  // The key is a placeholder already; a proxy's address may hold a password.
  print(redact(client.format.insert(client.format.blank, client.toEntry(server))));
}

async function setUpAll(chosen: readonly Client[], server: Server, around: Surroundings): Promise<number> {
  const { print } = around.terminal;
  const trials = new Map<string, Promise<Trial>>();
  let failures = 0;
  for (const client of chosen) {
    const file = fileOf(client, around);
    try {
      const old = await readEntry(file, client.format);
      const entry = renewed(old, client.toEntry(server), replacedBy(server));
      const done = await writeEntry(file, client.format, entry);
      const backup = done === 'written' ? ` (as it was: ${backupOf(file)})` : '';
      print(
        `${client.name}: ${done === 'unchanged' ? 'was set up already in' : 'set up in'} ${file}${backup}`,
      );
      const trial = await tryOnce(client, file, trials, around);
      print(`  It starts in ${trial.milliseconds} ms and offers ${trial.tools.join(', ')}.`);
      print(`  ${client.afterwards}`);
    } catch (error) {
      failures += 1;
      const known = Object.values(server.env);
      print(`${client.name}: ${redact((error as Error).message, known)}`);
    }
  }
  if (failures > 0)
    print('Not everything works: `vectorless-mcp doctor` says more; --undo takes the entries out again.');
  return failures > 0 ? 1 : 0;
}

/** Starts what now stands in the file, once for entries that are the same. */
async function tryOnce(
  client: Client,
  file: string,
  trials: Map<string, Promise<Trial>>,
  { env }: Surroundings,
): Promise<Trial> {
  const entry = await readEntry(file, client.format);
  const written = entry === undefined ? undefined : serverOf(entry);
  if (written === undefined) throw new Error(`The entry cannot be read back from ${file}.`);
  // Only what the entry itself says: the client will not have this terminal's variables.
  const others = Object.entries(env).filter(([name]) => !name.startsWith('VECTORLESS_'));
  const key = JSON.stringify(written);
  const trial = trials.get(key) ?? tryServer(written, Object.fromEntries(others), startMs);
  trials.set(key, trial);
  const { tools } = await trial;
  if (tools.length === 0) throw new Error('The server started, but offers no tool.');
  return trial;
}

async function undoAll(chosen: readonly Client[], around: Surroundings): Promise<number> {
  const { print } = around.terminal;
  const said = {
    restored: 'is again what it was before',
    deleted: 'is gone again: it held nothing else',
    removed: 'has lost the entry; changes that were made since are kept',
  };
  let failures = 0;
  let found = 0;
  for (const client of chosen) {
    for (const file of client.files(around)) {
      try {
        const done = await removeEntry(file, client.format);
        if (done === 'absent') continue;
        found += 1;
        print(`${client.name}: ${file} ${said[done]}.`);
      } catch (error) {
        failures += 1;
        print(`${client.name}: ${(error as Error).message}`);
      }
    }
  }
  if (found === 0 && failures === 0) print('No client has an entry of this server.');
  return failures > 0 ? 1 : 0;
}
