import type { Config } from './config.ts';
import type { Log } from './log.ts';
import { Refusal } from './refusal.ts';

export interface EmbeddedEngine {
  /** Answers in place of the network. */
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** The engine is loaded and opened by the first call that needs it: starting up reads no files. */
export function embeddedEngine(config: Config, log: Log): EmbeddedEngine {
  const open = async () => {
    const { createLocalEngine } = await import('@vectorless/local');
    try {
      return createLocalEngine({
        dir: config.dataDir,
        maxBodyBytes: config.maxFileMb * 2 ** 20 + 2 ** 20,
        onWarning: (message) => log.warn('engine', { message }),
      });
    } catch (error) {
      engine = undefined;
      throw unusable(
        config,
        error instanceof Error && 'code' in error ? String(error.code) : 'unknown error',
      );
    }
  };
  let engine: ReturnType<typeof open> | undefined;
  return {
    async fetch(request) {
      engine ??= open();
      const response = await (await engine).fetch(request);
      if (response.status < 500) return response;
      const { error } = (await response.clone().json()) as { error?: string };
      if (error?.startsWith(storageFailure)) throw unusable(config, error.slice(storageFailure.length));
      return response;
    },
    close: async () => (await engine)?.close(),
  };
}

const storageFailure = 'storage write failed: ';

/** What is wrong with the user's own disk can be said as it is, other than what a server says of its own. */
function unusable({ dataDir }: Config, reason: string): Refusal {
  return new Refusal(
    `The embedded engine cannot use its folder ${dataDir}: ${reason}. Tell the user; VECTORLESS_LOCAL_DIR names another folder.`,
  );
}
