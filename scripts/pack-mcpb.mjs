// Packs the bundle that Claude Desktop installs with a double click: vectorless-mcp-VERSION.mcpb.
// usage: node scripts/pack-mcpb.mjs [FOLDER]      The packer is fetched from npm on first use and kept under .cache.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { layOutBundle } from './mcpb-bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const tools = join(root, '.cache/mcpb');
const packer = join(tools, 'node_modules/@anthropic-ai/mcpb/dist/cli/cli.js');
const run = (command, args) =>
  execFileSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });

run(process.execPath, ['scripts/build.mjs', '--release']);
if (!existsSync(packer))
  run('npm', ['i', '--prefix', tools, '@anthropic-ai/mcpb@2.1.2', '--no-audit', '--no-fund', '--silent']);

const bundle = join(root, '.cache/mcpb-bundle');
layOutBundle(bundle);
const { name, version } = JSON.parse(readFileSync(join(bundle, 'manifest.json'), 'utf8'));
const [folder = root] = process.argv.slice(2);
const file = join(folder, `${name}-${version}.mcpb`);
run(process.execPath, [packer, 'validate', bundle]);
run(process.execPath, [packer, 'pack', bundle, file]);
console.log(`${file}: ${Math.round(statSync(file).size / 1000)} kB`);
