import type { Config } from '../config.ts';
import { rpcRefusal } from './exchange.ts';
import { isLoopback } from './startup.ts';

/** Refuses requests that a browser was tricked into sending, and answers the questions browsers ask first. */
export interface Guards {
  /** A refusal, or the answer to a preflight; undefined when the request may go on. */
  check(request: Request): Response | undefined;
  /** Lets the page that asked read the answer. */
  expose(request: Request, response: Response): void;
}

const corsHeaders = [
  ...['Authorization', 'Content-Type', 'Accept', 'Last-Event-ID', 'MCP-Protocol-Version', 'Mcp-Session-Id'],
  ...['Mcp-Method', 'Mcp-Name', 'traceparent', 'tracestate', 'baggage'],
];
const exposedHeaders = 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After, Allow';

export function createGuards(config: Config): Guards {
  const publicUrl = config.publicUrl === undefined ? undefined : new URL(config.publicUrl);
  const hosts = new Set(config.allowedHosts.map((host) => host.toLowerCase()));
  const origins = new Set(config.allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/+$/, '')));
  if (publicUrl !== undefined) {
    hosts.add(hostname(publicUrl.host));
    origins.add(publicUrl.origin);
  }

  const isOwnHost = (name: string) => isLoopback(name) || name === config.httpHost.toLowerCase();
  const isHostAllowed = (host: string) =>
    isOwnHost(hostname(host)) || hosts.has(host) || hosts.has(hostname(host));
  const isOriginAllowed = (origin: string, host: string) => {
    if (origins.has(origin)) return true;
    const url = URL.canParse(origin) ? new URL(origin) : undefined;
    // The server's own pages, on whatever host was allowed.
    return url !== undefined && (isOwnHost(hostname(url.host)) || url.host === host);
  };

  return {
    check(request) {
      const host = hostOf(request);
      if (!isHostAllowed(host)) {
        return refused('Host', host, 'VECTORLESS_ALLOWED_HOSTS or VECTORLESS_PUBLIC_URL');
      }
      const origin = request.headers.get('origin')?.toLowerCase();
      if (origin !== undefined && !isOriginAllowed(origin, host)) {
        return refused('Origin', origin, 'VECTORLESS_ALLOWED_ORIGINS');
      }
      const isPreflight =
        request.method === 'OPTIONS' && request.headers.has('access-control-request-method');
      return isPreflight && origin !== undefined ? preflight(request) : undefined;
    },

    expose(request, response) {
      const origin = request.headers.get('origin');
      response.headers.append('vary', 'Origin');
      if (origin === null || !isOriginAllowed(origin.toLowerCase(), hostOf(request))) return;
      response.headers.set('access-control-allow-origin', origin);
      response.headers.set('access-control-expose-headers', exposedHeaders);
    },
  };
}

const hostOf = (request: Request): string => request.headers.get('host')?.toLowerCase() ?? '';

/** Without the port and the brackets of an IPv6 address. */
const hostname = (host: string): string => host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');

function refused(header: string, value: string, variable: string): Response {
  const seen = value.replace(/[^\w.:/[\]-]/g, '?').slice(0, 200);
  return rpcRefusal(
    403,
    `The ${header} "${seen}" is not allowed here. If it is right, whoever runs this server adds it to ${variable}.`,
  );
}

function preflight(request: Request): Response {
  const asked = (request.headers.get('access-control-request-headers') ?? '').split(',');
  // `Mcp-Param-*` headers are named by tools, so they cannot be listed in advance.
  const more = asked.map((name) => name.trim()).filter((name) => /^mcp-[\w-]+$/i.test(name));
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
      'access-control-allow-headers': [...new Set([...corsHeaders, ...more])].join(', '),
      'access-control-max-age': '7200',
    },
  });
}
