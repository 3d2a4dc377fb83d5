/** The built server as a child process, seen as raw lines: for what a client library would hide. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface ChildOptions {
  /** On top of a clean environment: nothing of the test runner's is inherited but PATH and the home folder. */
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Arguments for Node itself. */
  readonly nodeArgs?: readonly string[];
  readonly cwd?: string;
  /** Relative to the repository; default `dist/index.js`. */
  readonly entry?: string;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface JsonRpcAnswer {
  readonly id: string | number | null;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface Child {
  readonly process: ChildProcessWithoutNullStreams;
  readonly pid: number;
  /** Lines so far. */
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  readonly exited: Promise<Exit>;
  /** Writes one line: text as it is, anything else as JSON. */
  write(line: unknown): void;
  /** Sends a request with an id of its own and waits for the answer. */
  request(method: string, params?: Record<string, unknown>, timeoutMs?: number): Promise<JsonRpcAnswer>;
  notify(method: string, params?: Record<string, unknown>): void;
  /** The 2025 handshake. */
  initialize(protocolVersion?: string): Promise<JsonRpcAnswer>;
  /** Gets every line of stdout as it comes. */
  onLine(listener: (line: string) => void): void;
  /** Closes stdin: what a client does when it is done. */
  end(): void;
  /** Ends it, first politely, and waits until it is gone. */
  close(): Promise<Exit>;
}

export const repository = fileURLToPath(new URL('../../', import.meta.url));

const alive = new Set<ChildProcessWithoutNullStreams>();
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

export function spawnChild(options: ChildOptions = {}): Child {
  const { env = {}, args = [], nodeArgs = [], cwd = repository, entry = 'dist/index.js' } = options;
  const child = spawn(process.execPath, [...nodeArgs, `${repository}${entry}`, ...args], {
    ...{ cwd, env: { ...cleanEnvironment(), ...env }, stdio: 'pipe' },
  });
  alive.add(child);
  const exited = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => {
      alive.delete(child);
      resolve({ code, signal });
    });
  });
  // A child that is gone is seen through `exited`, not through a failed write.
  child.stdin.on('error', () => {});
  const listeners: ((line: string) => void)[] = [];
  const stdout = collect(child.stdout, listeners);
  const stderr = collect(child.stderr, []);
  let lastId = 0;

  const self: Child = {
    ...{ process: child, pid: child.pid ?? -1, stdout, stderr, exited },
    write: (line) => {
      child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
    },
    onLine: (listener) => {
      listeners.push(listener);
    },
    request(method, params, timeoutMs = 15_000) {
      lastId += 1;
      const id = `test-${lastId}`;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`no answer to ${method} within ${timeoutMs} ms\n${stderr.join('\n')}`)),
          timeoutMs,
        );
        listeners.push((line) => {
          const answer = parseAnswer(line);
          if (answer?.id !== id) return;
          clearTimeout(timer);
          resolve(answer);
        });
        self.write({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
      });
    },
    notify: (method, params) =>
      self.write({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) }),
    async initialize(protocolVersion = '2025-11-25') {
      const clientInfo = { name: 'raw-child', version: '0' };
      const answer = await self.request('initialize', { protocolVersion, capabilities: {}, clientInfo });
      self.notify('notifications/initialized');
      return answer;
    },
    end: () => {
      child.stdin.end();
    },
    async close() {
      self.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), 2000);
      const exit = await exited;
      clearTimeout(timer);
      return exit;
    },
  };
  return self;
}

function cleanEnvironment(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'USERPROFILE', 'LOCALAPPDATA'];
  return Object.fromEntries(
    kept.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function collect(stream: NodeJS.ReadableStream, listeners: readonly ((line: string) => void)[]): string[] {
  const lines: string[] = [];
  createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
    lines.push(line);
    for (const listener of [...listeners]) listener(line);
  });
  return lines;
}

function parseAnswer(line: string): JsonRpcAnswer | undefined {
  try {
    return JSON.parse(line) as JsonRpcAnswer;
  } catch {
    return undefined;
  }
}
