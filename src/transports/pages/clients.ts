import type { Config } from '../../config.ts';

/** How one client is told about this server. */
export interface ClientSetup {
  readonly client: string;
  /** Where the text below goes. */
  readonly where: string;
  readonly text: string;
}

type Auth = Config['httpAuth'];

/** What stands in the configuration until the person puts their own there. */
export const credentialPlaceholder: Readonly<Record<Auth, string | undefined>> = {
  key: 'YOUR_VECTORLESS_API_KEY',
  token: 'YOUR_TEAM_TOKEN',
  // The client logs in by itself.
  jwt: undefined,
  none: undefined,
};

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** Configuration for the common clients, ready to paste. `base` has no trailing slash. */
export function clientSetups(base: string, auth: Auth): readonly ClientSetup[] {
  const url = `${base}/mcp`;
  const credential = credentialPlaceholder[auth];
  const bearer = credential === undefined ? undefined : `Bearer ${credential}`;
  const headers = bearer === undefined ? {} : { headers: { Authorization: bearer } };
  const flag = bearer === undefined ? '' : ` \\\n  --header "Authorization: ${bearer}"`;
  const codexKey = credential === undefined ? '' : '\nbearer_token_env_var = "VECTORLESS_TOKEN"';
  // It refuses plain http unless told that this is meant.
  const insecure = base.startsWith('http:') ? ['--allow-http'] : [];
  // Some shells and clients split arguments at spaces, so the header's value travels in a variable.
  const bridge = {
    command: 'npx',
    args: [
      '-y',
      'mcp-remote',
      url,
      ...insecure,
      ...(bearer === undefined ? [] : ['--header', `Authorization:\${AUTH}`]),
    ],
    ...(bearer !== undefined && { env: { AUTH: bearer } }),
  };
  return [
    {
      client: 'Claude Code',
      where: 'In a terminal:',
      text: `claude mcp add --transport http vectorless ${url}${flag}`,
    },
    {
      client: 'Claude Desktop',
      where:
        credential === undefined
          ? 'Settings → Connectors → Add custom connector takes the address. Or in claude_desktop_config.json:'
          : 'In claude_desktop_config.json (Settings → Developer → Edit Config):',
      text: json({ mcpServers: { vectorless: bridge } }),
    },
    {
      client: 'Cursor',
      where: 'In ~/.cursor/mcp.json:',
      text: json({ mcpServers: { vectorless: { url, ...headers } } }),
    },
    {
      client: 'VS Code',
      where: 'In .vscode/mcp.json:',
      text: json({ servers: { vectorless: { type: 'http', url, ...headers } } }),
    },
    {
      client: 'Codex',
      where: `In ~/.codex/config.toml${credential === undefined ? ':' : `, with VECTORLESS_TOKEN=${credential} in the environment:`}`,
      text: `[mcp_servers.vectorless]\nurl = "${url}"${codexKey}`,
    },
    {
      client: 'Gemini CLI',
      where: 'In ~/.gemini/settings.json:',
      text: json({ mcpServers: { vectorless: { httpUrl: url, ...headers } } }),
    },
    {
      client: 'Zed',
      where: 'In settings.json:',
      text: json({ context_servers: { vectorless: { url, ...headers } } }),
    },
    {
      client: 'A client that only starts programs',
      where: 'mcp-remote connects it to this address:',
      text: json({ mcpServers: { vectorless: bridge } }),
    },
  ];
}
