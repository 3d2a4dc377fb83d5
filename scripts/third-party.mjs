// What the bundle holds of other people's work: its licences, and a bill of materials, both from what esbuild really put in.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licences under which a package may be bundled into an Apache-2.0 product. */
const permissive = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0'];

/**
 * Other projects whose code a package carries inside its own files, as its own licence file does not say: read off the
 * published parts of that project. `version` is looked up in the package that carries it.
 */
const carried = {
  unpdf: {
    name: 'pdf.js',
    purl: 'pkg:npm/pdfjs-dist',
    license: 'Apache-2.0',
    version: ({ devDependencies }) => devDependencies['pdfjs-dist'].replace(/^\D+/, ''),
    by: 'Mozilla Foundation and contributors, https://github.com/mozilla/pdf.js',
    // What pdf.js calls its decoders through; the decoders themselves (WebAssembly) are not in the package.
    parts: [
      { name: 'pdf.js.openjpeg', license: 'BSD-2-Clause', by: 'Copyright (c) 2024, Mozilla Foundation' },
      { name: 'pdf.js.qcms', license: 'BSD-2-Clause', by: 'Copyright (c) 2025, Mozilla Foundation' },
      { name: 'pdf.js.jbig2', license: 'Apache-2.0', by: 'Copyright 2026 Mozilla Foundation' },
    ],
  },
  '@orama/stemmers': {
    name: 'Snowball',
    license: 'BSD-3-Clause',
    by: 'Copyright (c) 2001, Dr Martin Porter; 2004, 2005, Richard Boulton; https://snowballstem.org',
  },
};

/** Packages that name their licence and leave its text out of what they publish: the notices of their repositories. */
const holders = {
  // https://github.com/lddubeau/saxes/blob/master/LICENSE
  saxes: ['Contributors', 'Isaac Z. Schlueter and Contributors (sax, from which saxes was forked)'],
};

const isc = (holders) => `${holders.map((holder) => `Copyright (c) ${holder}`).join('\n')}

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby
granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.`;

const bsd = (
  thirdClause = '',
) => `Redistribution and use in source and binary forms, with or without modification, are permitted provided that the
following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this list of conditions and the following
   disclaimer.
2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following
   disclaimer in the documentation and/or other materials provided with the distribution.
${thirdClause}
THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES,
INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL,
SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY,
WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF
THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.`;

const noEndorsement = `3. Neither the name of the copyright holder nor the names of its contributors may be used to endorse or promote products
   derived from this software without specific prior written permission.
`;

/** The packages of which at least one byte is in the output: name, version, folder and licence, in order of name. */
export function bundledPackages(metafile, root) {
  const folders = new Set();
  for (const output of Object.values(metafile.outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
      if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
    }
  }
  const found = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    if (!permissive.includes(license)) throw new Error(`${name} has the licence ${license}; see ${folder}`);
    return { name, version, license, folder };
  });
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** One text with the licence of everything that is bundled. @throws when a package comes without one. */
export function licenceTexts(packages, root) {
  const apache = readFileSync(join(root, 'LICENSE'), 'utf8').trim();
  const entries = packages.flatMap(({ name, version, license, folder }) => {
    const own = `${name} ${version} (${license})\n\n${licenceOf(join(root, folder), apache, name, license)}`;
    const inside = carriedBy(name, join(root, folder));
    const texts = { 'Apache-2.0': apache, 'BSD-2-Clause': bsd(), 'BSD-3-Clause': bsd(noEndorsement) };
    const notice = (what) => `${what.name}, inside ${name} ${version} (${what.license})\n${what.by}`;
    return [own, ...inside.map((what) => `${notice(what)}\n\n${texts[what.license]}`)];
  });
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  return `This package contains code of the following projects.${rule}${entries.join(rule)}\n`;
}

/** The projects inside a package, with their versions: each with a text of its own. */
function carriedBy(name, folder) {
  const found = carried[name];
  if (found === undefined) return [];
  const { version: versionIn, parts = [], ...main } = found;
  if (versionIn === undefined) return [main, ...parts];
  const version = versionIn(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  return [{ ...main, name: `${main.name} ${version}`, version }, ...parts];
}

function licenceOf(folder, apache, name, license) {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)(\.|-|$)/i.test(name));
  const texts = names.sort().map((name) => readFileSync(join(folder, name), 'utf8').trim());
  if (texts.length > 0) return texts.join('\n\n');
  if (license === 'Apache-2.0') return apache;
  if (license === 'ISC' && holders[name] !== undefined) return isc(holders[name]);
  throw new Error(`no licence text in ${folder}`);
}

/**
 * `npm sbom` (CycloneDX), reduced to what is bundled: the published package depends on nothing, and the tools that
 * built it are not in it. Without time and serial number, so that the same source gives the same file.
 */
export function billOfMaterials(packages, root) {
  const options = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const npm = process.env.npm_execpath;
  const [command, args] =
    npm !== undefined && existsSync(npm) ? [process.execPath, [npm, ...options]] : ['npm', options];
  const whole = execFileSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const { serialNumber: _, ...bill } = JSON.parse(whole);
  const { timestamp: __, ...metadata } = bill.metadata;
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const inside = packages.flatMap(({ name, version, folder }) =>
    carriedBy(name, join(root, folder))
      .filter(({ purl }) => purl !== undefined)
      .map(({ purl, version: own, license }) => ({
        ...{
          type: 'library',
          name: purl.slice('pkg:npm/'.length),
          version: own,
          'bom-ref': `${purl}@${own}`,
        },
        ...{ purl: `${purl}@${own}`, scope: 'required', licenses: [{ license: { id: license } }] },
        properties: [{ name: 'carried by', value: `${name}@${version}` }],
      })),
  );
  const references = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  const components = bill.components.filter((component) => references.has(component['bom-ref']));
  if (components.length !== references.size) throw new Error('the bill of materials lacks a bundled package');
  return {
    ...bill,
    metadata: {
      ...metadata,
      lifecycles: [{ phase: 'build' }],
      component: { ...metadata.component, name: manifest.name },
    },
    // What is needed at build time is needed in the product, since it is inside.
    components: [
      ...components.map((component) => ({ ...component, scope: 'required', properties: [] })),
      ...inside,
    ],
    dependencies: [
      { ref: `${manifest.name}@${manifest.version}`, dependsOn: [...references] },
      ...[...references].map((ref) => ({
        ref,
        dependsOn: (bill.dependencies.find((one) => one.ref === ref)?.dependsOn ?? []).filter((other) =>
          references.has(other),
        ),
      })),
    ],
  };
}
