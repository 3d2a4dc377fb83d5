import { redact } from '../../log.ts';
import type { Surroundings } from '../terminal.ts';
import { tryServer } from '../try-server.ts';
import { type Finding, fail, ok } from './check.ts';

const name = 'Start';

/** Starts this server as a client would: it must answer, and print nothing but the protocol. */
export async function checkStart(
  flags: readonly string[],
  around: Surroundings,
  known: string[],
): Promise<Finding> {
  const server = { command: process.execPath, args: [around.script, ...flags], env: {} };
  try {
    const { tools, strayLines, milliseconds } = await tryServer(server, around.env, 10_000);
    if (strayLines > 0) {
      const detail = `${strayLines} lines on stdout are not the protocol; clients break on them.`;
      return fail(name, detail, 'Look for a wrapper or NODE_OPTIONS that prints.');
    }
    return ok(name, `answers in ${milliseconds} ms with ${tools.length} tools, stdout is clean`);
  } catch (error) {
    return fail(
      name,
      redact((error as Error).message, known),
      'Run it in a terminal to see all that it prints.',
    );
  }
}
