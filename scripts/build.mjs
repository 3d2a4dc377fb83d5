// Bundles the server into dist/: index.js is what hosted stdio loads; everything heavy is a chunk loaded on demand.
// With --release also the licences and the bill of materials of what is bundled.
import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { mergeChunks } from './merge-chunks.mjs';
import { billOfMaterials, bundledPackages, licenceTexts } from './third-party.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

rmSync(`${root}dist`, { recursive: true, force: true });

const entryPoints = {
  index: 'src/index.ts',
  local: 'packages/local/src/index.ts',
  'local-worker': 'packages/local/src/worker.ts',
};
for (const [name, path] of Object.entries(entryPoints)) {
  if (!existsSync(root + path)) delete entryPoints[name];
}

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints,
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  metafile: true,
  chunkNames: 'chunks/[name]-[hash]',
  conditions: ['vectorless:source'],
  // The SDK's default JSON Schema validator is only used for elicitation, which this server never does.
  alias: {
    '@modelcontextprotocol/server/_shims': './scripts/sdk-shims.mjs',
    // To import it is to read all of its properties, streams and reports among them; nobody here needs more than the global.
    'node:process': './scripts/process.cjs',
    // Its main file is UMD, whose inner requires a bundler does not see.
    'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
  },
  logLevel: 'warning',
});

const apart = ['dist/local.js', 'dist/local-worker.js'];
await mergeChunks(metafile, { root, entry: 'dist/index.js', apart });

// CommonJS dependencies inside the bundle expect `require` to exist.
const required = "import { createRequire as __r } from 'node:module'; const require = __r(import.meta.url);";
for (const file of Object.keys(metafile.outputs)) {
  const code = readFileSync(root + file, 'utf8');
  if (/\brequire\b/.test(code)) writeFileSync(root + file, `${required}\n${code}`);
}

copyFileSync(`${root}src/launcher.cjs`, `${root}dist/vectorless-mcp.cjs`);
copyFileSync(`${root}src/start.cjs`, `${root}dist/start.cjs`);
chmodSync(`${root}dist/vectorless-mcp.cjs`, 0o755);

if (process.argv.includes('--release')) {
  const packages = bundledPackages(metafile, root);
  writeFileSync(`${root}dist/THIRD-PARTY-LICENSES.txt`, licenceTexts(packages, root));
  writeFileSync(`${root}dist/sbom.cdx.json`, `${JSON.stringify(billOfMaterials(packages, root), null, 2)}\n`);
}
