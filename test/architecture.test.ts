import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** From the top down: a file imports from its own layer and from those after it, never from one before. */
const layers = ['index', 'cli', 'transports', 'server', 'registry', 'tools', 'sources', 'stores'];

/** Files of `src/` that belong to no layer. */
const leaves = [
  'config',
  'settings',
  'log',
  'refusal',
  'version',
  'stdout-guard',
  'embedded-engine',
  'make-folder',
];

/** Leaves that a tool's own file may use: it knows neither configuration nor log. */
const leavesBelow: Readonly<Record<string, readonly string[]>> = {
  tools: ['refusal'],
  sources: ['refusal'],
  stores: ['refusal', 'make-folder'],
};

/** Who may import what from outside. */
const owners: readonly { readonly module: RegExp; readonly files: RegExp }[] = [
  { module: /^@modelcontextprotocol\//, files: /^src\/(?:server|transports)\// },
  { module: /^undici$/, files: /^(?:packages\/sdk\/src\/http|src\/sources\/url)\.ts$/ },
  { module: /^jose$/, files: /^src\/transports\// },
  { module: /^@vectorless\/local$/, files: /^src\/embedded-engine\.ts$/ },
];

interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function sourceFiles(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => {
      const path = relative(root, join(entry.parentPath, entry.name));
      const text = readFileSync(join(root, path), 'utf8');
      const found = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g);
      return { path, text, imports: [...found].map((match) => match[1] ?? '') };
    });
}

function layerOf(path: string): string {
  return path.split('/')[1]?.replace(/\.ts$/, '') ?? '';
}

const product = sourceFiles('src');
const packages = ['packages/sdk/src', 'packages/local/src'].flatMap(sourceFiles);

function importedFiles(file: SourceFile): string[] {
  return file.imports
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => relative(root, resolve(root, dirname(file.path), specifier)));
}

describe('architecture', () => {
  it('has a place for every file of src', () => {
    const homeless = product
      .map(({ path }) => layerOf(path))
      .filter((name) => ![...layers, ...leaves].includes(name));
    expect(homeless).toEqual([]);
  });

  it('never imports upwards', () => {
    const upward = product.flatMap((file) =>
      importedFiles(file)
        .filter((target) => target.startsWith('src/'))
        .filter((target) => !mayImport(file.path, target))
        .map((target) => `${file.path} → ${target}`),
    );
    expect(upward).toEqual([]);
  });

  it('keeps each dependency behind its own door', () => {
    const strays = [...product, ...packages].flatMap((file) =>
      file.imports.flatMap((specifier) =>
        owners
          .filter(({ module, files }) => module.test(specifier) && !files.test(file.path))
          .map(() => `${file.path} → ${specifier}`),
      ),
    );
    expect(strays).toEqual([]);
  });

  it('reads the environment in two places only', () => {
    const readers = [...product, ...packages].filter(({ text }) => /\bprocess\.env\b/.test(text));
    expect(
      readers.map(({ path }) => path).filter((path) => !/^src\/(?:config|index)\.ts$/.test(path)),
    ).toEqual([]);
  });

  it('makes folders by makeFolder, which always comes to an end', () => {
    const makers = [...product, ...packages].filter(({ text }) => /\bmkdir(?:Sync)?\(/.test(text));
    expect(makers.map(({ path }) => path).filter((path) => !path.endsWith('/make-folder.ts'))).toEqual([]);
  });

  it('exits the process in one place only', () => {
    const exits = [...product, ...packages].filter(({ text }) => /\bprocess\.exit\b/.test(text));
    expect(exits.map(({ path }) => path)).toEqual(['src/index.ts']);
  });

  it('keeps packages apart from the product and from each other', () => {
    const crossing = packages.flatMap((file) => {
      const home = file.path.split('/').slice(0, 2).join('/');
      const outside = importedFiles(file).filter((target) => !target.startsWith(`${home}/`));
      return [...outside, ...file.imports.filter((specifier) => specifier.startsWith('@vectorless/'))];
    });
    expect(crossing).toEqual([]);
  });

  it('imports zod so that a bundler can leave its languages out', () => {
    const whole = product.filter(({ text }) => /import \{[^}]*\bz\b[^}]*\} from 'zod'/.test(text));
    expect(whole.map(({ path }) => path)).toEqual([]);
  });

  it('keeps files short enough to read at a sitting', () => {
    const long = [...product, ...packages].filter(({ text }) => text.split('\n').length > 251);
    expect(long.map(({ path }) => path)).toEqual([]);
  });
});

function mayImport(from: string, target: string): boolean {
  const [layer, other] = [layerOf(from), layerOf(target)];
  if (leaves.includes(layer)) return leaves.includes(other);
  if (leaves.includes(other)) {
    const allowed = leavesBelow[layer];
    // A toolset is where configuration becomes a service.
    return allowed === undefined || allowed.includes(other) || from.endsWith('/toolset.ts');
  }
  return layers.indexOf(other) >= layers.indexOf(layer);
}
