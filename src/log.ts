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

/** Key shapes that must never be printed, wherever they come from: prefixed keys, bearer tokens, JWTs, URL userinfo. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/\b(?:vls|vl|sk|pk|rk|ghp|gho|xox[abp])[_-][A-Za-z0-9_-]{6,}/g, '[redacted]'],
  [/\bBearer\s+[^\s"',]+/gi, 'Bearer [redacted]'],
  [/\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/g, '[redacted]'],
  [/(\bhttps?:\/\/)[^\s/@]+@/gi, '$1[redacted]@'],
];

/** Removes everything that looks like a credential, and `known` values whatever they look like. */
export function redact(text: string, known: readonly string[] = []): string {
  let clean = text;
  for (const value of known) {
    if (value.length >= 4) clean = clean.replaceAll(value, '[redacted]');
  }
  for (const [pattern, replacement] of secrets) clean = clean.replace(pattern, replacement);
  return clean;
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
      write(`${redact(JSON.stringify(entry), known)}\n`);
    };
  };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}
