import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Caller } from '../tools/caller.ts';
import type { Access } from '../tools/tool.ts';
import type { Binding } from '../tools/toolset.ts';
import { publicBase } from './address.ts';
import { createAuthenticator, keyVerifier, tokenVerifier, type Verify } from './auth.ts';
import { createByteBudget } from './bodies.ts';
import { createLoginOffer, createStepUp } from './challenge.ts';
import { createGate } from './concurrency.ts';
import { type Route, text } from './exchange.ts';
import { createGuards } from './guards.ts';
import { createListener, type ListenerLimits, listen, portOf } from './listener.ts';
import { createMcpRoute, type ServerFor, type Visit } from './mcp.ts';
import { createMetrics, createMetricsServer, type Metrics } from './metrics.ts';
import { html } from './pages/page.ts';
import { welcomePage } from './pages/welcome.ts';
import { createRouter, type Phase } from './routes.ts';
import { createSseRoutes, type SseLimits, sseLimits } from './sse.ts';
import { checkHttpSettings } from './startup.ts';
import { deriveKey, readSecrets } from './tickets.ts';
import type { SealedUploadLinks } from './upload-links.ts';
import { createUploadRoute } from './uploads.ts';

export interface ServiceOptions {
  readonly config: Config;
  readonly log: Log;
  readonly links?: SealedUploadLinks | undefined;
  /** `observe` counts calls for the metrics. */
  readonly serverFor: (caller: Caller, visit: Visit, observe: Metrics['observe']) => ReturnType<ServerFor>;
  readonly receiverFor: (caller: Caller) => Binding['receiveUpload'];
  /** What a call of this tool needs; undefined for a tool that this server does not have. */
  readonly accessOf: (tool: string) => Access | undefined;
  /** What must have succeeded before callers are served. */
  readonly beforeReady?: (() => Promise<void>) | undefined;
  readonly limits?: Partial<ServiceLimits> | undefined;
}

export interface ServiceLimits extends ListenerLimits {
  readonly jsonBodyMs: number;
  /** Longest silence while a file is sent. */
  readonly uploadIdleMs: number;
  readonly drainMs: number;
  /** JSON bodies in memory at once. */
  readonly jsonBytes: number;
  readonly sse: SseLimits;
}

const defaultLimits: ServiceLimits = {
  headersMs: 15_000,
  jsonBodyMs: 20_000,
  uploadIdleMs: 30_000,
  requestMs: 15 * 60_000,
  keepAliveMs: 75_000,
  socketIdleMs: 120_000,
  drainMs: 10_000,
  jsonBytes: 128 * 1024 * 1024,
  sse: sseLimits,
};

export interface Service {
  /** Where it listens. */
  readonly url: string;
  /** Where Prometheus text is, when asked for. */
  readonly metricsUrl?: string | undefined;
  /** Refuses new calls, lets running ones finish for a while, then closes. */
  close(): Promise<void>;
}

/**
 * Listens, and resolves once callers are served.
 * @throws {StartupError} when the settings are not safe to serve with, or the port cannot be had.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, log, links } = options;
  const limits = { ...defaultLimits, ...options.limits };
  checkHttpSettings(config);
  const [secret = Buffer.alloc(0)] = readSecrets(config.secrets);
  const verify = await verifier(config, deriveKey(secret, 'caller id'));

  let phase: Phase = 'starting';
  const atOnce = { total: config.maxConcurrency, perCaller: config.maxConcurrencyPerCaller };
  const gate = createGate(atOnce);
  // Files that come in slowly must not keep calls waiting.
  const uploads = createGate(atOnce);
  const metrics = createMetrics({
    vectorless_calls_in_flight: { help: 'Calls running now.', value: () => gate.inFlight },
    vectorless_calls_queued: { help: 'Calls waiting for a slot.', value: () => gate.queued },
    vectorless_uploads_in_flight: { help: 'Files coming in now.', value: () => uploads.inFlight },
    vectorless_sse_streams: { help: 'Open streams of the deprecated transport.', value: () => sse.open },
  });
  const budget = createByteBudget(limits.jsonBytes);
  const serverFor: ServerFor = (caller, visit) => options.serverFor(caller, visit, metrics.observe);
  const shared = { serverFor, gate, budget, bodyTimeoutMs: limits.jsonBodyMs };
  let route: Route = () => text(503, 'starting');
  const server = createListener((exchange) => route(exchange), limits, log);
  const port = await listen(server, config.httpHost, config.httpPort, '--host and --port');
  const base = publicBase(config, port);
  const prefix = new URL(base).pathname.replace(/\/+$/, '');
  const login = createLoginOffer(config, base);
  const mcp = createMcpRoute({ ...shared, log, stepUp: login && createStepUp(options, login) });
  const sse = createSseRoutes({ ...shared, messagesPath: `${prefix}/messages`, limits: limits.sse });
  links?.serveAt(port);
  route = createRouter({
    guards: createGuards(config),
    authenticate: createAuthenticator(verify, credentialName[config.httpAuth]),
    phase: () => phase,
    log,
    ...{ mcp, sse, login },
    welcome: () => html(200, (nonce) => welcomePage(nonce, base, config)),
    upload:
      links &&
      createUploadRoute({
        ...{ links, gate: uploads, log, receiverFor: options.receiverFor, idleMs: limits.uploadIdleMs },
        budget: createByteBudget(Math.max(256, config.maxFileMb * 2) * 1024 * 1024),
      }),
  });

  let metricsServer: Server | undefined;
  const closeAll = async () => {
    sse.close();
    await mcp.close();
    for (const each of [server, metricsServer]) {
      each?.close();
      each?.closeAllConnections();
    }
  };
  try {
    if (config.metricsPort !== undefined) {
      metricsServer = createMetricsServer(metrics);
      await listen(metricsServer, config.httpHost, config.metricsPort, 'VECTORLESS_METRICS_PORT');
    }
    await options.beforeReady?.();
  } catch (error) {
    await closeAll();
    throw error;
  }
  phase = 'ready';

  const drain = async () => {
    phase = 'draining';
    sse.drain();
    const deadline = Date.now() + limits.drainMs;
    // The port stays open meanwhile, so that probes see a server that is going rather than one that has crashed.
    const busy = () => gate.inFlight + gate.queued + uploads.inFlight + uploads.queued + budget.taken > 0;
    while (busy() && Date.now() < deadline) await pause(20);
    await closeAll();
  };
  let closing: Promise<void> | undefined;

  return {
    url: publicBase({ ...config, publicUrl: undefined }, port),
    metricsUrl: metricsServer && `http://${config.httpHost}:${portOf(metricsServer)}/metrics`,
    close() {
      closing ??= drain();
      return closing;
    },
  };
}

/** What the credential is called when a caller is told to send one. */
const credentialName: Readonly<Record<Config['httpAuth'], string>> = {
  key: 'your Vectorless API key',
  token: 'the shared token',
  jwt: 'access token',
  none: 'nothing',
};

async function verifier(config: Config, idKey: Buffer): Promise<Verify | undefined> {
  switch (config.httpAuth) {
    case 'key':
      return keyVerifier(idKey);
    case 'token':
      return tokenVerifier(config.httpTokens, idKey);
    case 'jwt':
      // Loaded only where it is needed.
      return (await import('./jwt.ts')).jwtVerifier(config, idKey);
    case 'none':
      return undefined;
  }
}
