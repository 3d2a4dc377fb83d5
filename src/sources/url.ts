import { lookup as systemLookup } from 'node:dns/promises';
import { isIPv6, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { Refusal } from '../refusal.ts';
import { isPublicAddress } from './address.ts';
import {
  type DocumentSource,
  refuseDigest,
  refuseSize,
  type SourceLimits,
  sourceFromBytes,
} from './document-source.ts';
import { plainName, withSuffix } from './filename.ts';
import { checkBytes, requireParseable, tailBytes } from './inspect.ts';
import { refuseKeys } from './secrets.ts';
import { mimeOf } from './types.ts';
import { notPublic, shown, webAddress } from './web-address.ts';
import { largerThanLimit, readBody, toUtf8 } from './web-body.ts';
import { typeOfAnswer, type WebAnswer } from './web-type.ts';

export interface UrlOptions extends SourceLimits {
  readonly signal: AbortSignal;
  /** `Date.now()` by which it must be over; never more than 30 seconds from now. */
  readonly deadline: number;
  /** Through the environment's proxy, which then decides what can be reached. */
  readonly useProxy: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How the internet is reached; tests put loopback in its place. */
export interface Network {
  resolve(hostname: string): Promise<readonly string[]>;
  allowAddress(address: string): boolean;
  /** What port 443 really is. */
  readonly port: number;
  readonly ca?: string;
}

export type OpenUrl = (given: string, options: UrlOptions) => Promise<DocumentSource>;

const maxRedirects = 5;
const longestMs = 30_000;

const internet: Network = {
  resolve: async (hostname) => (await systemLookup(hostname, { all: true })).map(({ address }) => address),
  allowAddress: isPublicAddress,
  port: 443,
};

/** Fetches a document into memory, at most `maxBytes` of it. */
export const openUrl: OpenUrl = createOpenUrl();

export function createOpenUrl(given: Partial<Network> = {}): OpenUrl {
  const network = { ...internet, ...given };
  return async (address, options) => {
    const asked = webAddress(address, network.allowAddress);
    const overall = new AbortController();
    const cancel = () => overall.abort(options.signal.reason);
    options.signal.throwIfAborted();
    options.signal.addEventListener('abort', cancel, { once: true });
    const milliseconds = Math.min(longestMs, options.deadline - Date.now());
    const timer = setTimeout(() => overall.abort(new Refusal(tooSlow(asked))), Math.max(0, milliseconds));
    const dispatcher = dispatcherFor(network, options);
    try {
      const answer = await fetchDocument(asked, network, dispatcher, options.maxBytes, overall.signal);
      return toSource(answer, asked, options);
    } catch (error) {
      overall.signal.throwIfAborted();
      throw error instanceof Refusal ? error : failure(asked, error);
    } finally {
      clearTimeout(timer);
      options.signal.removeEventListener('abort', cancel);
      await dispatcher.destroy();
    }
  };
}

function dispatcherFor(network: Network, options: UrlOptions): Dispatcher {
  const lookup: LookupFunction = (hostname, { all }, callback) => {
    const answer = async () => {
      const addresses = (await network.resolve(hostname)).filter((address) => network.allowAddress(address));
      if (addresses.length === 0) throw notPublic(hostname);
      return addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    };
    answer().then(
      (found) => (all ? callback(null, found) : callback(null, found[0]?.address ?? '', found[0]?.family)),
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
  const tls = network.ca === undefined ? {} : { ca: network.ca };
  const connector = buildConnector({ ...tls, lookup, timeout: 10_000 });
  // A literal address is never looked up, so the socket's own word is asked too.
  const connect: typeof connector = (target, callback) =>
    connector({ ...target, port: String(network.port) }, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      if (network.allowAddress(socket.remoteAddress ?? '')) return callback(null, socket);
      socket.destroy();
      callback(notPublic(target.hostname), null);
    });
  const limits = { maxResponseSize: options.maxBytes, headersTimeout: longestMs, bodyTimeout: longestMs };
  if (!options.useProxy) return new Agent({ ...limits, connect });
  const { env } = options;
  const httpsProxy = env.https_proxy ?? env.HTTPS_PROXY ?? '';
  const noProxy = env.no_proxy ?? env.NO_PROXY ?? '';
  return new EnvHttpProxyAgent({ ...limits, connect, requestTls: tls, httpProxy: '', httpsProxy, noProxy });
}

async function fetchDocument(
  asked: URL,
  network: Network,
  dispatcher: Dispatcher,
  maxBytes: number,
  signal: AbortSignal,
): Promise<WebAnswer> {
  const headers = { accept: '*/*', 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'vectorless-mcp' };
  let url = asked;
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const answer = await request(url, { dispatcher, signal, headers });
    const header = (name: string) => [answer.headers[name] ?? ''].flat().join(', ');
    if ([301, 302, 303, 307, 308].includes(answer.statusCode) && header('location') !== '') {
      answer.body.on('error', () => {}).destroy();
      url = webAddress(header('location'), network.allowAddress, url);
      continue;
    }
    if (answer.statusCode !== 200) {
      answer.body.on('error', () => {}).destroy();
      throw new Refusal(`${shown(url)} answered ${answer.statusCode}${statusAdvice(answer.statusCode)}`);
    }
    const bytes = await readBody(answer.body, header('content-encoding'), shown(url), maxBytes, signal);
    return {
      url,
      bytes,
      contentType: header('content-type'),
      contentDisposition: header('content-disposition'),
    };
  }
  throw new Refusal(
    `${shown(asked)} redirects more than ${maxRedirects} times. Give the address where it ends.`,
  );
}

function toSource(answer: WebAnswer, asked: URL, options: UrlOptions): DocumentSource {
  const local = options.local ?? false;
  const where = shown(answer.url);
  refuseSize(where, answer.bytes.length, options.maxBytes);
  const { type, filename: ownName } = typeOfAnswer(answer, asked, local);
  const filename = options.filename === undefined ? ownName : withSuffix(plainName(options.filename), type);
  requireParseable(type, filename, local);
  checkBytes(type, answer.bytes, answer.bytes.subarray(-tailBytes), where);
  const fetched = sourceFromBytes(new Uint8Array(answer.bytes), filename, mimeOf(type));
  refuseDigest(where, fetched, options.sha256);
  if (type.container !== 'text') return fetched;
  const text = toUtf8(answer.bytes, answer.contentType);
  refuseKeys(text, where);
  return sourceFromBytes(text, filename, mimeOf(type));
}

function statusAdvice(status: number): string {
  if (status === 401 || status === 403) return ': it wants a login. Download it and ingest the file.';
  if (status === 404 || status === 410) return ': there is no such document. Check the address.';
  if (status === 429 || status >= 500) return ': the site is busy or broken. Try again later.';
  return '. Check the address.';
}

function tooSlow(url: URL): string {
  return `${shown(url)} did not arrive in time. Download it and ingest the file.`;
}

function failure(url: URL, error: unknown): Refusal {
  const code = (error as { code?: unknown }).code;
  const host = url.hostname;
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return largerThanLimit(shown(url));
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new Refusal(`${host} was not found. Check the address.`);
  if (typeof code === 'string' && /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return new Refusal(
      `The certificate of ${host} was not accepted (${code}). Behind a company proxy, NODE_EXTRA_CA_CERTS names its certificate.`,
    );
  }
  return new Refusal(
    `${shown(url)} could not be fetched (${typeof code === 'string' ? code : 'connection broke off'}). Try again, or download it and ingest the file.`,
  );
}
