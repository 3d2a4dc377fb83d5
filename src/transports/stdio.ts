import { Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Log } from '../log.ts';
import type { Registry } from '../registry/registry.ts';
import { createServer } from '../server/server.ts';
import { localCaller } from '../tools/caller.ts';
import { wholeLines } from './whole-lines.ts';

export interface StdioOptions {
  readonly registry: Registry;
  readonly log: Log;
  /** Largest message from the client, in bytes: a document pasted as base64 must fit. */
  readonly maxMessageBytes: number;
  /** Writes to the real stdout, which is the protocol's alone. */
  readonly write: typeof process.stdout.write;
}

/** How often to look whether the parent is still there; a closed stdin usually says so first. */
const parentCheckMs = 2_000;
/** After stdin ends: time for answers that are ready to be written. */
const graceMs = 150;

/** Serves one client over stdin and stdout; resolves when the client has gone, however it went. */
export async function serveOverStdio({ registry, log, maxMessageBytes, write }: StdioOptions): Promise<void> {
  const gone = clientGone(log);
  const stdout = new Writable({
    // Text goes on as text: the pipe encodes it once.
    decodeStrings: false,
    write(chunk: string | Buffer, encoding, done) {
      if (typeof chunk === 'string') write(chunk, encoding, (error) => done(error));
      else write(chunk, (error) => done(error));
    },
  });
  stdout.on('error', () => {});
  const connection = serveStdio(() => createServer({ registry, caller: localCaller, log }), {
    transport: new StdioServerTransport(process.stdin.pipe(wholeLines(maxMessageBytes)), stdout, {
      maxBufferSize: maxMessageBytes,
    }),
    onerror: (error) => log.warn('protocol_error', { error: error.name }),
  });
  const reason = await gone;
  log.debug('client_gone', { reason });
  if (reason === 'stdin') await new Promise((resolve) => setTimeout(resolve, graceMs));
  await connection.close();
}

/** Resolves with the first sign that nobody listens any more. */
function clientGone(log: Log): Promise<'stdin' | 'stdout' | 'parent' | 'signal'> {
  return new Promise((resolve) => {
    process.stdin.once('end', () => resolve('stdin'));
    process.stdin.once('close', () => resolve('stdin'));
    process.stdin.once('error', () => resolve('stdin'));
    process.stdout.on('error', () => resolve('stdout'));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => resolve('signal'));
    const parent = process.ppid;
    const check = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(check);
      log.debug('parent_gone');
      resolve('parent');
    }, parentCheckMs);
    check.unref();
  });
}
