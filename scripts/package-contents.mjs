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
  for (const { name, version, properties } of bill.components) {
    const carrier = properties?.find((property) => property.name === 'carried by')?.value;
    const notice =
      carrier === undefined ? `${name} ${version} (` : ` ${version}, inside ${carrier.replace('@', ' ')} (`;
    if (!licences.includes(notice)) wrong.push(`${notices[0]} lacks ${name}`);
  }
  wrong.push(
    ...withoutNotice(
      names.map((name, index) => [name, files[index]]),
      licences,
      bill,
    ),
  );
  const bytes = files.reduce((total, file) => total + statSync(file).size, 0);
  // A cold npx must be through before clients lose patience: ten seconds, for some.
  if (bytes > 5e6) wrong.push(`${bytes} bytes are more than 5 MB`);
  if (wrong.length > 0) throw new Error(wrong.join('; '));
  return `${files.length} files, ${(bytes / 1e6).toFixed(1)} MB, ${bill.components.length} bundled packages`;
}

/** Marks that code of other projects leaves in built files: that project has to be named. */
const marks = [
  { mark: /PDFDocumentLoadingTask|getDocument/, names: 'pdf.js ' },
  { mark: /qcms_convert_array/, names: 'pdf.js.qcms' },
  { mark: /OpenJPEG/, names: 'pdf.js.openjpeg' },
  { mark: /_jbig2_decode/, names: 'pdf.js.jbig2' },
];

function withoutNotice(files, licences, bill) {
  const texts = files.filter(([name]) => name.endsWith('.js')).map(([, file]) => readFileSync(file, 'utf8'));
  const pdfjs = bill.components.find(({ name }) => name === 'pdfjs-dist')?.version;
  const wrong = texts.some((text) => text.includes(`"${pdfjs}"`))
    ? []
    : [`there is no pdf.js ${pdfjs} in it`];
  for (const { mark, names } of marks) {
    if (!texts.some((text) => mark.test(text))) wrong.push(`${names} is named, and nothing of it is there`);
    else if (!licences.includes(`\n${names}`)) wrong.push(`${names} has no notice`);
  }
  return wrong;
}
