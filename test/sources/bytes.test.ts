import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BytesOptions, openBase64, openText } from '../../src/sources/bytes.ts';
import { bytesOf, docx, pdf, zip } from './sample-files.ts';

const limits = { maxBytes: 1_000_000 };
const base64 = (content: string | Buffer) => Buffer.from(content).toString('base64');
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

function why(open: () => { filename: string }): string {
  try {
    return `opened ${open().filename}`;
  } catch (error) {
    if ((error as Error).name !== 'Refusal') throw error;
    return (error as Error).message;
  }
}
const whyText = (text: string, options: Partial<BytesOptions> = {}) =>
  why(() => openText(text, { ...limits, ...options }));
const whyBase64 = (data: string, options: Partial<BytesOptions> = {}) =>
  why(() => openBase64(data, { ...limits, ...options }));

describe('text', () => {
  test('arrives as it was written, named and typed', async () => {
    const source = openText('# Plan für 2027\n\nGrow.', limits);
    expect(source).toMatchObject({
      filename: 'Plan für 2027.md',
      contentType: 'text/markdown',
      byteSize: 23,
    });
    expect(source.sha256).toBe(sha256('# Plan für 2027\n\nGrow.'));
    expect((await bytesOf(source)).toString()).toBe('# Plan für 2027\n\nGrow.');
  });

  test.each<[string, Partial<BytesOptions>, string, string]>([
    ['a,b\n1,2', { filename: 'rows.csv' }, 'rows.csv', 'text/csv'],
    ['<!doctype html><p>Hi', {}, 'Hi.html', 'text/html'],
    ['Only words.', {}, 'Only words.txt', 'text/plain'],
    ['words', { filename: 'Report v1.2' }, 'Report v1.2.txt', 'text/plain'],
    ['words', { contentType: 'text/markdown; charset=utf-8' }, 'words.md', 'text/markdown'],
    ['print(1)', { filename: 'C:\\x\\..\\tool.py' }, 'tool.py.txt', 'text/plain'],
  ])('%j with %j is %s', (text, options, filename, contentType) => {
    expect(openText(text, { ...limits, ...options })).toMatchObject({ filename, contentType });
  });

  test('a pasted file is recognised', () => {
    expect(whyText(pdf)).toMatch('the bytes of a PDF');
    expect(whyText(docx.toString('latin1'))).toMatch('zip or Office');
    expect(whyText(base64(pdf))).toMatch('text holds base64');
    expect(whyText(base64(pdf).replace(/.{76}/g, '$&\n'))).toMatch('text holds base64');
    expect(whyText(`data:application/pdf;base64,${base64(pdf)}`)).toMatch('text holds base64');
    expect(whyText('a\0b')).toMatch('binary data');
    expect(whyText(' \n')).toMatch('empty');
    expect(whyText('words', { filename: 'a.pdf' })).toMatch('text cannot be a PDF');
    expect(whyText('word '.repeat(200_001))).toMatch('limit');
    expect(whyText(`-----BEGIN PRIVATE KEY-----\n${'A'.repeat(64)}\n`)).toMatch('key material');
  });

  test('words without spaces are still words', () => {
    for (const text of [
      'word\n'.repeat(200),
      'Donaudampfschifffahrt',
      '日本語'.repeat(300),
      'one/two/three\n'.repeat(50),
    ]) {
      expect(whyText(text, { filename: 'a.txt' })).toBe('opened a.txt');
    }
  });
});

