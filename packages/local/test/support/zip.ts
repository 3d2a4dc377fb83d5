import { strToU8, zipSync } from 'fflate';

/** A zip file of texts. */
export function zip(files: Readonly<Record<string, string>>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A relationships part: `{ rId1: ['slide', 'slides/slide1.xml'] }`. */
export function relations(list: Readonly<Record<string, readonly [type: string, target: string]>>): string {
  const entries = Object.entries(list).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${entries.join('')}</Relationships>`;
}

/** An Office package with `main` as its document. */
export function office(main: string, files: Readonly<Record<string, string>>, title = ''): Uint8Array {
  return zip({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relations({ r1: ['officeDocument', main] }),
    'docProps/core.xml': `<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>${title}</dc:title></cp:coreProperties>`,
    ...files,
  });
}
