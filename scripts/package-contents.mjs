// What may and may not be in the published package.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';

/** @throws with everything that should not be there, or is missing. */
export function checkContents(folder, root) {
  const wrong = [];
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const fields = ['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies'];
  for (const field of fields) {
    if (Object.keys(manifest[field] ?? {}).length > 0) wrong.push(`package.json has ${field}`);
  }
  // `prepare` would run for those who install from a repository.
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare', 'preprepare', 'postprepare']) {
    if (manifest.scripts?.[name] !== undefined) wrong.push(`package.json runs ${name}`);
  }

  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const names = files.map((file) => relative(folder, file).replaceAll('\\', '/'));
  const notices = ['dist/THIRD-PARTY-LICENSES.txt', 'dist/sbom.cdx.json'];
  const needed = [
    'package.json',
    'README.md',
    'LICENSE',
    'dist/index.js',
    'dist/vectorless-mcp.cjs',
    'dist/start.cjs',
    ...notices,
  ];
  wrong.push(...needed.filter((name) => !names.includes(name)).map((name) => `${name} is missing`));
  const allowed =
    /^(package\.json|README\.md|LICENSE|dist\/(chunks\/)?[\w.-]+\.(js|cjs)|dist\/THIRD-PARTY-LICENSES\.txt|dist\/sbom\.cdx\.json)$/;
  wrong.push(...names.filter((name) => !allowed.test(name)).map((name) => `${name} does not belong there`));

  const places = [root, `${homedir()}/`].filter((place) => place.length > 2);
  for (const [index, file] of files.entries()) {
    const text = readFileSync(file, 'utf8');
    if (places.some((place) => text.includes(place)))
      wrong.push(`${names[index]} names a folder of this machine`);
    if (/\/\/[#@] sourceMappingURL=/.test(text)) wrong.push(`${names[index]} has a source map`);
  }
  const licences = readFileSync(join(folder, notices[0]), 'utf8');
  const bill = JSON.parse(readFileSync(join(folder, notices[1]), 'utf8'));
  for (const { name, version } of bill.components) {
    if (!licences.includes(`${name} ${version} (`)) wrong.push(`${notices[0]} lacks ${name}`);
  }
  const bytes = files.reduce((total, file) => total + statSync(file).size, 0);
  // A cold npx must be through before clients lose patience: ten seconds, for some.
  if (bytes > 5e6) wrong.push(`${bytes} bytes are more than 5 MB`);
  if (wrong.length > 0) throw new Error(wrong.join('; '));
  return `${files.length} files, ${(bytes / 1e6).toFixed(1)} MB, ${bill.components.length} bundled packages`;
}
