import type { Log } from '../log.ts';
import type { Caller } from '../tools/caller.ts';
import { type Denial, isDenial } from './auth.ts';
import { denied, type LoginOffer } from './challenge.ts';
import { type Exchange, methodNotAllowed, type Route, rpcRefusal, text } from './exchange.ts';
import type { Guards } from './guards.ts';
import type { McpRoute } from './mcp.ts';
import type { SseRoutes } from './sse.ts';

export type Phase = 'starting' | 'ready' | 'draining';

export interface RouteTable {
  readonly guards: Guards;
  readonly authenticate: (headers: Headers, query: URLSearchParams) => Promise<Caller | Denial>;
  readonly phase: () => Phase;
  readonly log: Log;
  readonly mcp: McpRoute;
  readonly sse: SseRoutes;
  readonly upload: ((exchange: Exchange, sealed: string) => Promise<Response>) | undefined;
  readonly welcome: () => Response;
  readonly login: (LoginOffer & { readonly paths: readonly string[]; metadata(): Response }) | undefined;
}

/** Finds who answers. Order matters: probes, then guards, then whether the server is up, then who is calling. */
export function createRouter(table: RouteTable): Route {
  const { guards, login } = table;

  /** Credentials are checked before anything of the body is read. */
  const authenticated = async (
    exchange: Exchange,
    serve: (caller: Caller) => Response | Promise<Response>,
  ): Promise<Response> => {
    const caller = await table.authenticate(exchange.request.headers, exchange.url.searchParams);
    return isDenial(caller) ? denied(caller, exchange.request, login) : serve(caller);
  };

  const find = (exchange: Exchange): Response | Promise<Response> => {
    const { pathname } = exchange.url;
    const isRead = exchange.request.method === 'GET' || exchange.request.method === 'HEAD';
    if (login?.paths.includes(pathname)) return isRead ? login.metadata() : methodNotAllowed('GET, HEAD');
    if (pathname === '/' && isRead) return table.welcome();
    const phase = table.phase();
    if (phase !== 'ready') return notNow(phase);
    if (pathname === '/mcp' || pathname === '/mcp/') {
      // Where there is a login, whoever looks for it with GET must get the challenge.
      if (exchange.request.method !== 'POST' && login === undefined) return methodNotAllowed('POST');
      return authenticated(exchange, (caller) => table.mcp.serve(exchange, caller));
    }
    if (pathname === '/sse') {
      return authenticated(exchange, (caller) => table.sse.openStream(exchange, caller));
    }
    if (pathname === '/messages') {
      return authenticated(exchange, (caller) => table.sse.postMessage(exchange, caller));
    }
    const sealed = /^\/uploads\/([\w-]+)$/.exec(pathname)?.[1];
    if (sealed !== undefined && table.upload !== undefined) return table.upload(exchange, sealed);
    return rpcRefusal(404, 'Nothing is served here. The MCP endpoint is /mcp; older clients use /sse.');
  };

  return async (exchange) => {
    const probe = answerProbe(exchange, table.phase());
    if (probe !== undefined) return probe;
    const response = guards.check(exchange.request) ?? (await find(exchange));
    const { status } = response;
    if (status >= 400) table.log.debug('http_refused', { route: routeOf(exchange.url), status });
    guards.expose(exchange.request, response);
    return response;
  };
}

/** The first step of the path, if it is one of ours: the rest of an upload's path is a credential. */
const routeOf = ({ pathname }: URL): string =>
  /^\/(?:mcp|sse|messages|uploads|\.well-known)?(?=\/|$)/.exec(pathname)?.[0] ?? 'other';

/** Probes come from load balancers that know no host name and hold no key; they tell nothing but this. */
function answerProbe({ request, url }: Exchange, phase: Phase): Response | undefined {
  if (url.pathname !== '/livez' && url.pathname !== '/readyz') return undefined;
  if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed('GET, HEAD');
  return url.pathname === '/livez' || phase === 'ready' ? text(200, 'ok') : text(503, phase);
}

function notNow(phase: Phase): Response {
  const what = phase === 'starting' ? 'is starting' : 'is shutting down';
  const headers = { 'retry-after': '2', ...(phase === 'draining' && { connection: 'close' }) };
  return rpcRefusal(503, `The server ${what}; try again in a moment.`, { headers });
}
