import { Vectorless } from '@vectorless/sdk';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Registry } from '../registry/registry.ts';
import { createServer } from '../server/server.ts';
import type { Access } from '../tools/tool.ts';
import { anonymous } from './auth.ts';
import { requireKeyCheck, type TryKey } from './key-probe.ts';
import { type Service, startService } from './service.ts';
import { httpWarnings } from './startup.ts';
import type { SealedUploadLinks } from './upload-links.ts';

export { closeOnSignals } from './shutdown.ts';
export { createUploadLinks } from './upload-links.ts';

export interface HttpOptions {
  readonly config: Config;
  readonly registry: Registry;
  readonly log: Log;
  /** From `createUploadLinks`, the same that the registry was opened with. */
  readonly links?: SealedUploadLinks | undefined;
}

/**
 * Serves the registry to everyone who may call, until closed. Resolves once callers are served.
 * @throws {StartupError} with a sentence for the person who runs it.
 */
export function serveHttp({ config, registry, log, links }: HttpOptions): Promise<Service> {
  for (const message of httpWarnings(config)) log.warn('configuration', { message });
  const checksKeys = config.httpAuth === 'key' && !config.allowUnauthenticated;
  // What there is for somebody who may do everything: names alone, which depend on nobody.
  let access: ReadonlyMap<string, Access> | undefined;
  return startService({
    ...{ config, log, links },
    serverFor: (caller, visit, observe) => createServer({ registry, caller, log, observe, ...visit }),
    accessOf: (tool) => {
      access ??= new Map(registry.bind(anonymous).tools.map((each) => [each.name, each.access]));
      return access.get(tool);
    },
    receiverFor: (caller) => registry.bind(caller).receiveUpload,
    beforeReady: checksKeys ? () => requireKeyCheck(upstreamOf(config), log) : undefined,
  });
}

const upstreamOf =
  (config: Config): TryKey =>
  async (apiKey) => {
    const client = new Vectorless({
      ...{
        apiKey,
        baseUrl: config.apiUrl,
        org: config.org,
        store: config.store,
        allowHttp: config.allowHttp,
      },
      ...{ timeoutMs: 10_000, maxRetries: 0 },
    });
    await client.documents.list({ limit: 1 });
  };
