import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { parseDocument } from '../../src/parse/parse.ts';
import { outline } from '../support/tree.ts';
import { office, zip } from '../support/zip.ts';

const parse = (bytes: Uint8Array, filename = 'a.docx', limits = {}) =>
  parseDocument({ bytes, filename, limits });
const docx = (xml: string) => office('word/document.xml', { 'word/document.xml': xml });
const paragraph = (text: string) =>
  `<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`;

test('a bomb is refused by its real bytes, whatever size it claims', async () => {
  const bytes = zipSync({
    '[Content_Types].xml': strToU8('<Types/>'),
    'word/document.xml': new Uint8Array(30_000_000),
  });
  const claim = Buffer.from(bytes);
  // The central directory's and the local header's uncompressed size.
  const central = claim.lastIndexOf(Buffer.from('PK\x01\x02'));
  claim.writeUInt32LE(100, central + 24);
  expect(bytes.length).toBeLessThan(100_000);
  await expect(parse(claim, 'a.docx', { zipEntryBytes: 1_000_000 })).rejects.toMatchObject({
    code: 'too_large',
  });
  await expect(parse(claim, 'a.docx', { zipTotalBytes: 1_000_000 })).rejects.toMatchObject({
    code: 'too_large',
  });
});

test('entities that a document defines are not expanded, and nesting is bounded', async () => {
  const laughs = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>${paragraph('&b; &lt;')}`;
  expect(outline(await parse(docx(laughs)))).toEqual(['text: &b; <']);
  const deep = `<w:document xmlns:w="w">${'<w:p>'.repeat(10_000)}`;
  await expect(parse(docx(deep))).rejects.toMatchObject({ code: 'too_large' });
});

test.each([
  ['no zip inside', Buffer.from('PK\x03\x04 not a zip at all'), 'invalid', /not a valid DOCX/],
  ['cut short', docx(paragraph('x')).subarray(0, 300), 'invalid', /DOCX/],
  ['broken XML', docx('<w:document><w:p></w:document>'), 'invalid', /well-formed/],
  [
    'an archive of documents',
    zip({ 'a.pdf': '%PDF-', 'inner.zip': 'PK' }),
    'unsupported',
    /ZIP archive. Unpack/,
  ],
  [
    'OpenDocument',
    zip({ mimetype: 'application/vnd.oasis', 'content.xml': '<x/>' }),
    'unsupported',
    /Save it as DOCX/,
  ],
  ['a document without text', docx(paragraph(' ')), 'no_text', /no text/],
])('%s is refused', async (_name, bytes, code, message) => {
  await expect(parse(bytes)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});

test('an encrypted entry and too many entries are refused', async () => {
  const encrypted = Buffer.from(docx(paragraph('x')));
  for (let at = encrypted.indexOf('PK\x01\x02'); at >= 0; at = encrypted.indexOf('PK\x01\x02', at + 1))
    encrypted[at + 8] = 1;
  await expect(parse(encrypted)).rejects.toMatchObject({ code: 'encrypted' });
  await expect(parse(docx(paragraph('x')), 'a.docx', { zipEntries: 2 })).rejects.toMatchObject({
    code: 'too_large',
  });
});