describe('base64', () => {
  test('as tools and models write it', async () => {
    const padded = Buffer.from(`${pdf}??>>`);
    for (const content of [
      padded,
      Buffer.concat([padded, Buffer.from('\n')]),
      Buffer.concat([padded, Buffer.from('\n\n')]),
    ]) {
      const plain = base64(content);
      const urlSafe = plain.replaceAll('+', '-').replaceAll('/', '_');
      expect(urlSafe).not.toBe(plain);
      const forms = [
        plain,
        ` ${plain.replace(/.{76}/g, '$&\r\n')}\n`,
        urlSafe,
        urlSafe.replace(/=+$/, ''),
        `data:application/pdf;name=a.pdf;base64,${plain}`,
      ];
      for (const form of forms) {
        const source = openBase64(form, {
          ...limits,
          filename: 'a.pdf',
          sha256: sha256(content).toUpperCase(),
        });
        expect(await bytesOf(source)).toEqual(content);
        expect(source.sha256).toBe(sha256(content));
      }
    }
  });

  test('the type comes from the name, the MIME type, the data: prefix or the bytes', () => {
    expect(whyBase64(base64(pdf))).toBe('opened document.pdf');
    expect(whyBase64(base64(docx))).toBe('opened document.docx');
    expect(whyBase64(base64('# A'), { filename: 'a.md' })).toBe('opened a.md');
    expect(whyBase64(base64('# A'), { contentType: 'text/markdown' })).toBe('opened document.md');
    expect(whyBase64(`data:text/csv;base64,${base64('a,b')}`, { filename: 'table' })).toBe(
      'opened table.csv',
    );
    expect(whyBase64(base64('# A'))).toMatch('pass filename');
    expect(whyBase64(base64('# A'), { filename: 'a.png' })).toMatch('.png file cannot');
    expect(whyBase64(base64(zip('ppt/a')), { filename: 'a.pptx' })).toMatch('only the embedded engine');
    expect(whyBase64(base64(zip('ppt/a')), { filename: 'a.pptx', local: true })).toBe('opened a.pptx');
  });

  test('damage is refused', () => {
    const whole = base64(pdf);
    const cases: [string, RegExp][] = [
      [`K${whole.slice(1)}`, /not a PDF/],
      [whole.slice(0, -32), /cut short: the end of a PDF/],
      [whole.slice(0, -33), /cut short.*multiple of 4/],
      [whole.slice(0, -34), /cut short.*multiple of 4/],
      [whole.slice(0, -35), /cut short.*multiple of 4/],
      [base64(docx).slice(0, -40), /cut short|not a PDF/],
      [`${whole.slice(0, 40)}…${whole.slice(43)}`, /"…" at character 41/],
      [`${whole.slice(0, 40)}=${whole.slice(41)}`, /"=" at character 41/],
      ['', /is empty/],
      ['data:text/plain,hello', /not base64/],
      ['QR==', /do not fit together/],
    ];
    for (const [data, expected] of cases) expect(whyBase64(data, { filename: 'a.pdf' })).toMatch(expected);
    expect(whyBase64(base64(docx).slice(0, -40), { filename: 'a.docx' })).toMatch('cut short');
    expect(whyBase64(whole, { sha256: sha256('other') })).toMatch('does not have the sha256 you gave');
    expect(whyBase64(whole, { sha256: 'abc' })).toMatch('64 hexadecimal digits');
    expect(whyBase64(base64(Buffer.alloc(1_000_100, 'a')), { filename: 'a.txt' })).toMatch('limit');
  });

  test('whatever is encoded comes back, whatever is cut is refused', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 400 }),
        fc.nat(),
        fc.boolean(),
        (body, at, urlSafe) => {
          const content = Buffer.concat([Buffer.from(pdf), body, Buffer.from('\n%%EOF\n')]);
          const encoded = content.toString(urlSafe ? 'base64url' : 'base64');
          const source = openBase64(encoded, { ...limits, filename: 'a.pdf', sha256: sha256(content) });
          expect(source.sha256).toBe(sha256(content));
          const letters = encoded.replace(/=+$/, '');
          const cut = letters.slice(0, at % letters.length);
          expect(() => openBase64(cut, { ...limits, filename: 'a.pdf', sha256: sha256(content) })).toThrow(
            expect.objectContaining({ name: 'Refusal' }),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  test('any string is opened or refused, never a crash', () => {
    const any = fc.oneof(fc.string({ unit: 'binary', maxLength: 500 }), fc.base64String({ maxLength: 500 }));
    const name = fc.option(fc.string({ unit: 'binary', maxLength: 300 }), { nil: undefined });
    fc.assert(
      fc.property(any, name, name, (data, filename, contentType) => {
        const outcome = [
          whyBase64(data, { filename, contentType }),
          whyText(data, { filename, contentType }),
        ];
        for (const each of outcome) expect(each.length).toBeLessThan(1000);
      }),
      { numRuns: 500 },
    );
  });
});
