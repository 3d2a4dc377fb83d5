/** A Vectorless server for tests: real sockets, the wire behaviour of either dialect, and faults on order. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Behaviour, Exchange } from './fake-api/exchange.ts';
import { createFaults, type FailReply, type Faults, matcher, type StallPoint } from './fake-api/faults.ts';
import { createFrontDoor, type FrontDoor } from './fake-api/front-door.ts';
import { remembering } from './fake-api/ingest.ts';
import { createJournal, type Journal, type RecordedRequest, trickle } from './fake-api/journal.ts';
import { json, noSuchPage, plainFailure, type Reply } from './fake-api/reply.ts';
import { routeOf } from './fake-api/routes.ts';
import { createWorld, type Dialect, noStore } from './fake-api/world.ts';

export type { Behaviour, Streaming } from './fake-api/exchange.ts';
export type { FailReply, Faults, StallPoint } from './fake-api/faults.ts';
export type { RecordedRequest } from './fake-api/journal.ts';
export type { Dialect, Lifecycle } from './fake-api/world.ts';

export interface FakeApiOptions extends Partial<Behaviour> {
  readonly dialect: Dialect;
  /** S: the key that every call must present. Without it everything is accepted, as on E always. */
  readonly apiKey?: string;
  /** S behind the hosted control plane: the key names the organisation, so the header is not needed. */
  readonly hosted?: boolean;
  /** Hosted, for several accounts: each of these keys names the organisation beside it, and no other key is taken. */
  readonly accounts?: Readonly<Record<string, string>>;
  /** Serve `https` with a certificate that nobody trusts. */
  readonly tls?: boolean;
}

export interface SeedDocument {
  readonly content: string;
  readonly filename?: string;
  readonly contentType?: string;
  /** Default `ready`. */
  readonly status?: string;
  readonly error?: string;
  readonly org?: string;
  readonly store?: string;
  /** Several documents may be of one moment. */
  readonly createdAt?: string;
}

export interface FakeApi {
  /** Without a trailing slash, without `/v1`. */
  readonly url: string;
  readonly dialect: Dialect;
  /** May be changed while the fake runs; a document keeps the lifecycle that it was ingested with. */
  readonly behaviour: Behaviour;
  readonly faults: Faults;
  /** Puts a document in without a request; returns its id. */
  add(document: SeedDocument): string;
  /** The ids of a document's sections in reading order. */
  sectionsOf(documentId: string): { readonly id: string; readonly title: string; readonly content: string }[];
  setStatus(documentId: string, status: string, error?: string): void;
  /** As a restart of the server does: forgets the idempotency and retrieval caches, keeps the documents. */
  forget(): void;
  /** Every request so far, or those of a route such as `GET /v1/documents/*`. */
  requests(route?: string): readonly RecordedRequest[];
  /** Resolves with the next request of the route, or the first that was there already. */
  sees(route: string, timeoutMs?: number): Promise<RecordedRequest>;
  /** From now on new connections are accepted and never served; idle ones are closed. Returns the release. */
  holdConnections(): () => void;
  openSockets(): number;
  close(): Promise<void>;
}

/** The organisation that tests send to S, and in which `add` puts documents there. */
export const testOrg = 'org_test';

