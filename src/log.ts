/** JSON lines on stderr, metadata only: never arguments, queries, document text or keys. */

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Log {
  error(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  debug(event: string, fields?: LogFields): void;
}

/** Shapes of credentials that must never be printed, wherever they come from. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, '[redacted]'],
  [/\b(?:vls|vl|sk|pk|rk|gh[oprsu]|xox[abeprs])[_-][A-Za-z0-9_-]{6,}/g, '[redacted]'],
  [/\b(?:github_pat|glpat|npm|hf|gsk|xai|pplx|nvapi|tvly|whsec|xapp)[_-][A-Za-z0-9_-]{16,}/g, '[redacted]'],
  [/\b(?:A[KS]IA[A-Z0-9]{16}|AIza[\w-]{30,}|ya29\.[\w-]{10,}|SG\.[\w-]{10,}\.[\w-]{10,})/g, '[redacted]'],
  [/\bBearer\s+[^\s"',]+/gi, 'Bearer [redacted]'],
  // Base64, other than the word in "Basic authentication".
  [/\bBasic\s+(?=\w[a-z]*[A-Z0-9+/=])[A-Za-z0-9+/_-]{8,}={0,2}/g, 'Basic [redacted]'],
  [/\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/g, '[redacted]'],
  // Name and password in an address, and what services take as a parameter.
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"<>]+@/gi, '$1[redacted]@'],
  [/([?&](?:api[_-]?key|key|(?:\w+_)?token|secret|password|sig|signature)=)[^\s&#"']+/gi, '$1[redacted]'],
];

/** Removes everything that looks like a credential, and `known` values whatever they look like. */
export function redact(text: string, known: readonly string[] = []): string {
  let clean = text;
  // Longer ones first: one secret may begin with another.
  for (const value of known.toSorted((a, b) => b.length - a.length)) {
    if (value.length < 4) continue;
    for (const spelling of spellings(value)) clean = clean.replaceAll(spelling, '[redacted]');
  }
  for (const [pattern, replacement] of secrets) clean = clean.replace(pattern, replacement);
  return clean;
}

/** As it is, as it stands in JSON, and as it stands in an address. */
function spellings(value: string): ReadonlySet<string> {
  return new Set([
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(Buffer.from(value).toString()),
  ]);
}

/**
 * Where an error came from, for the log: its name and the first place in its stack. Never its message, which may
 * quote anything and span lines.
 */
export function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { name, message, stack = '' } = error;
  const start = stack.indexOf(message);
  const frames = start < 0 ? '' : stack.slice(start + message.length);
  return `${name} ${/^\s+(at .*)$/m.exec(frames)?.[1] ?? ''}`.trim();
}

/** `write` gets one line at a time; a failing write is the caller's to swallow, since logging must never fail a call. */
export function createLog(
  level: LogLevel,
  write: (line: string) => void,
  known: readonly string[] = [],
): Log {
  const threshold = logLevels.indexOf(level);
  const at = (name: Exclude<LogLevel, 'silent'>) => {
    const rank = logLevels.indexOf(name);
    return (event: string, fields: LogFields = {}) => {
      if (rank > threshold) return;
      const entry = { time: new Date().toISOString(), level: name, event, ...fields };
      // Value by value: in JSON a secret with a quote or a backslash would be spelled otherwise.
      const clean = (_key: string, value: unknown) =>
        typeof value === 'string' ? redact(value, known) : value;
      write(`${JSON.stringify(entry, clean)}\n`);
    };
  };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}
