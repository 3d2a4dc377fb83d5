// First of all, so that nothing that is loaded after it can print to stdout.
import './stdout-guard.ts';
import module from 'node:module';
import { type Config, loadConfig, secretsOf } from './config.ts';
import { type EmbeddedEngine, embeddedEngine } from './embedded-engine.ts';
import { createLog, type Log, placeOf, redact } from './log.ts';
import { openRegistry } from './registry/registry.ts';
import { protocolWrite } from './stdout-guard.ts';
import { serveOverStdio } from './transports/stdio.ts';

/** Load the configuration, open the services, serve until nobody is there to be served. */
async function main(argv: readonly string[]): Promise<number> {
  const [command, ...rest] = argv;
  if (command !== undefined && !command.startsWith('-')) {
    const { runCommand } = await import('./cli/commands.ts');
    return runCommand(command, rest, process.env, (text) => protocolWrite(text));
  }
  if (command === '--help' || command === '-h' || command === '--version') {
    const { helpText, versionLine } = await import('./cli/help.ts');
    protocolWrite(`${command === '--version' ? versionLine() : helpText()}\n`);
    return 0;
  }
  const config = loadConfig(argv, process.env);
  if (config.strict) await refuseUnlessWell(config);
  const log = createLog(config.logLevel, (line) => process.stderr.write(line), secretsOf(config));
  for (const message of config.warnings) log.warn('configuration', { message });
  process.on('unhandledRejection', (reason) => log.error('unhandled_rejection', { error: placeOf(reason) }));
  process.on('uncaughtException', (error) => log.error('uncaught_exception', { error: placeOf(error) }));
  const engine = config.local ? embeddedEngine(config, log) : undefined;
  return config.http ? serveHttp(config, log, engine) : serveStdio(config, log, engine);
}

/** `--strict`: what `doctor` would fail keeps the server from starting, in one line. */
async function refuseUnlessWell(config: Config): Promise<void> {
  const { failures } = await import('./cli/doctor.ts');
  const [first, ...others] = await failures(config);
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` (and ${others.length} more: see \`vectorless-mcp doctor\`)`;
  throw new Error(`not started (--strict): ${first.name}: ${first.detail} ${first.fix ?? ''}${more}`);
}

type Engine = EmbeddedEngine | undefined;

async function serveStdio(config: Config, log: Log, engine: Engine): Promise<number> {
  const registry = await openRegistry({ config, log, upstream: engine?.fetch });
  await serveOverStdio({ registry, log, maxMessageBytes: messageLimit(config), write: protocolWrite });
  await Promise.race([Promise.all([registry.close(), engine?.close()]), soon()]);
  flushCompileCache();
  return 0;
}

/** The HTTP leg is loaded only when it is asked for. */
async function serveHttp(config: Config, log: Log, engine: Engine): Promise<number> {
  const { createUploadLinks, serveHttp: serve, closeOnSignals } = await import('./transports/http.ts');
  const links = createUploadLinks(config);
  const registry = await openRegistry({ config, log, uploadLinks: links, upstream: engine?.fetch });
  return new Promise((resolve, reject) => {
    let service: Awaited<ReturnType<typeof serve>> | undefined;
    // Before it listens: in a container nothing else ends a process that still waits for its upstream.
    closeOnSignals(async () => {
      await service?.close();
      await registry.close();
      await engine?.close();
    }, resolve);
    serve({ config, registry, log, links }).then((started) => {
      service = started;
      process.stderr.write(`vectorless-mcp serves ${service.url}/mcp\n`);
    }, reject);
  });
}

/** Base64 is a third longer than the bytes. */
function messageLimit(config: Config): number {
  return Math.ceil(config.maxFileMb * 2 ** 20 * 1.4) + 2 ** 20;
}

/** Nothing may hold the exit up for longer than this. */
function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 500));
}

/** Node 22 and later keep compiled code; a process that is stopped by `exit` has to say so. */
function flushCompileCache(): void {
  const flush: unknown = Reflect.get(module, 'flushCompileCache');
  if (typeof flush === 'function') flush();
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    // What was typed is quoted, and a key may have been typed in the wrong place.
    const message = redact(error instanceof Error ? error.message : String(error));
    process.stderr.write(`vectorless-mcp: ${message}\n`);
    process.exit(1);
  },
);
