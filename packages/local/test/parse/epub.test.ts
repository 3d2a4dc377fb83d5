import { expect, test } from 'vitest';
import { parseDocument } from '../../src/parse/parse.ts';
import { outline } from '../support/tree.ts';
import { zip } from '../support/zip.ts';

const page = (body: string) =>
  `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${body}</body></html>`;

function book(files: Record<string, string> = {}) {
  return zip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    'OPS/book.opf': `<package xmlns:dc="d"><metadata><dc:title>Sea &amp; shore</dc:title><dc:title>other</dc:title></metadata><manifest>
      <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
      <item id="b" href="text/two%20b.xhtml" media-type="application/xhtml+xml"/>
      <item id="a" href="text/one.xhtml" media-type="application/xhtml+xml"/></manifest>
      <spine><itemref idref="nav"/><itemref idref="a"/><itemref idref="b"/></spine></package>`,
    'OPS/nav.xhtml': page(
      '<nav><ol><li><a href="text/one.xhtml">One</a></li><li><a href="text/two%20b.xhtml">Second part</a></li></ol></nav>',
    ),
    'OPS/text/one.xhtml': page('<h1>Chapter one</h1><p>Waves.</p><h2>Tides</h2><p>High.</p>'),
    'OPS/text/two b.xhtml': page('<p>Sand.</p>'),
    ...files,
  });
}

test('reads files in spine order and names those without a heading', async () => {
  const parsed = await parseDocument({ bytes: book(), filename: 'a.epub' });
  expect(parsed.title).toBe('Sea & shore');
  expect(outline(parsed)).toEqual([
    '# Chapter one',
    'text: Waves.',
    '## Tides',
    'text: High.',
    '# Second part',
    'text: Sand.',
  ]);
});

test('a protected book is refused; garbled fonts are no protection', async () => {
  const encryption = (uri: string) => ({
    'META-INF/encryption.xml': `<encryption><EncryptedData><CipherData><CipherReference URI="${uri}"/></CipherData></EncryptedData></encryption>`,
  });
  const read = (uri: string) => parseDocument({ bytes: book(encryption(uri)), filename: 'a.epub' });
  await expect(read('OPS/text/one.xhtml')).rejects.toMatchObject({ code: 'encrypted' });
  expect((await read('OPS/fonts/a.otf')).title).toBe('Sea & shore');
});
