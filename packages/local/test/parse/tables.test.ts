import { expect, test } from 'vitest';
import { parseDocument } from '../../src/parse/parse.ts';
import { cutSections } from '../../src/sections.ts';
import { outline, parseText } from '../support/tree.ts';
import { office, relations } from '../support/zip.ts';

const c = (ref: string, value: string, type = 'n', style = 0) =>
  `<c r="${ref}" t="${type}" s="${style}"><v>${value}</v></c>`;
const inline = (ref: string, text: string) => `<c r="${ref}" t="inlineStr"><is><t>${text}</t></is></c>`;
const row = (number: number, cells: string, attributes = '') =>
  `<row r="${number}" ${attributes}>${cells}</row>`;

test('XLSX: sheets are pages, values read as shown, blank rows part tables', async () => {
  const bytes = office('xl/workbook.xml', {
    'xl/workbook.xml': `<workbook xmlns:r="r"><workbookPr/><sheets><sheet name="Plan" r:id="r2"/><sheet name="Secret" state="hidden" r:id="r3"/><sheet name="Data" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations({
      r1: ['worksheet', 'worksheets/sheet1.xml'],
      r2: ['worksheet', 'worksheets/sheet2.xml'],
      r3: ['worksheet', 'worksheets/sheet1.xml'],
      r4: ['sharedStrings', 'sharedStrings.xml'],
      r5: ['styles', 'styles.xml'],
    }),
    'xl/sharedStrings.xml':
      '<sst><si><t>Item</t></si><si><r><t>Net </t></r><r><t>sales</t></r><rPh><t>x</t></rPh></si></sst>',
    'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="0.0&quot;days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="10"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${row(1, c('A1', '0', 's') + inline('B1', 'Due') + inline('D1', 'Share'))}${row(2, c('A2', '1', 's') + c('B2', '45292', 'n', 1) + c('D2', '0.125', 'n', 2))}${row(3, inline('A3', 'gone'), 'hidden="1"')}</sheetData></worksheet>`,
    'xl/worksheets/sheet2.xml': `<worksheet><sheetData>${row(1, inline('A1', 'First table'))}${row(2, inline('A2', 'a') + inline('B2', 'b') + inline('C2', 'c'))}${row(3, c('A3', '0.30000000000000004') + c('C3', '7', 'n', 3))}${row(5, inline('A5', 'A remark.'))}</sheetData></worksheet>`,
  });
  const parsed = await parseDocument({ bytes, filename: 'a.xlsx' });
  expect(outline(parsed)).toEqual([
    '# Plan',
    '## First table',
    'table[1] a | b | c / 0.3 |  | 7',
    'text: A remark.',
    '# Data',
    'table[1] Item | Due | Share / Net sales | 2024-01-01 | 12.5%',
  ]);
  expect(parsed.blocks.map((block) => block.page)).toEqual([1, 1, 1, 1, 2, 2]);
  expect(cutSections(parsed).at(-1)?.rowLabels).toEqual(['Net sales']);
});

test('CSV: quotes, separators and line ends; long tables repeat their header', async () => {
  const parsed = await parseText(
    'fleet list.csv',
    '\ufeffname;length\r\n"Emma; II";"12,5"\r\n\r\n"two\nlines";3\r\n',
  );
  expect(outline(parsed)).toEqual([
    '# fleet list',
    'table[1] name | length / Emma; II | 12,5 / two lines | 3',
  ]);
  const long = `boat\tyear\tcrew\n${Array.from({ length: 400 }, (_, i) => `boat ${i}\t${1900 + i}\t${i % 7}`).join('\n')}`;
  const sections = cutSections(await parseText('long.tsv', long));
  expect(sections.length).toBeGreaterThan(3);
  expect(
    sections.every((section) => section.text.startsWith('boat | year | crew\n') && section.title === 'long'),
  ).toBe(true);
});

test('rows past the limit are refused, not cut in silence', async () => {
  const input = { bytes: Buffer.from('a,b\n1,2\n3,4\n5,6'), filename: 'a.csv', limits: { rows: 3 } };
  await expect(parseDocument(input)).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringContaining('3 table rows'),
  });
});
