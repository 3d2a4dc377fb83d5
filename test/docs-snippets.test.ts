/** What people copy out of the documentation: every snippet is parsed, every command is run or says why not. */
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { keyPlaceholder } from '../src/cli/choose.ts';
import { clients } from '../src/cli/clients/clients.ts';
import { launchCommand } from '../src/cli/launch.ts';
import { blocksOf, pages, textOf } from './support/docs.ts';

/** What `npx -y @vectorless/mcp init --print` writes, on a computer that has not installed the package. */
const hosted = {
  command: 'npx',
  args: ['-y', '@vectorless/mcp'],
  env: { VECTORLESS_API_KEY: keyPlaceholder },
};
const local = { command: 'npx', args: ['-y', '@vectorless/mcp', '--local'] };

describe('docs/clients.md', () => {
  const page = textOf('docs/clients.md');
  const section = (title: string) =>
    new RegExp(`^## ${title}\n([\\s\\S]*?)(?=^## )`, 'm').exec(page)?.[1] ?? '';

  test.each(clients)('$name: the entry that init writes, in the file that it writes to', (client) => {
    const text = section(client.name);
    const [snippet] = blocksOf(text);
    const parsed = client.format.parse(snippet?.body ?? '');
    expect(client.format.find(parsed)).toEqual(client.toEntry(hosted));
    expect(client.format.others(parsed)).toEqual(
      client.format.others(client.format.parse(client.format.blank)),
    );
    expect(text).toContain(client.afterwards);
    const windows = { APPDATA: '%APPDATA%', LOCALAPPDATA: '%LOCALAPPDATA%' };
    for (const machine of [
      { platform: 'darwin', home: '~', env: {} },
      { platform: 'linux', home: '~', env: {} },
      { platform: 'win32', home: '%USERPROFILE%', env: windows },
    ] as const)
      expect(text).toContain(`\`${client.files(machine)[0]}\``);
  });

  test('the form for Windows is the one that init writes there', async () => {
    const [snippet] = blocksOf(page).filter(({ language }) => language === 'json');
    const entry = JSON.parse(snippet?.body ?? '').mcpServers.vectorless;
    const launch = await launchCommand('/cache/_npx/1/vectorless-mcp.cjs', 'win32');
    expect(entry).toEqual({ ...launch, env: hosted.env });
  });

  test('results are from the version that is here, and all of them good', () => {
    const rows = /<!-- results -->([\s\S]*)<!-- end -->/.exec(page)?.[1] ?? '';
    expect(rows).toMatch(/`@vectorless\/mcp`, version \d+\.\d+\.\d+, /);
    expect(rows.match(/^\| [^|-].*\| (stdio|http|stdio, http) \|$/gm)?.length).toBeGreaterThanOrEqual(8);
    expect(rows).not.toContain('FAILED');
  });
});

test.each(pages)('%s: JSON, TOML and YAML can be read', (page) => {
  const parsers: Record<string, (text: string) => unknown> = {
    json: JSON.parse,
    jsonc: (text) => parseJsonc(text, [], { allowTrailingComma: true }),
    toml: parseToml,
    yaml: parseYaml,
  };
  for (const { language, body } of blocksOf(textOf(page))) {
    const parsed = parsers[language]?.(body);
    if (language in parsers) expect(parsed, body).toBeTypeOf('object');
  }
});

describe('README.md', () => {
  const page = textOf('README.md');

  test('starts the server as init does, with the engine or with a key', () => {
    const entries = blocksOf(page)
      .filter(({ body }) => body.includes('"mcpServers"'))
      .map(({ body }) => JSON.parse(body).mcpServers.vectorless);
    expect(entries).toEqual([
      local,
      { ...hosted, env: { VECTORLESS_API_KEY: expect.stringMatching(/^vls_live_\.{3}$/) } },
    ]);
  });

  test.each(clients)('shows what $name is given, and where', (client) => {
    const snippets = blocksOf(page).flatMap(({ language, body }) => {
      if (!['json', 'toml', 'yaml'].includes(language)) return [];
      try {
        const found = client.format.find(client.format.parse(body));
        return found === undefined ? [] : [found];
      } catch {
        return []; // another client's format
      }
    });
    // Without a type it is stdio, for those who know others.
    const { type = 'stdio', ...entry } = client.toEntry({ ...local, env: {} });
    expect(snippets.map((found) => ({ type: 'stdio', ...found }))).toContainEqual({ type, ...entry });
    const [file = ''] = client.files({ platform: 'linux', home: '~', env: {} });
    expect(page).toMatch(new RegExp(`\\*\\*${client.name}\\*\\*[:,] \`${file.replaceAll('.', '\\.')}\``));
  });

  test('has buttons that install the same', () => {
    const target = (name: string) =>
      new URL(new RegExp(`^\\[${name}\\]: (\\S+)$`, 'm').exec(page)?.[1] ?? '');
    const cursor = target('add-to-cursor').searchParams;
    expect(cursor.get('name')).toBe('vectorless');
    expect(JSON.parse(Buffer.from(cursor.get('config') ?? '', 'base64').toString())).toEqual(local);
    const code = target('add-to-vs-code').searchParams;
    expect(code.get('name')).toBe('vectorless');
    expect(JSON.parse(code.get('config') ?? '')).toEqual(local);
    for (const name of ['add-to-cursor', 'add-to-vs-code']) expect(page).toContain(`][${name}]`);
  });
});
