// esbuild makes a chunk of every set of modules that the same entries share: seventeen files to find and read before the
// first call. Here those that the server always loads become one, and the others' imports of them lead to it.
import { writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * Merges what `entry` loads before it runs into `chunks/start.js`, but for what one of `apart` loads as well: those are
 * loaded by threads that need no more than that.
 */
export async function mergeChunks({ outputs }, { root, entry, apart }) {
  const elsewhere = new Set(
    apart.flatMap((file) => loadedBy(outputs, file, ['import-statement', 'dynamic-import'])),
  );
  const merged = loadedBy(outputs, entry, ['import-statement']).filter(
    (file) => file !== entry && !elsewhere.has(file),
  );
  const chunks = join(root, dirname(entry), 'chunks');
  const facade = (file, from) => `export { ${names(outputs, file).join(', ')} } from '${from}';\n`;
  const reexports = merged.map((file) => {
    const pairs = outputs[file].exports.map((name) => `${name} as ${nameOf(file, name)}`);
    return `export { ${pairs.join(', ')} } from './${basename(file)}';`;
  });
  const files = new Map(merged.map((file) => [join(root, file), file]));
  const options = { bundle: true, format: 'esm', platform: 'node', minify: true, logLevel: 'warning' };
  await build({
    ...options,
    stdin: { contents: reexports.join('\n'), resolveDir: chunks },
    outfile: join(chunks, 'start.js'),
    plugins: [onlyThese((path) => (files.has(path) ? { path } : undefined))],
  });
  await build({
    ...options,
    entryPoints: [join(root, entry)],
    outfile: join(root, entry),
    allowOverwrite: true,
    plugins: [
      onlyThese((path) => (files.has(path) ? { path, namespace: 'merged' } : undefined)),
      {
        name: 'merged',
        setup(bundler) {
          bundler.onLoad({ filter: /./, namespace: 'merged' }, ({ path }) => ({
            contents: facade(files.get(path), './chunks/start.js'),
          }));
        },
      },
    ],
  });
  for (const file of merged) writeFileSync(join(root, file), facade(file, './start.js'));
}

/** Files of the output that are loaded with `entry`, itself among them, in the order in which they run. */
function loadedBy(outputs, entry, kinds) {
  const seen = new Set();
  const loaded = [];
  const visit = (file) => {
    if (seen.has(file) || outputs[file] === undefined) return;
    seen.add(file);
    for (const { path, kind } of outputs[file].imports) if (kinds.includes(kind)) visit(path);
    loaded.push(file);
  };
  visit(entry);
  return loaded;
}

/** Unique among all chunks, whose own names are minified. */
const nameOf = (file, name) => `${basename(file, '.js').replaceAll('-', '_')}_${name}`;

const names = (outputs, file) => outputs[file].exports.map((name) => `${nameOf(file, name)} as ${name}`);

/** Takes in what `choose` says; every other import stays as it is written. */
function onlyThese(choose) {
  return {
    name: 'only-these',
    setup(bundler) {
      bundler.onResolve({ filter: /./ }, ({ path, resolveDir, kind }) => {
        if (kind === 'entry-point') return;
        return (kind === 'import-statement' && choose(resolve(resolveDir, path))) || { path, external: true };
      });
    },
  };
}
