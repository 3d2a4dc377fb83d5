/** The built server as an HTTP service in a process of its own. */
import { type Child, type ChildOptions, spawnChild } from './child.ts';
import { until } from './http-service.ts';

export interface HttpChild {
  readonly child: Child;
  /** Where it listens, without a trailing slash. */
  readonly url: string;
  /** Asks it to stop and waits until it is gone; answers with its exit code. */
  close(): Promise<number | null>;
}

/** Resolves when it is ready for callers; rejects, with what it said, when it exits instead. */
export async function spawnHttp({ args = [], ...options }: ChildOptions = {}): Promise<HttpChild> {
  const child = spawnChild({ ...options, args: ['--http', '--port', '0', ...args] });
  let hasExited = false;
  child.exited.then(() => {
    hasExited = true;
  });
  const line = () => child.stderr.find((text) => text.includes(' serves '));
  await until(() => line() !== undefined || hasExited, 'the server is ready', 15_000);
  const url = / serves (\S+)\/mcp/.exec(line() ?? '')?.[1];
  if (url === undefined) throw new Error(`the server did not start\n${child.stderr.join('\n')}`);
  return {
    ...{ child, url },
    async close() {
      child.process.kill('SIGTERM');
      const { code } = await child.exited;
      return code;
    },
  };
}
