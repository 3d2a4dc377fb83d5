import { existsSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { loadConfig } from '../config.ts';
import { type Settings, settings } from '../settings.ts';
import { type Client, clients, type Server } from './clients/clients.ts';
import { launchCommand } from './launch.ts';
import type { Surroundings } from './terminal.ts';

/** What stands in a printed entry where the key belongs; the server treats it as no key. */
export const keyPlaceholder = '<YOUR_KEY>';

/** Something the person has to decide or give. */
export class Unclear extends Error {
  override readonly name = 'Unclear';
}

/** The client's own configuration file on this machine. */
export function fileOf(client: Client, around: Surroundings): string {
  const files = client.files(around);
  return files.find((file) => existsSync(file)) ?? files[0] ?? '';
}

export function isInstalled(client: Client, around: Surroundings): boolean {
  const path = around.platform === 'win32' ? win32 : posix;
  const files = client.files(around);
  const signs = client.signs?.(around) ?? files.map((file) => path.dirname(file));
  return [...files, ...signs].some((sign) => existsSync(sign));
}

/** The clients that were named, else those that are installed: all of them, or what the person picks. */
export async function chooseClients(names: readonly string[], around: Surroundings): Promise<Client[]> {
  if (names.length > 0) return clientsNamed(names);
  const found = clients.filter((client) => isInstalled(client, around));
  if (found.length === 0) {
    throw new Unclear(`No MCP client was found. Name one with --client: ${allIds()}.`);
  }
  const { ask, print } = around.terminal;
  if (ask === undefined) return found;
  print('Found these clients:');
  for (const [index, client] of found.entries()) print(`  ${index + 1}. ${client.name}`);
  const answer = (await ask('Set up which? Numbers, or Enter for all: ')).trim();
  if (answer === '') return found;
  const picked = answer.split(/[\s,]+/).map((number) => found[Number(number) - 1]);
  const clear = picked.filter((client) => client !== undefined);
  if (clear.length !== picked.length) throw new Unclear(`"${answer}" is not a list of those numbers.`);
  return clear;
}

export function clientsNamed(names: readonly string[]): Client[] {
  const wanted = names.flatMap((name) => name.toLowerCase().split(/[\s,]+/)).filter((name) => name !== '');
  if (wanted.includes('all')) return [...clients];
  return wanted.map((name) => {
    const client = clients.find(({ id, name: title }) => id === name || title.toLowerCase() === name);
    if (client === undefined) throw new Unclear(`There is no client "${name}". Known: ${allIds()}.`);
    return client;
  });
}

const allIds = () => clients.map(({ id }) => id).join(', ');

/** Settings that go from the person's environment into the entry: clients do not start servers from a shell. */
const carried: readonly (keyof Settings)[] = [
  ...(['baseUrl', 'org', 'store', 'allowHttp', 'defaultDocs', 'searchAll', 'readOnly', 'tools'] as const),
  ...(['toolsets', 'ingestWaitSeconds', 'maxFileMb', 'maxResultTokens', 'allowedDirs'] as const),
  ...(['urlIngest', 'urlProxy', 'logLevel', 'localDir'] as const),
];
const carriedBeside = ['HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy', 'NODE_EXTRA_CA_CERTS'];
const hostedOnly: readonly (keyof Settings)[] = ['baseUrl', 'org', 'store', 'allowHttp'];

/** Variables that an entry written earlier must not keep beside this server. */
export function replacedBy({ args }: Server): string[] {
  const names = args.includes('--local') ? (['apiKey', ...hostedOnly] as const) : (['local'] as const);
  return names.map((name) => settings[name].env);
}

/** What clients are to start: with the embedded engine, or with the key from the environment or the person. */
export async function chooseServer(
  local: boolean,
  isForPrinting: boolean,
  around: Surroundings,
): Promise<Server> {
  const { command, args } = await launchCommand(around.script, around.platform);
  const key = local ? undefined : await chooseKey(isForPrinting, around);
  const isLocal = local || key === '';
  const names = carried.filter((name) => !isLocal || !hostedOnly.includes(name));
  const kept = [...names.map((name) => settings[name].env), ...carriedBeside].flatMap((name) => {
    const value = around.env[name]?.trim();
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  const env = {
    ...(key !== undefined && key !== '' && { [settings.apiKey.env]: key }),
    ...Object.fromEntries(kept),
  };
  return { command, args: isLocal ? [...args, '--local'] : args, env };
}

/** Empty for the embedded engine; undefined where a server of one's own may need none. */
async function chooseKey(
  isForPrinting: boolean,
  { env, terminal }: Surroundings,
): Promise<string | undefined> {
  const config = loadConfig([], env);
  if (config.local) return '';
  if (isForPrinting)
    return config.apiKey === undefined && config.baseUrl !== undefined ? undefined : keyPlaceholder;
  if (config.apiKey !== undefined || config.baseUrl !== undefined) return config.apiKey;
  const question = 'Vectorless API key (not shown; Enter for the embedded engine without a key): ';
  if (terminal.ask) return (await terminal.ask(question, true)).trim();
  throw new Unclear(
    'There is no API key: set VECTORLESS_API_KEY, or use --local for the embedded engine, which needs none.',
  );
}
