import { homeFolder } from '../config.ts';
import { processTerminal, type Surroundings, type Terminal } from './terminal.ts';

type Command = (argv: readonly string[], around: Surroundings) => Promise<number>;

const commands: Readonly<Record<string, () => Promise<Command>>> = {
  init: async () => (await import('./init.ts')).init,
  ingest: async () => (await import('./ingest.ts')).ingest,
  documents: async () => (await import('./documents.ts')).documents,
  query: async () => (await import('./documents.ts')).query,
  doctor: async () => (await import('./doctor.ts')).doctor,
};

export const isCommand = (name: string | undefined): name is string => Object.hasOwn(commands, name ?? '');

/**
 * Runs a command beside the server; resolves with its exit code. `write` is the real stdout.
 * @throws {TypeError} for an unknown flag, with a sentence for the person who typed it.
 */
export async function runCommand(
  name: string,
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  write: (text: string) => void,
): Promise<number> {
  const terminal: Terminal = processTerminal(write);
  const command = await commands[name]?.();
  if (command === undefined) {
    throw new TypeError(`There is no command "${name}". There are: ${Object.keys(commands).join(', ')}.`);
  }
  const place = { platform: process.platform, home: homeFolder(), cwd: process.cwd() };
  return command(argv, { terminal, env, ...place, script: process.argv[1] ?? '' });
}
