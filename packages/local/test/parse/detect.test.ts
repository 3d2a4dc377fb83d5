import { expect, test } from 'vitest';
import { ParseError } from '../../src/document.ts';
import { detectFormat } from '../../src/parse/detect.ts';
import { parseDocument } from '../../src/parse/parse.ts';

const detect = (content: string | Uint8Array, filename: string, contentType?: string) =>
  detectFormat(typeof content === 'string' ? Buffer.from(content, 'latin1') : content, {
    filename,
    contentType,
  });

test('content wins over the name, the name over the content type', () => {
  expect(detect('%PDF-1.7', 'notes.txt', 'text/plain')).toBe('pdf');
  expect(detect(`${'A'.repeat(5_000)}%PDF-1.7`, 'mail.bin')).toBe('pdf');
  expect(detect('PK\x03\x04…', 'report.docx')).toBe('zip');
  expect(detect('<!doctype html><p>x', 'readme.txt')).toBe('html');
  expect(detect('# Title', 'readme.md', 'text/plain')).toBe('markdown');
  expect(detect('a,b\n1,2', 'data', 'text/csv')).toBe('csv');
  expect(detect('words', 'data')).toBe('text');
});

test.each([
  ['an empty file', '', 'a.pdf', 'empty', /empty/],
  ['a picture', '\x89PNG\r\n', 'scan.pdf', 'unsupported', /image.*OCR/],
  ['an old Office file', '\xd0\xcf\x11\xe0\0\0', 'a.doc', 'unsupported', /Save it as DOCX/],
  [
    'an encrypted Office file',
    '\xd0\xcf\x11\xe0E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0',
    'a.docx',
    'encrypted',
    /Remove the password/,
  ],
  ['an archive', '\x1f\x8b\x08', 'a.tar.gz', 'unsupported', /Unpack/],
  ['unknown bytes', '\x01\0\x02\0\0\0\x07', 'a.bin', 'unsupported', /Supported are PDF, DOCX/],
  ['a web page named as a PDF', '<html><body>404', 'a.pdf', 'invalid', /web page.*Download/],
  ['text named as a PDF', 'hello', 'a.pdf', 'invalid', /not a valid PDF/],
])('%s is refused with what to do', async (_name, content, filename, code, message) => {
  const error = await parseDocument({ bytes: Buffer.from(content, 'latin1'), filename }).catch(
    (e: unknown) => e,
  );
  expect(error).toBeInstanceOf(ParseError);
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
});

test('text past the limit is refused before it is decoded', async () => {
  const input = { bytes: Buffer.from('x'.repeat(50)), filename: 'a.txt', limits: { textChars: 10 } };
  await expect(parseDocument(input)).rejects.toMatchObject({ code: 'too_large' });
});

test('white space alone is no text', async () => {
  await expect(parseDocument({ bytes: Buffer.from(' \n\n '), filename: 'a.txt' })).rejects.toMatchObject({
    code: 'no_text',
  });
});
