import module from 'node:module';
import { type Config, loadConfig, secretsOf } from './config.ts';
import { createLog } from './log.ts';
import { openRegistry } from './registry/registry.ts';
import { protocolWrite } from './stdout-guard.ts';
import { serveOverStdio } from './transports/stdio.ts';

/** Load the configuration, open the services, serve until the client has gone. */
async function main(argv: readonly string[]): Promise<number> {
  const config = loadConfig(argv, process.env);
  const log = createLog(config.logLevel, (line) => process.stderr.write(line), secretsOf(config));
  for (const warning of config.warnings) log.warn('configuration', { message: warning });
  process.on('unhandledRejection', (reason) => log.error('unhandled_rejection', { error: nameOf(reason) }));
  process.on('uncaughtException', (error) => log.error('uncaught_exception', { error: nameOf(error) }));

  const registry = await openRegistry({ config, log });
  await serveOverStdio({ registry, log, maxMessageBytes: messageLimit(config), write: protocolWrite });
  await Promise.race([registry.close(), soon()]);
  flushCompileCache();
  return 0;
}

/** Base64 is a third longer than the bytes. */
function messageLimit(config: Config): number {
  return Math.ceil(config.maxFileMb * 2 ** 20 * 1.4) + 2 ** 20;
}

/** Node 22 and later keep compiled code; a process that is stopped by `exit` has to say so. */
function flushCompileCache(): void {
  const flush: unknown = Reflect.get(module, 'flushCompileCache');
  if (typeof flush === 'function') flush();
}

/** Nothing may hold the exit up for longer than this. */
function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 500));
}

function nameOf(error: unknown): string {
  return error instanceof Error
    ? `${error.name} at ${error.stack?.split('\n')[1]?.trim() ?? 'unknown'}`
    : typeof error;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`vectorless-mcp: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
