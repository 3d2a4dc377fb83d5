import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Server } from './clients/clients.ts';

export interface Trial {
  /** Names of the tools it published. */
  readonly tools: readonly string[];
  /** Lines on its stdout that are not JSON-RPC: a client would choke on them. */
  readonly strayLines: number;
  readonly milliseconds: number;
}

const mostText = 4000;

/**
 * Starts a server as a client would, shakes hands and lists its tools; it is gone when this resolves.
 * @throws {Error} with a sentence that may hold the end of its stderr: redact it before it is shown.
 */
export async function tryServer(
  { command, args, env }: Server,
  environment: Readonly<Record<string, string | undefined>>,
  timeoutMs: number,
): Promise<Trial> {
  const started = Date.now();
  const child = spawn(command, args, { env: { ...environment, ...env }, stdio: 'pipe', windowsHide: true });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-mostText);
  });
  child.stdin.on('error', () => {});
  let strayLines = 0;
  const waiting = new Map<unknown, (result: unknown) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = jsonRpc(line);
    if (message === undefined) strayLines += 1;
    waiting.get(message?.id)?.(message?.result);
  });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = (id: number, method: string, params: object) =>
    new Promise<unknown>((resolve) => {
      waiting.set(id, resolve);
      send({ id, method, params });
    });

  const failed = new Promise<never>((_, reject) => {
    const fail = (what: string) => reject(new Error(`${what}${lastLine(stderr)}`));
    child.once('error', (error: NodeJS.ErrnoException) =>
      fail(`${command} could not be started (${error.code}).`),
    );
    child.once('close', (code) => fail(`It stopped with exit code ${code}.`));
    setTimeout(() => fail(`It did not answer within ${timeoutMs / 1000} seconds.`), timeoutMs).unref();
  });
  try {
    return await Promise.race([failed, handshake()]);
  } finally {
    child.stdin.end();
    const stop = setTimeout(() => child.kill('SIGKILL'), 2000);
    await gone;
    clearTimeout(stop);
    // A grandchild may still hold the pipes.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  }

  async function handshake(): Promise<Trial> {
    const clientInfo = { name: 'vectorless-mcp', version: '1' };
    await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    send({ method: 'notifications/initialized' });
    const listed = await ask(2, 'tools/list', {});
    const tools = (listed as { tools?: { name: string }[] } | undefined)?.tools ?? [];
    return { tools: tools.map((tool) => tool.name), strayLines, milliseconds: Date.now() - started };
  }
}

function jsonRpc(line: string): { jsonrpc?: unknown; id?: unknown; result?: unknown } | undefined {
  try {
    const message: ReturnType<typeof jsonRpc> | null = JSON.parse(line);
    return message?.jsonrpc === '2.0' ? message : undefined;
  } catch {
    return undefined;
  }
}

function lastLine(stderr: string): string {
  const line = stderr.trim().split('\n').at(-1) ?? '';
  return line === '' ? '' : ` It said: ${line.slice(0, 300)}`;
}
