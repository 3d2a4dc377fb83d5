// The package as strangers get it.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Packs into `folder`; answers with what npm says of it, and the path of the tarball. */
export function pack(folder) {
  const said = must('npm', ['pack', '--json', '--silent', '--pack-destination', folder], { cwd: root });
  const [packed] = Object.values(JSON.parse(said.slice(said.search(/^[[{]/m))));
  return { ...packed, path: join(folder, packed.filename) };
}

/** Installs the tarball into `folder`, offline and with an empty cache; answers with the path of its bin file. */
export function install(tarball, folder) {
  mkdirSync(folder, { recursive: true });
  const options = [
    '--cache',
    join(folder, '.npm'),
    '--offline',
    '--no-audit',
    '--no-fund',
    '--foreground-scripts',
  ];
  must('npm', ['i', '--prefix', folder, ...options, tarball]);
  return join(folder, 'node_modules/@vectorless/mcp/dist/vectorless-mcp.cjs');
}

/** Runs a program; answers with its stdout. @throws with all that it said when it does not end with 0. */
export function must(command, args, options = {}) {
  const given = { encoding: 'utf8', timeout: 180_000, ...options };
  const { status, signal, stdout, stderr, error } = spawnSync(command, args, given);
  if (error && error.code !== 'ETIMEDOUT') throw error;
  if (status === 0) return stdout;
  throw new Error(`${command} ${args.join(' ')} ended with ${status ?? signal}: ${stderr}${stdout}`);
}
