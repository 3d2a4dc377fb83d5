// Other versions of Node, fetched from npm on first use and kept under .cache.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const current = Number(process.versions.node.split('.')[0]);

/** The path of a Node of this major version. */
export function nodeOf(major) {
  if (current === major) return process.execPath;
  const prefix = `${root}.cache/node${major}`;
  const path = `${prefix}/node_modules/.bin/node`;
  const options = ['--no-audit', '--no-fund', '--silent'];
  if (!existsSync(path))
    spawnSync('npm', ['i', '--prefix', prefix, `node@${major}`, ...options], { stdio: 'inherit' });
  if (!existsSync(path)) throw new Error(`Node ${major} could not be fetched`);
  return path;
}

/** This Node if it is 22 or newer, else one that is: some tools need it. */
export const newerNode = () => (current >= 22 ? process.execPath : nodeOf(24));
