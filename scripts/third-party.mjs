// What the bundle holds of other people's work: its licences, and a bill of materials, both from what esbuild really put in.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licences under which a package may be bundled into an Apache-2.0 product. */
const permissive = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0'];

/** A package that carries another project's code inside its own files. */
const carried = {
  unpdf: {
    name: 'pdf.js',
    license: 'Apache-2.0',
    by: 'Mozilla Foundation and contributors, https://github.com/mozilla/pdf.js',
  },
  '@orama/stemmers': {
    name: 'Snowball',
    license: 'BSD-3-Clause',
    by: 'Copyright (c) 2001, Dr Martin Porter; 2004, 2005, Richard Boulton; https://snowballstem.org',
  },
};

/** Packages that name their licence and leave its text out of what they publish: whose copyright it is. */
const holders = {
  saxes: 'Isaac Z. Schlueter, Louis-Dominique Dubeau and contributors',
};

const isc = (holder) => `Copyright (c) ${holder}

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby
granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.`;

const bsd = `Redistribution and use in source and binary forms, with or without modification, are permitted provided that the
following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this list of conditions and the following
   disclaimer.
2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following
   disclaimer in the documentation and/or other materials provided with the distribution.
3. Neither the name of the copyright holder nor the names of its contributors may be used to endorse or promote products
   derived from this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES,
INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL,
SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY,
WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF
THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.`;

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
    const inside = carried[name];
    if (inside === undefined) return [own];
    const text = inside.license === 'BSD-3-Clause' ? bsd : apache;
    return [own, `${inside.name}, inside ${name} ${version} (${inside.license})\n${inside.by}\n\n${text}`];
  });
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  return `This package contains code of the following projects.${rule}${entries.join(rule)}\n`;
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
    components: components.map((component) => ({ ...component, scope: 'required', properties: [] })),
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
