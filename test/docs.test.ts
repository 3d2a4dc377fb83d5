import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { openRegistry } from '../src/registry/registry.ts';
import { type WireSchema, wireSchema } from '../src/registry/schema.ts';
import { type Setting, settings } from '../src/settings.ts';
import { localCaller } from '../src/tools/caller.ts';
import type { BoundTool } from '../src/tools/tool.ts';
import { silentLog } from './support/documents.ts';

/** The reference pages are made from the code: `npm run docs` writes them, this suite fails when they are stale. */
const docs = fileURLToPath(new URL('../docs/', import.meta.url));

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (...cells: string[]) => `| ${cells.map(cell).join(' | ')} |`;

describe('docs/settings.md', () => {
  it('lists every setting', async () => {
    const lines = (Object.values(settings) as Setting<unknown>[]).map((setting) =>
      row(
        [`\`${setting.env}\``, setting.flag === undefined ? '' : `\`--${setting.flag}\``]
          .filter(Boolean)
          .join('<br>'),
        setting.shown ?? shownDefault(setting.fallback),
        `${setting.meaning}${setting.secret ? ' Secret.' : ''}`,
      ),
    );
    const page = [
      '# Settings',
      '',
      'Environment variables; some have a flag as well. A flag wins over the variable. A placeholder that nobody filled in (`<YOUR_KEY>`) or no client expanded counts as unset, and a value that makes no sense is warned about and takes its default.',
      '',
      row('Setting', 'Default', 'Meaning'),
      row('---', '---', '---'),
      ...lines,
      '',
    ];
    await expect(page.join('\n')).toMatchFileSnapshot(`${docs}settings.md`);
  });
});

function shownDefault(fallback: unknown): string {
  if (fallback === undefined || (Array.isArray(fallback) && fallback.length === 0)) return '–';
  return `\`${String(fallback)}\``;
}

describe('README.md', () => {
  const readme = readFileSync(fileURLToPath(new URL('../README.md', import.meta.url)), 'utf8');
  const rows = (heading: string) => {
    const [, section = ''] = new RegExp(`^## ${heading}$([\\s\\S]*?)(?=^## )`, 'm').exec(readme) ?? [];
    return [...section.matchAll(/^\| `(\w+)`(.*?) \| (.*) \|$/gm)].map(
      ([, name = '', flag = '', rest = '']) => ({
        name,
        flag: /--([\w-]+)/.exec(flag)?.[1],
        first: rest.split(' | ')[0]?.replaceAll('`', ''),
      }),
    );
  };

  it('gives settings the flags and defaults that they have', () => {
    const all = Object.values(settings) as Setting<unknown>[];
    expect(rows('Settings').length).toBeGreaterThan(5);
    for (const { name, flag, first } of rows('Settings')) {
      const setting = all.find(({ env }) => env === name);
      const known = setting && (setting.shown ?? shownDefault(setting.fallback)).replaceAll('`', '');
      expect([name, flag, first]).toEqual([name, setting?.flag, known === 'false' ? 'off' : known]);
    }
  });

  it('lists the tools that are published, and those that have to be asked for', async () => {
    const named = async (env: Record<string, string>) => {
      const registry = await openRegistry({ config: loadConfig([], env), log: silentLog });
      const { tools } = registry.bind(localCaller);
      await registry.close();
      return tools.map(({ name }) => name);
    };
    const four = await named({});
    expect(rows('Tools').map(({ name }) => name)).toEqual(four);
    const [, optional = ''] =
      /^Off unless `VECTORLESS_TOOLS` names them: ([\s\S]*?)\. A second/m.exec(readme) ?? [];
    const others = (await named({ VECTORLESS_TOOLS: 'all' })).filter((name) => !four.includes(name));
    expect([...optional.matchAll(/`(vectorless_\w+)`/g)].map(([, name]) => name).sort()).toEqual(
      others.sort(),
    );
  });
});

async function allTools(): Promise<readonly BoundTool[]> {
  const config = loadConfig([], { VECTORLESS_TOOLS: 'all', VECTORLESS_TOOLSETS: 'documents,vectors' });
  const registry = await openRegistry({ config, log: silentLog });
  const { tools } = registry.bind(localCaller);
  await registry.close();
  return tools;
}

describe('docs/tools.md', () => {
  it('describes every tool as agents see it', async () => {
    const tools = await allTools();
    const page = [
      '# Tools',
      '',
      'As agents see them over stdio, all toolsets and optional tools included. Which of them a server publishes is decided by `VECTORLESS_TOOLSETS`, `VECTORLESS_TOOLS`, `VECTORLESS_READ_ONLY` and, over HTTP, the caller’s scopes.',
      ...tools.flatMap(describeTool),
    ];
    await expect(`${page.join('\n')}\n`).toMatchFileSnapshot(`${docs}tools.md`);
  });
});

function describeTool(tool: BoundTool): string[] {
  const input = wireSchema(tool.input, 'input', tool.hidden);
  const output = wireSchema(tool.output, 'output');
  const argument = ([name, schema]: [string, WireSchema]) =>
    row(
      `\`${name}\``,
      typeName(schema),
      input.required?.includes(name) ? 'yes' : '',
      schema.description ?? '',
    );
  return [
    '',
    `## \`${tool.name}\``,
    '',
    `*${tool.title}* · access: ${tool.access}`,
    '',
    tool.description,
    '',
    row('Argument', 'Type', 'Required', 'Meaning'),
    row('---', '---', '---', '---'),
    ...Object.entries(input.properties).map(argument),
    '',
    `Returns ${Object.entries(output.properties)
      .map(([name, schema]) => `\`${name}\` (${typeName(schema)})`)
      .join(', ')}.`,
    '',
    '```json',
    JSON.stringify({ name: tool.name, arguments: tool.example }),
    '```',
  ];
}

function typeName({ type = 'any', enum: options, items, minimum, maximum }: WireSchema): string {
  if (options !== undefined) return options.map((option) => `\`${String(option)}\``).join(', ');
  if (type === 'array') return `list of ${items?.type ?? 'any'}`;
  if (minimum !== undefined && maximum !== undefined) return `${type}, ${minimum} to ${maximum}`;
  return type;
}

describe('links in the documentation', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const pages = ['README.md', 'ARCHITECTURE.md', 'AGENTS.md', 'CONTRIBUTING.md']
    .concat(readdirSync(docs, { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`))
    .filter((name) => name.endsWith('.md'));

  it.each(pages)('%s points only at files that exist', (page) => {
    const text = readFileSync(root + page, 'utf8');
    const targets = [...text.matchAll(/\]\((?!https?:|#|mailto:|cursor:|vscode:)([^)#\s]+)/g)].map(
      (match) => match[1] ?? '',
    );
    const base = new URL(page, `file://${root}`);
    const broken = targets.filter((target) => {
      try {
        readFileSync(new URL(target, base));
        return false;
      } catch (error) {
        return !(error instanceof Error && 'code' in error && error.code === 'EISDIR');
      }
    });
    expect(broken).toEqual([]);
  });
});
