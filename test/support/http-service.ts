/** The HTTP service of this process around a small registry, for tests of the transport alone. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { loadConfig } from '../../src/config.ts';
import { createLog, type Log } from '../../src/log.ts';
import { restrict } from '../../src/registry/policy.ts';
import type { Registry } from '../../src/registry/registry.ts';
import { createServer } from '../../src/server/server.ts';
import type { Caller } from '../../src/tools/caller.ts';
import { tool } from '../../src/tools/tool.ts';
import type { BoundResource, Upload } from '../../src/tools/toolset.ts';
import { anonymous } from '../../src/transports/auth.ts';
import { type Service, type ServiceOptions, startService } from '../../src/transports/service.ts';
import { createUploadLinks, type SealedUploadLinks } from '../../src/transports/upload-links.ts';

/** What the small registry saw, for tests to look at. */
export interface Seen {
  /** Upper bound of the random time that each call takes. */
  latencyMs: number;
  readonly started: string[];
  readonly aborted: string[];
  readonly uploads: { readonly caller: Caller; readonly upload: Upload; readonly text: string }[];
}

interface Visit {
  readonly caller: Caller;
  readonly seen: Seen;
}

export const ownerOf = (caller: Caller): string =>
  caller.credential.kind === 'own' ? caller.credential.apiKey : 'server';

const pause = ({ seen }: Visit, signal: AbortSignal) =>
  seen.latencyMs > 0 ? sleep(Math.random() * seen.latencyMs, undefined, { signal }) : undefined;

const echo = tool<Visit>()({
  name: 'vectorless_echo',
  title: 'Echo',
  access: 'read',
  description: 'Says who is calling and what was said.',
  example: { word: 'hi' },
  input: z.object({ word: z.string() }),
  output: z.object({ owner: z.string(), word: z.string() }),
  async run({ word }, { service, signal, progress }) {
    progress?.({ progress: 1, message: `${ownerOf(service.caller)} said ${word}` });
    await pause(service, signal);
    return { owner: ownerOf(service.caller), word };
  },
  render: ({ owner, word }) => `${owner}: ${word}`,
});

/** Takes as long as it is told, tells of progress, and notices when it is cancelled. */
const slow = tool<Visit>()({
  name: 'vectorless_slow',
  title: 'Slow',
  access: 'read',
  description: 'Takes its time.',
  example: { name: 'a', ms: 100 },
  input: z.object({ name: z.string(), ms: z.number(), silent: z.boolean().optional() }),
  output: z.object({ name: z.string() }),
  async run({ name, ms, silent }, { service, signal, progress }) {
    service.seen.started.push(name);
    const onAbort = () => service.seen.aborted.push(name);
    signal.addEventListener('abort', onAbort, { once: true });
    const end = Date.now() + ms;
    for (let step = 1; Date.now() < end; step += 1) {
      if (silent !== true) progress?.({ progress: step, message: `${name} step ${step}` });
      await sleep(Math.max(0, Math.min(50, end - Date.now())), undefined, { signal });
    }
    signal.removeEventListener('abort', onAbort);
    return { name };
  },
  render: ({ name }) => `${name} is done`,
});

const remember = tool<Visit>()({
  name: 'vectorless_remember',
  title: 'Remember',
  access: 'write',
  description: 'Writes something.',
  example: { word: 'hi' },
  input: z.object({ word: z.string() }),
  output: z.object({ word: z.string() }),
  run: async ({ word }) => ({ word }),
  render: ({ word }) => word,
});

const whoami = (visit: Visit): BoundResource => ({
  ...{ name: 'whoami', title: 'Who am I', description: 'The caller.', mimeType: 'text/plain' },
  ...{ uri: 'vectorless://whoami', isTemplate: false, reachedBy: ['vectorless_echo'] },
  async read(_variables, { signal }) {
    await pause(visit, signal);
    return ownerOf(visit.caller);
  },
});

export function smallRegistry(seen: Seen, readOnly = false): Registry {
  return {
    bind(caller) {
      const visit = { caller, seen };
      const binding = {
        instructions: 'A registry for tests.',
        tools: [echo, slow, remember].map((each) => each.bind(visit)),
        resources: [whoami(visit)],
        prompts: [],
        receiveUpload: {
          tool: 'vectorless_remember',
          async receive(upload: Upload) {
            seen.started.push('receiving');
            const text = await new Response(upload.body).text();
            seen.started.push('upload');
            await pause(visit, upload.signal);
            seen.uploads.push({ caller, upload, text });
            // As an idempotent upstream does: the same key names the same document.
            const id = createHash('sha256').update(upload.idempotencyKey).digest('hex').slice(0, 12);
            return { documentId: `doc_${id}`, status: 'pending' };
          },
        },
      };
      return restrict(binding, { readOnly, tools: [] }, caller.grants);
    },
    close: async () => {},
  };
}

export interface RunningService extends Service {
  readonly port: number;
  readonly seen: Seen;
  readonly links: SealedUploadLinks | undefined;
  /** Every line that was logged. */
  readonly logged: string[];
}

export type Environment = Readonly<Record<string, string>>;

/** Started on a free loopback port; `env` is what the person who runs it would set. */
export async function startSmallService(
  env: Environment,
  options: Partial<Pick<ServiceOptions, 'limits' | 'beforeReady' | 'serverFor'>> & { args?: string[] } = {},
): Promise<RunningService> {
  const { args = [], ...rest } = options;
  const config = loadConfig(args, { VECTORLESS_HTTP: 'true', VECTORLESS_HTTP_PORT: '0', ...env });
  const logged: string[] = [];
  const log: Log = createLog('debug', (line) => logged.push(line));
  const seen: Seen = { latencyMs: 0, started: [], aborted: [], uploads: [] };
  const registry = smallRegistry(seen, config.readOnly);
  const links = createUploadLinks(config);
  const service = await startService({
    ...{ config, log, links },
    serverFor: (caller, visit, observe) => createServer({ registry, caller, log, observe, ...visit }),
    accessOf: (name) => registry.bind(anonymous).tools.find((each) => each.name === name)?.access,
    receiverFor: (caller) => registry.bind(caller).receiveUpload,
    ...rest,
  });
  return { ...service, port: Number(new URL(service.url).port), seen, links, logged };
}

export const tokenMode: Environment = {
  VECTORLESS_HTTP_AUTH: 'token',
  VECTORLESS_HTTP_TOKEN: 'team-secret-one,team-secret-two',
};
export const withToken = { authorization: 'Bearer team-secret-one' };

/** Waits until something is so; fails after a while. */
export async function until(condition: () => boolean, what: string, withinMs = 5_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await sleep(5);
  }
}
