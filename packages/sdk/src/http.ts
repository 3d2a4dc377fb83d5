import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { type Exchange, untilAborted } from './exchange.ts';

/** How long an idle connection is kept: well below the 30 s after which a Vectorless server closes its end. */
const idleMs = 15_000;
const connectMs = 10_000;

/** One pool for the process: clients are made per request, connections are not. */
let pool: Dispatcher | undefined;

function openPool(): Dispatcher {
  try {
    return new EnvHttpProxyAgent({
      connections: 128,
      keepAliveTimeout: idleMs,
      connectTimeout: connectMs,
      // Only https goes through CONNECT: many proxies refuse to tunnel plain http.
      proxyTunnel: false,
      // A proxy that accepts CONNECT and never answers would otherwise hold the socket for five minutes.
      clientFactory: (origin, options) => new Pool(origin, { ...options, headersTimeout: connectMs }),
    });
  } catch (cause) {
    throw new Error('HTTP_PROXY or HTTPS_PROXY is not an address such as http://proxy:8080', { cause });
  }
}

/** An exchange over the network. Redirects are not followed: the key must not travel to another origin. */
export const networkExchange: Exchange = async ({ method, origin, path, headers, body, signal }) => {
  pool ??= openPool();
  const request = pool.request({
    ...{ method, origin, path, signal },
    headers: { ...headers },
    // Any async iterable of bytes will do, which undici's types do not say.
    body: (body ?? null) as Dispatcher.DispatchOptions['body'] & {},
    // The call's own deadline covers every phase.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  // undici notices an abort only once it has a connection; a connect that hangs must not hold the caller.
  const response = await untilAborted(request, signal);
  return {
    status: response.statusCode,
    header: (name) => {
      const value = response.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    body: response.body,
    discard: () => void response.body.on('error', () => {}).destroy(),
  };
};
