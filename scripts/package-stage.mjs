// Where the packed package is tried: a folder of its own, a user that owns nothing, and no network but loopback.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { nodeOf } from './nodes.mjs';
import { must } from './packed.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
export const stage = mkdtempSync(join(tmpdir(), 'vectorless-package-'));
chmodSync(stage, 0o755);
const isRoot = process.getuid?.() === 0;
/** A user that owns nothing and is not even in the list of users. */
export const stranger = 54_321;
const has = (command, ...args) => spawnSync(command, args).status === 0;
export const canDropNetwork = isRoot && has('unshare', '-n', 'ip', 'link', 'set', 'lo', 'up');
const asStrangerArguments = [
  ...['--reuid', String(stranger), '--regid', String(stranger)],
  ...['--clear-groups', '--no-new-privs'],
];
export const canBeStranger = isRoot && has('setpriv', ...asStrangerArguments, 'npx', '--version');

/** A Node where a stranger can reach it, too: the checkout may be in a folder that is closed to others. */
export function sharedNode(major) {
  const copy = join(stage, `node-${major}`);
  if (!existsSync(copy)) copyFileSync(nodeOf(major), copy);
  chmodSync(copy, 0o755);
  return copy;
}

export function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    ...{ encoding: 'utf8', timeout: 180_000, cwd: stage, ...options },
  });
  if (error) throw error;
  return { status, stdout, stderr };
}

export function folder(name, { mode = 0o755, owner = 0 } = {}) {
  const path = join(stage, name);
  mkdirSync(path, { recursive: true });
  if (isRoot) chownSync(path, owner, owner);
  chmodSync(path, mode);
  return path;
}

const filesIn = (path) =>
  readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
export const pathsIn = (path) =>
  filesIn(path).map((entry) => join(entry.parentPath ?? entry.path, entry.name));

/** Nothing of the caller's environment but where programs are. */
export const environment = (home, extra = {}) => ({
  PATH: process.env.PATH,
  HOME: home,
  TMPDIR: home,
  ...extra,
});

/** What goes before a command so that the stranger runs it. */
const strangely = (command, args) => ['setpriv', [...asStrangerArguments, command, ...args]];

/** Runs a program where nothing but this machine can be reached, if the system lets us. */
export function mustOffline(command, args, options) {
  const isolated = ['-n', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', command, ...args];
  return canDropNetwork ? must('unshare', isolated, options) : must(command, args, options);
}

/** @param {{ command: string, args: string[], cwd: string, env: object, local?: boolean, asStranger?: boolean }} what */
export function trial({ asStranger = false, ...what }) {
  const [command, args] = asStranger ? strangely(what.command, what.args) : [what.command, what.args];
  const described = JSON.stringify({ ...what, command, args });
  const driver = [`${root}scripts/package-trial.mjs`, fakeApi, described];
  return JSON.parse(mustOffline(process.execPath, driver));
}

/** Runs `init` and the like as README writes them, with a registry on this machine in npm's place. */
export function registryTrial({ asStranger = false, tarball, ...what }) {
  const [command, args] = asStranger ? strangely(what.command, what.args) : [what.command, what.args];
  const described = JSON.stringify({ ...what, command, args });
  return mustOffline(process.execPath, [`${root}scripts/registry-trial.mjs`, tarball, described]);
}

const fakeApi = join(stage, 'fake-api.mjs');
await build({
  absWorkingDir: root,
  ...{
    entryPoints: ['test/support/fake-api.ts'],
    outfile: fakeApi,
    bundle: true,
    format: 'esm',
    platform: 'node',
  },
});
