import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const cache = fileURLToPath(new URL('../../../../node_modules/.cache/', import.meta.url));

/**
 * Runs a TypeScript program in a Node of its own, with `env` as its whole environment, and gives what it printed as
 * JSON: for what is decided once per process, such as proxies, certificates and memory.
 */
export async function runProgram(
  source: string,
  env: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  await mkdir(cache, { recursive: true });
  // Inside node_modules, so that the external undici is found.
  const folder = await mkdtemp(`${cache}sdk-test-`);
  try {
    await build({
      // Split as the shipped bundle is, so that what is imported late is loaded late.
      ...{ outdir: folder, splitting: true, outExtension: { '.js': '.mjs' } },
      stdin: { contents: source, loader: 'ts', resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
      ...{ bundle: true, format: 'esm', platform: 'node', logLevel: 'warning' },
      ...{ conditions: ['vectorless:source'], external: ['undici'] },
    });
    return JSON.parse(await run(`${folder}/stdin.mjs`, env));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(file: string, env: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 30_000,
    });
    const output = { out: '', err: '' };
    child.stdout.on('data', (chunk) => {
      output.out += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      output.err += String(chunk);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(output.out);
      else reject(new Error(`the program ended with ${code}: ${output.err}`));
    });
  });
}
