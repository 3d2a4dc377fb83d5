import { homedir } from 'node:os';
import { posix, resolve, win32 } from 'node:path';
import { type Setting, type Settings, settings } from './settings.ts';

type Values = { readonly [K in keyof Settings]: Settings[K] extends Setting<infer T> ? T : never };

/** Everything that was set, checked. Secrets included: never log it. */
export interface Config extends Values {
  /** The API's address, without a trailing slash. */
  readonly apiUrl: string;
  /** Where the embedded engine keeps its documents. */
  readonly dataDir: string;
  /** `VECTORLESS_*` values that were ignored, and why: one sentence each, values never shown. */
  readonly warnings: readonly string[];
  /** Variables that were set to something that cannot be used, and count as unset. */
  readonly ignored: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const defaultApiUrl = 'https://api.vectorless.dev';

/** What clients leave behind when they do not expand a variable, and what people leave when they do not fill one in. */
const placeholder =
  /^\s*(?:\$\{[^}]*\}|\$[A-Z_][A-Z0-9_]*|%[A-Z_][A-Z0-9_]*%|\{\{[^}]*\}\}|<[^>]+>|your[-_ ][\w -]*(?:key|token|secret|id|url)|x{4,}|vls_live_\.{3})\s*$/i;

/**
 * Reads flags and environment; a flag wins. It never throws for a bad value: that is a warning and the default.
 * @throws {TypeError} for an unknown flag, with a sentence for the person who typed it.
 */
export function loadConfig(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Config {
  const flags = readFlags(argv);
  const warnings: string[] = [];
  const ignored: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings) as [string, Setting<unknown>][]) {
    const given = (setting.flag !== undefined ? flags[setting.flag] : undefined) ?? env[setting.env];
    const before = warnings.length;
    values[name] = read(setting, given, warnings);
    if (warnings.length > before) ignored.push(setting.env);
  }
  const config = values as unknown as Values;
  return {
    ...config,
    apiUrl: apiUrl(config.baseUrl, warnings),
    dataDir: config.localDir === undefined ? defaultDataDir(env) : fullPath(config.localDir),
    vectorDir: config.vectorDir === undefined ? undefined : fullPath(config.vectorDir),
    warnings,
    ignored,
    environment: env,
  };
}

/** Values that must never be printed, wherever they turn up. */
export function secretsOf(config: Config): string[] {
  return [config.apiKey, ...config.httpTokens, ...config.secrets].filter((value) => value !== undefined);
}

function readFlags(argv: readonly string[]): Record<string, string | undefined> {
  const options: Record<string, { type: 'string' | 'boolean' }> = {};
  for (const setting of Object.values(settings) as Setting<unknown>[]) {
    if (setting.flag !== undefined) options[setting.flag] = { type: setting.isSwitch ? 'boolean' : 'string' };
  }
  const { parseArgs } = process.getBuiltinModule('node:util');
  const { values } = parseArgs({ args: [...argv], options, strict: true, allowPositionals: false });
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** Whether a value is what a client or a person left where a real one belongs. */
export const isPlaceholder = (value: string): boolean => placeholder.test(value);

function read(setting: Setting<unknown>, given: string | undefined, warnings: string[]): unknown {
  const value = given?.trim();
  if (value === undefined || value === '') return setting.fallback;
  if (isPlaceholder(value)) {
    warnings.push(
      `${setting.env} holds a placeholder, not a value: your client did not expand it. It counts as unset.`,
    );
    return setting.fallback;
  }
  const parsed = setting.parse(value);
  if (parsed !== undefined) return parsed;
  warnings.push(`${setting.env} must be ${setting.expected}; the default is used.`);
  return setting.fallback;
}

function apiUrl(given: string | undefined, warnings: string[]): string {
  if (given === undefined) return defaultApiUrl;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    warnings.push('VECTORLESS_BASE_URL must be an http or https address; the default is used.');
    return defaultApiUrl;
  }
  return given.replace(/\/+$/, '').replace(/\/v1$/, '');
}

/** The user's home folder; the root where none is known, as of a container's user without an entry or HOME. */
export function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return '/';
  }
}

/** Clients start servers without a shell, which would have expanded the `~`. */
function fullPath(path: string): string {
  return resolve(path.replace(/^~(?=[\\/]|$)/, homeFolder));
}

/** Where each system keeps applications' data. A variable that is empty or relative is passed over, as XDG says. */
export function defaultDataDir(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
  home: string = homeFolder(),
): string {
  const path = platform === 'win32' ? win32 : posix;
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'vectorless');
  const [set, ...fallback] =
    platform === 'win32' ? [env.LOCALAPPDATA, 'AppData', 'Local'] : [env.XDG_DATA_HOME, '.local', 'share'];
  const folder = set !== undefined && path.isAbsolute(set) ? set : path.join(home, ...fallback.map(String));
  return path.join(folder, 'vectorless');
}