export async function startFakeApi(options: FakeApiOptions): Promise<FakeApi> {
  const { dialect } = options;
  const world = createWorld();
  const faults = createFaults();
  const journal = createJournal();
  const closing = new AbortController();
  const behaviour: Behaviour = {
    ...{ lifecycle: {}, streaming: 'single-error', maxBodyBytes: 32 * 1024 * 1024, answers: true },
    ...options,
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  const door = await createFrontDoor(server, options.tls ?? false);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', door.url);
    const route = `${request.method} ${url.pathname}`;
    const record = journal.begin(request, response);
    const stall = faults.takeStall(route);
    if (stall === 'upload') return;
    if (stall === 'trickle') return trickle(request, record, closing.signal);
    const failure = faults.takeFailure(route);
    const reply = await react(request, url, journal.reader(request, record, limit()), failure);
    if (reply === 'reset') return void request.socket.destroy();
    const delay = faults.delayOf(route);
    if (delay > 0) await sleep(delay, undefined, { signal: closing.signal });
    if (stall === 'headers' || response.destroyed) return;
    await send(response, reply, requestIdOf(request), stall);
  }

  const limit = (): number => (dialect === 'S' ? behaviour.maxBodyBytes : Number.POSITIVE_INFINITY);

  async function react(
    request: IncomingMessage,
    url: URL,
    readBody: Exchange['readBody'],
    failure: FailReply | undefined,
  ): Promise<Reply | 'reset'> {
    if (failure !== undefined && (failure.by ?? 'gateway') === 'gateway') {
      await readBody();
      return failureReply(failure);
    }
    const { headers, method = 'GET' } = request;
    const route = routeOf(dialect, method, url.pathname);
    const isOpen = route !== undefined && !Array.isArray(route) && route.open;
    const account = options.accounts?.[/^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1] ?? ''];
    const apiKey = options.accounts === undefined ? options.apiKey : 'one of the accounts';
    const isAccepted = dialect !== 'S' || isOpen || account !== undefined;
    const refused = isAccepted ? undefined : unauthorized(headers.authorization, apiKey);
    if (refused !== undefined) return refused;
    if (route === undefined) return noSuchPage;
    if (Array.isArray(route)) return { status: 405, headers: { allow: route.join(', ') } };
    const org = account ?? orgOf(headers['x-vectorless-org']);
    if (org === '' && !isOpen) return json(400, { error: 'missing X-Vectorless-Org header' });
    const store = dialect === 'S' ? headerText(headers['x-vectorless-store']) || undefined : undefined;
    const exchange: Exchange = { world, dialect, behaviour, method, url, headers, org, store, readBody };
    const handled = await remembering(exchange, async () => {
      if (failure?.by !== 'handler') return route.handler(exchange, route.id);
      await readBody();
      const reply = failureReply(failure);
      return reply === 'reset' ? json(500, { error: 'connection lost' }) : reply;
    });
    return failure?.by === 'after' ? failureReply(failure) : handled;
  }

  function orgOf(header: string | string[] | undefined): string {
    if (dialect === 'E') return noStore;
    return headerText(header) || (options.hosted ? testOrg : '');
  }

  /** S alone names its answers, with the caller's id when there is one. */
  const requestIdOf = (request: IncomingMessage): string | undefined =>
    dialect === 'S' ? headerText(request.headers['x-request-id']) || randomUUID() : undefined;

  return {
    ...{ url: door.url, dialect, behaviour, faults },
    add(seed) {
      const document = world.add({
        filename: seed.filename ?? 'document.md',
        contentType: seed.contentType ?? 'text/markdown',
        bytes: new TextEncoder().encode(seed.content),
        org: dialect === 'E' ? noStore : (seed.org ?? testOrg),
        store: seed.store ?? noStore,
        ...{ idempotencyKey: '', lifecycle: {}, createdAt: seed.createdAt },
      });
      if (seed.status !== undefined) document.forced = { status: seed.status, error: seed.error ?? '' };
      return document.id;
    },
    sectionsOf: (documentId) => [...(world.documents.get(documentId)?.sections ?? [])],
    setStatus(documentId, status, error = '') {
      const document = world.documents.get(documentId);
      if (document === undefined) throw new Error(`the fake has no document ${documentId}`);
      document.forced = { status, error };
    },
    forget() {
      world.outcomes.clear();
      world.retrievals.clear();
    },
    ...observing(journal, door),
    async close() {
      closing.abort();
      await door.close();
    },
  };
}

function observing(
  journal: Journal,
  door: FrontDoor,
): Pick<FakeApi, 'requests' | 'sees' | 'holdConnections' | 'openSockets'> {
  return {
    requests: (route = '**') =>
      journal.all().filter(({ method, path }) => matcher(route)(`${method} ${path}`)),
    sees: (route, timeoutMs = 10_000) => journal.next(matcher(route), route, timeoutMs),
    holdConnections: () => door.hold(),
    openSockets: () => door.sockets(),
  };
}

function unauthorized(header: string | undefined, apiKey: string | undefined): Reply | undefined {
  if (apiKey === undefined) return undefined;
  if (header === undefined) return plainFailure(401, 'missing Authorization header');
  if (!header.startsWith('Bearer ')) return plainFailure(401, 'Authorization header must use Bearer scheme');
  return header === `Bearer ${apiKey}` ? undefined : plainFailure(401, 'invalid API key');
}

function failureReply({ status, body, headers }: FailReply): Reply | 'reset' {
  if (status === 'reset') return 'reset';
  if (body === undefined) return { status, headers: headers ?? {} };
  if (typeof body === 'string')
    return { status, body, headers: { 'content-type': 'text/plain', ...headers } };
  const reply = json(status, body);
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

async function send(
  response: ServerResponse,
  { status, headers = {}, body = '', chunks }: Reply,
  requestId: string | undefined,
  stall: StallPoint | undefined,
): Promise<void> {
  const named = requestId === undefined ? {} : { 'x-request-id': requestId };
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const sized = chunks === undefined && status !== 204 ? { 'content-length': String(bytes.byteLength) } : {};
  response.writeHead(status, { ...named, ...sized, ...headers });
  if (stall === 'body') {
    const half = chunks === undefined ? bytes.subarray(0, bytes.byteLength >> 1) : (chunks[0] ?? '');
    response.flushHeaders();
    if (half.length > 0) response.write(half);
    return;
  }
  for (const chunk of chunks ?? []) {
    response.write(chunk);
    await sleep(1);
  }
  response.end(chunks === undefined ? bytes : undefined);
}

const headerText = (header: string | string[] | undefined): string =>
  typeof header === 'string' ? header : (header?.[0] ?? '');

/** What a rate limiter in front of the server sends. */
export const rateLimited = (retryAfterSeconds = 1, times = 1): FailReply => ({
  ...{ status: 429, times, body: '{"error":"rate limit exceeded"}\n' },
  headers: { 'content-type': 'text/plain; charset=utf-8', 'retry-after': String(retryAfterSeconds) },
});
