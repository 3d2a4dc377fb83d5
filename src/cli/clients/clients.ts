import { readdirSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { type ConfigFormat, type Entry, isEntry, valueAt } from './config-format.ts';
import { jsonFormat } from './json-format.ts';
import { tomlFormat } from './toml-format.ts';
import { yamlFormat } from './yaml-format.ts';

/** How a client starts the server. */
export interface Server {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Where a client's files are looked for. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Client {
  readonly id: string;
  readonly name: string;
  /** The user's own configuration: the first that exists is used, else the first. */
  files(machine: Machine): readonly string[];
  /** What exists where the client is installed, beside its configuration; default: the folder of its files. */
  signs?(machine: Machine): readonly string[];
  readonly format: ConfigFormat;
  toEntry(server: Server): Entry;
  /** What the person has to do so that the client sees it. */
  readonly afterwards: string;
}

const name = 'vectorless';
const servers = (key: string) => jsonFormat(name, () => [key]);

const base = ({ command, args, env }: Server) => ({
  ...{ command, args: [...args] },
  ...(Object.keys(env).length > 0 && { env: { ...env } }),
});
const stdio = (server: Server) => ({ type: 'stdio', ...base(server) });

const inHome =
  (...parts: string[]) =>
  ({ platform, home }: Machine) => [pathOf(platform).join(home, ...parts)];
/** A folder below the one in a variable, else below the home folder. */
const inFolder =
  (variable: string, fallback: string, file: string) =>
  ({ platform, home, env }: Machine) => {
    const path = pathOf(platform);
    return path.join(env[variable] || path.join(home, fallback), file);
  };
/** In the folder of applications' settings, which each system keeps elsewhere. */
const inSettings =
  (...parts: string[]) =>
  ({ platform, home, env }: Machine) => {
    const path = pathOf(platform);
    const config = env.XDG_CONFIG_HOME || path.join(home, '.config');
    const roaming = env.APPDATA || path.join(home, 'AppData', 'Roaming');
    const library = path.join(home, 'Library', 'Application Support');
    return [path.join(platform === 'win32' ? roaming : platform === 'darwin' ? library : config, ...parts)];
  };

export const clients: readonly Client[] = [
  {
    ...{ id: 'claude-desktop', name: 'Claude Desktop', format: servers('mcpServers'), toEntry: base },
    files: (machine) => claudeDesktopFiles(machine, packagesOf(machine)),
    afterwards: 'Quit Claude Desktop and start it again.',
  },
  {
    ...{ id: 'claude-code', name: 'Claude Code', format: servers('mcpServers'), toEntry: stdio },
    files: (machine) => [inFolder('CLAUDE_CONFIG_DIR', '', '.claude.json')(machine)],
    signs: (machine) => [inFolder('CLAUDE_CONFIG_DIR', '.claude', '')(machine)],
    afterwards: 'Start a new session; /mcp shows the server.',
  },
  {
    ...{ id: 'cursor', name: 'Cursor', format: servers('mcpServers'), toEntry: base },
    files: inHome('.cursor', 'mcp.json'),
    afterwards: 'Switch the server on under Cursor Settings → MCP.',
  },
  {
    ...{ id: 'vscode', name: 'VS Code', format: servers('servers'), toEntry: stdio },
    files: inSettings('Code', 'User', 'mcp.json'),
    afterwards: 'Run “MCP: List Servers” and start it.',
  },
  {
    ...{ id: 'windsurf', name: 'Windsurf', format: servers('mcpServers'), toEntry: base },
    files: inHome('.codeium', 'windsurf', 'mcp_config.json'),
    afterwards: 'Press Refresh in the MCP panel.',
  },
  {
    ...{ id: 'zed', name: 'Zed', format: servers('context_servers') },
    files: (machine) =>
      machine.platform === 'darwin'
        ? inHome('.config', 'zed', 'settings.json')(machine)
        : inSettings(machine.platform === 'win32' ? 'Zed' : 'zed', 'settings.json')(machine),
    toEntry: (server) => ({ source: 'custom', ...base(server) }),
    afterwards: 'Zed picks it up at once; see Agent Panel → Settings.',
  },
  {
    ...{ id: 'continue', name: 'Continue', files: inHome('.continue', 'config.yaml') },
    format: yamlFormat('mcpServers', name, 'name: Local Agent\nversion: 1.0.0\nschema: v1\n'),
    toEntry: stdio,
    afterwards: 'Reload the window; MCP tools work in agent mode.',
  },
  {
    ...{ id: 'codex', name: 'Codex', format: tomlFormat('mcp_servers', name) },
    files: (machine) => [inFolder('CODEX_HOME', '.codex', 'config.toml')(machine)],
    // The first start through npx fetches the package, for which ten seconds can be too few.
    toEntry: (server) => ({ ...base(server), startup_timeout_sec: 60 }),
    afterwards: 'Start a new session; /mcp shows the server.',
  },
  {
    ...{ id: 'gemini-cli', name: 'Gemini CLI', format: servers('mcpServers'), toEntry: base },
    files: inHome('.gemini', 'settings.json'),
    afterwards: 'Start a new session; /mcp shows the server.',
  },
  {
    ...{ id: 'opencode', name: 'opencode' },
    // Its second version keeps servers one level deeper, and still reads the first's.
    format: jsonFormat(name, (parsed) => {
      const nested = valueAt(parsed, ['mcp', 'servers']);
      return isEntry(nested) && !('type' in nested) ? ['mcp', 'servers'] : ['mcp'];
    }),
    files: ({ platform, home, env }) => {
      const path = pathOf(platform);
      const folder = path.join(env.XDG_CONFIG_HOME || path.join(home, '.config'), 'opencode');
      return ['opencode.json', 'opencode.jsonc'].map((file) => path.join(folder, file));
    },
    toEntry: ({ command, args, env }) => ({
      ...{ type: 'local', command: [command, ...args], enabled: true },
      ...(Object.keys(env).length > 0 && { environment: { ...env } }),
    }),
    afterwards: 'Start a new session; `opencode mcp list` shows the server.',
  },
];

/**
 * Claude Desktop for Windows comes as a package since 2026, which reads its settings from a folder of its own; a file
 * in the usual place is then never looked at (https://github.com/anthropics/claude-code/issues/26073).
 */
export function claudeDesktopFiles(machine: Machine, packages: readonly string[]): readonly string[] {
  const usual = inSettings('Claude', 'claude_desktop_config.json')(machine);
  const packaged = packages.find((folder) => /^Claude_\w+$/.test(folder));
  if (packaged === undefined) return usual;
  const parts = ['Packages', packaged, 'LocalCache', 'Roaming', 'Claude', 'claude_desktop_config.json'];
  return [win32.join(localAppData(machine), ...parts)];
}

function packagesOf(machine: Machine): string[] {
  if (machine.platform !== 'win32') return [];
  try {
    return readdirSync(win32.join(localAppData(machine), 'Packages'));
  } catch {
    return [];
  }
}

const localAppData = ({ home, env }: Machine) => env.LOCALAPPDATA || win32.join(home, 'AppData', 'Local');

/** What a client would start; undefined for an entry that is not about a command. */
export function serverOf(entry: Entry): Server | undefined {
  const words = [entry.command, entry.args ?? []].flat();
  const [command, ...args] = words.filter((word) => typeof word === 'string');
  const given = entry.env ?? entry.environment ?? {};
  if (command === undefined || !isEntry(given)) return undefined;
  const env = Object.entries(given).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  return { command, args, env: Object.fromEntries(env) };
}

/**
 * The fresh entry, with what the person has added to the old one: settings of their own, and fields that only the client
 * knows. Variables in `dropped` go.
 */
export function renewed(old: Entry | undefined, fresh: Entry, dropped: readonly string[]): Entry {
  if (old === undefined || serverOf(old) === undefined) return fresh;
  const name = 'environment' in old || 'environment' in fresh ? 'environment' : 'env';
  const [given, set] = [old[name], fresh[name]].map((each) => (isEntry(each) ? each : {}));
  const kept = Object.entries(given ?? {}).filter(([variable]) => !dropped.includes(variable));
  const env = { ...Object.fromEntries(kept), ...set };
  const { [name]: _, ...others } = { ...old, ...fresh };
  return Object.keys(env).length === 0 ? others : { ...old, ...fresh, [name]: env };
}

function pathOf(platform: NodeJS.Platform): typeof posix {
  return platform === 'win32' ? win32 : posix;
}
