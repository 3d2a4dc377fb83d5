// What goes into the desktop bundle: the manifest, the built server, and the words that come with it.
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Lays the bundle out in `folder`, which is emptied first; needs a build. */
export function layOutBundle(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(root, 'mcpb/manifest.json'), join(folder, 'manifest.json'));
  cpSync(join(root, 'dist'), join(folder, 'server'), { recursive: true });
  copyFileSync(join(root, 'mcpb/desktop.cjs'), join(folder, 'server/desktop.cjs'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n');
  for (const name of ['README.md', 'LICENSE']) copyFileSync(join(root, name), join(folder, name));
}
