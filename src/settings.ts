import { logLevels } from './log.ts';

/** One thing that a person can set: an environment variable, for some also a flag. */
export interface Setting<T> {
  readonly env: string;
  /** The value of a text that is not empty; `undefined` for one that is not right, when the fallback serves. */
  parse(text: string): T | undefined;
  readonly fallback: T;
  readonly meaning: string;
  /** What a good value looks like, for the warning about a bad one. */
  readonly expected: string;
  /** `--name`; of a boolean setting a bare switch, otherwise it takes a value. */
  readonly flag?: string;
  readonly isSwitch?: boolean;
  /** The default as documentation shows it, where `fallback` does not say it. */
  readonly shown?: string;
  readonly secret?: boolean;
}

type Extra = Pick<Setting<unknown>, 'flag' | 'shown' | 'secret'>;

const truthy = ['true', '1', 'yes', 'on'];
const falsy = ['false', '0', 'no', 'off'];

const asText = (value: string) => value;

function asBoolean(value: string): boolean | undefined {
  const word = value.toLowerCase();
  if (truthy.includes(word)) return true;
  return falsy.includes(word) ? false : undefined;
}

const asList = (value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

function asCount(value: string, min: number, max: number): number | undefined {
  const number = Number(value);
  return Number.isInteger(number) && number >= min && number <= max ? number : undefined;
}

const text = (env: string, meaning: string, extra: Extra = {}): Setting<string | undefined> => ({
  ...{ env, meaning, parse: asText, fallback: undefined, expected: 'text', ...extra },
});
const list = (env: string, meaning: string, extra: Extra = {}): Setting<readonly string[]> => ({
  ...{ env, meaning, parse: asList, fallback: [], expected: 'a comma-separated list', ...extra },
});
const flag = (env: string, meaning: string, extra: Extra = {}): Setting<boolean> => ({
  ...{
    env,
    meaning,
    parse: asBoolean,
    fallback: false,
    expected: 'true or false',
    isSwitch: true,
    ...extra,
  },
});
const choice = <const T extends string>(
  env: string,
  options: readonly T[],
  fallback: T,
  meaning: string,
  extra: Extra = {},
): Setting<T> => ({
  ...{
    env,
    meaning,
    parse: (value) => options.find((option) => option === value),
    fallback,
    expected: `one of ${options.join(', ')}`,
    ...extra,
  },
});
const count = (
  env: string,
  fallback: number,
  [min, max]: readonly [number, number],
  meaning: string,
  extra: Extra = {},
): Setting<number> => ({
  ...{ env, meaning, parse: (value) => asCount(value, min, max), fallback },
  ...{ expected: `a whole number from ${min} to ${max}`, ...extra },
});
const optionalCount = (
  env: string,
  range: readonly [number, number],
  meaning: string,
): Setting<number | undefined> => ({
  ...count(env, 0, range, meaning),
  fallback: undefined,
});

/** Everything that can be set. The documentation's table, `doctor` and `--help` are made from this. */
export const settings = {
  apiKey: text('VECTORLESS_API_KEY', 'Your Vectorless API key; required for the hosted service.', {
    secret: true,
  }),
  baseUrl: text('VECTORLESS_BASE_URL', 'Address of any Vectorless API.', {
    shown: 'https://api.vectorless.dev',
  }),
  defaultDocs: list(
    'VECTORLESS_DEFAULT_DOCS',
    'Document ids. When set, the server is a view of exactly these documents and ingest is not published.',
  ),
  logLevel: choice('VECTORLESS_LOG_LEVEL', logLevels, 'info', 'How much is logged to stderr.'),
  org: text('VECTORLESS_ORG', 'Organisation, sent as a header; a self-hosted server needs it.'),
  store: text('VECTORLESS_STORE', 'Store within the organisation, sent as a header.'),
  allowHttp: flag('VECTORLESS_ALLOW_HTTP', 'Let the key travel over plain http beyond this machine.'),
  searchAll: flag(
    'VECTORLESS_SEARCH_ALL',
    'Let vectorless_query run over every ready document (at most 50) when none is named.',
  ),
  readOnly: flag('VECTORLESS_READ_ONLY', 'Publish no tool that writes.', { flag: 'read-only' }),
  tools: list('VECTORLESS_TOOLS', 'Which tools to publish: names with or without their prefix, or `all`.', {
    shown: 'the four',
  }),
  toolsets: list('VECTORLESS_TOOLSETS', 'Which toolsets exist: `documents`, `vectors`.', {
    shown: 'documents',
  }),
  ingestWaitSeconds: count(
    'VECTORLESS_INGEST_WAIT',
    30,
    [0, 45],
    'Seconds that ingest waits for a document to be ready.',
  ),
  maxFileMb: count('VECTORLESS_MAX_FILE_MB', 32, [1, 2048], 'Larger documents are refused before upload.'),
  maxResultTokens: count(
    'VECTORLESS_MAX_RESULT_TOKENS',
    8000,
    [500, 100_000],
    'Bound on the size of a result, in tokens (estimated).',
  ),
  allowedDirs: text(
    'VECTORLESS_ALLOWED_DIRS',
    'Folders that `path` may read, separated as in PATH. Over HTTP `path` exists only when this is set.',
    { shown: 'working folder, Documents, Downloads, Desktop' },
  ),
  urlIngest: {
    ...{
      env: 'VECTORLESS_URL_INGEST',
      meaning: 'Whether documents can be fetched by `url`.',
      parse: asBoolean,
    },
    ...{ fallback: undefined, expected: 'true or false', shown: 'on for stdio, off over HTTP' },
  } as Setting<boolean | undefined>,
  urlProxy: flag(
    'VECTORLESS_URL_PROXY',
    'Fetch `url` documents through HTTPS_PROXY; the proxy then decides which addresses are reachable.',
  ),
  local: flag('VECTORLESS_LOCAL', 'Use the embedded engine: no account, no key, no network.', {
    flag: 'local',
  }),
  localDir: text('VECTORLESS_LOCAL_DIR', 'Folder in which the embedded engine keeps its documents.', {
    shown: 'the platform’s data folder',
  }),
  http: flag('VECTORLESS_HTTP', 'Serve over HTTP instead of stdio.', { flag: 'http' }),
  httpHost: {
    ...text('VECTORLESS_HTTP_HOST', 'Address to listen on.', { flag: 'host' }),
    ...{ parse: asText, fallback: '127.0.0.1' },
  },
  httpPort: count('VECTORLESS_HTTP_PORT', 3333, [0, 65_535], 'Port to listen on; 0 picks a free one.', {
    flag: 'port',
  }),
  publicUrl: text(
    'VECTORLESS_PUBLIC_URL',
    'The address as callers see it; required for JWT and for upload links beyond this machine.',
  ),
  httpAuth: choice(
    'VECTORLESS_HTTP_AUTH',
    ['key', 'token', 'jwt', 'none'],
    'key',
    'Who may call over HTTP: `key` (their own API key), `token` (shared secret), `jwt` (identity provider), `none`.',
  ),
  httpTokens: list('VECTORLESS_HTTP_TOKEN', 'Shared secrets for `token`.', { secret: true }),
  jwtIssuer: text('VECTORLESS_JWT_ISSUER', 'Required `iss` of a token.'),
  jwtAudience: text('VECTORLESS_JWT_AUDIENCE', 'Required `aud` of a token.'),
  jwtJwksUrl: text('VECTORLESS_JWT_JWKS_URL', 'Where the identity provider publishes its keys.'),
  jwtPublicKey: text('VECTORLESS_JWT_PUBLIC_KEY', 'A public key (PEM) instead of a JWKS URL.'),
  jwtReadScope: text(
    'VECTORLESS_JWT_READ_SCOPE',
    'Scope that lets a caller read; unset: every verified caller may.',
  ),
  jwtWriteScope: text('VECTORLESS_JWT_WRITE_SCOPE', 'Scope that lets a caller write; unset: nobody may.'),
  jwtScopeClaim: text('VECTORLESS_JWT_SCOPE_CLAIM', 'Claim that holds the scopes or roles.', {
    shown: 'scope',
  }),
  jwtRequiredClaims: text(
    'VECTORLESS_JWT_REQUIRED_CLAIMS',
    'Claims that must be present: `name` or `name=value`, comma-separated.',
  ),
  secrets: list('VECTORLESS_SECRET', 'Seals upload links: 32 bytes in base64; two while rotating.', {
    secret: true,
    shown: 'random per process',
  }),
  allowedHosts: list(
    'VECTORLESS_ALLOWED_HOSTS',
    'What `Host` may be, beside this machine, the bound host and the public URL.',
  ),
  allowedOrigins: list('VECTORLESS_ALLOWED_ORIGINS', 'Which web origins may call.'),
  maxConcurrency: count('VECTORLESS_MAX_CONCURRENCY', 32, [1, 10_000], 'Calls at once over HTTP.'),
  maxConcurrencyPerCaller: count(
    'VECTORLESS_MAX_CONCURRENCY_PER_CALLER',
    16,
    [1, 10_000],
    'Calls at once over HTTP for one caller.',
  ),
  metricsPort: optionalCount(
    'VECTORLESS_METRICS_PORT',
    [0, 65_535],
    'Serve Prometheus metrics on this port.',
  ),
  allowUnauthenticated: flag(
    'VECTORLESS_ALLOW_UNAUTHENTICATED',
    'Serve HTTP without checking callers. Anyone who reaches the port reads every document.',
    { flag: 'allow-unauthenticated' },
  ),
  strict: flag('VECTORLESS_STRICT', 'Refuse to start on anything that `doctor` would fail.', {
    flag: 'strict',
  }),
  vectorMetric: choice(
    'VECTORLESS_VECTOR_METRIC',
    ['cosine', 'dot', 'euclidean'],
    'cosine',
    'How the vectors toolset compares vectors.',
  ),
  vectorDir: text(
    'VECTORLESS_VECTOR_DIR',
    'Folder in which the vectors toolset keeps its stores; unset: in memory.',
  ),
} satisfies Record<string, Setting<never> | Setting<unknown>>;

export type Settings = typeof settings;
