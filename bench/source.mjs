// Bundles a TypeScript entry into .cache/ and imports it: benches run on the sources as they are.
import { rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** `path` is relative to the repository's root. */
export async function importSource(path) {
  const outdir = `${root}.cache/bench/${path.replaceAll('/', '-')}`;
  rmSync(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: { entry: path },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    conditions: ['vectorless:source'],
    logLevel: 'warning',
  });
  return import(pathToFileURL(`${outdir}/entry.js`).href);
}
