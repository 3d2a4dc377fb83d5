import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type PdfItem, textWidth, writePdf } from '../../../../scripts/pdf-writer.mjs';
import { parseDocument } from '../../src/parse/parse.ts';
import { checkReadable } from '../../src/parse/pdf/pdf.ts';
import { cutSections } from '../../src/sections.ts';
import { outline } from '../support/tree.ts';

const parse = (bytes: Uint8Array, limits = {}) => parseDocument({ bytes, filename: 'a.pdf', limits });
const SENTENCE = 'The harbour keeps a register of every boat that enters and of the berth it was given.';

/** Lines of running text from `top` down, as wide as a column. */
function column(x: number, top: number, lines: readonly string[], size = 10): PdfItem[] {
  return lines.map((text, i) => ({ text, x, y: top - i * size * 1.3, size }));
}

function fill(count: number, word = 'water'): string[] {
  return Array.from({ length: count }, (_, i) => `${word} ${i} ${SENTENCE}`.slice(0, 84));
}

test('the sample handbook has the tree of its Markdown source', async () => {
  const root = new URL('../../../../samples/', import.meta.url);
  const pdf = await parseDocument({
    bytes: readFileSync(new URL('handbook.pdf', root)),
    filename: 'handbook.pdf',
  });
  const markdown = await parseDocument({
    bytes: readFileSync(new URL('handbook.md', root)),
    filename: 'handbook.md',
  });
  expect(pdf.title).toBe('Halden Instruments Employee Handbook');
  expect([pdf.pageCount, pdf.pagesRead]).toEqual([7, 7]);
  expect(outline(pdf)).toEqual(outline(markdown));
  const remote = cutSections(pdf).find((section) => section.title === '3.2 Remote work');
  expect(remote).toMatchObject({
    pageStart: 3,
    pageEnd: 3,
    headingPath: ['Halden Instruments Employee Handbook', '3 Place of work'],
  });
});

test('drops running heads, feet and page numbers, and joins hyphens', async () => {
  const page = (number: number): PdfItem[] => [
    { text: 'Harbour report 2025', x: 72, y: 800, size: 8 },
    ...column(72, 740, [
      ...fill(20, 'abcd'[number - 1]),
      ...(number === 2
        ? ['The port of the district is run by the admin-', 'istration and by nobody else.']
        : []),
    ]),
    { text: `Page ${number}`, x: 280, y: 30, size: 8 },
  ];
  const parsed = await parse(writePdf({ pages: [1, 2, 3, 4].map(page) }));
  const text = JSON.stringify(parsed.blocks);
  expect(text).not.toMatch(/Harbour report|Page \d/);
  expect(text).toContain('run by the administration and by nobody');
});

test('reads two columns one after the other, with a title across', async () => {
  const left = fill(30, 'left').map((text) => text.slice(0, 44));
  const right = fill(30, 'right').map((text) => text.slice(0, 44));
  const parsed = await parse(
    writePdf({
      pages: [
        [
          { text: 'Currents of the northern coast', x: 120, y: 780, size: 18, font: 'bold' },
          ...column(50, 740, left),
          ...column(310, 740, right),
        ],
      ],
    }),
  );
  expect(outline(parsed)[0]).toBe('# Currents of the northern coast');
  const text = outline(parsed).join(' ');
  expect(text.indexOf('left 29')).toBeGreaterThan(0);
  expect(text.indexOf('left 29')).toBeLessThan(text.indexOf('right 0'));
});

test('rows of a table stay rows, with signs at their numbers, over a page end', async () => {
  const row = (y: number, label: string, a: string, b: string): PdfItem[] => [
    { text: label, x: 72, y },
    { text: '$', x: 330, y },
    { text: a, x: 380 - textWidth(a, 'regular', 10), y },
    { text: b, x: 480 - textWidth(b, 'regular', 10), y },
    { text: ')', x: 480, y },
  ];
  const parsed = await parse(
    writePdf({
      pages: [
        [
          ...column(72, 780, fill(8)),
          { text: 'Results of the year', x: 72, y: 650, size: 14, font: 'bold' },
          { text: '(in thousands)', x: 72, y: 630 },
          { text: '2024', x: 360, y: 630, font: 'bold' },
          { text: '2023', x: 460, y: 630, font: 'bold' },
          ...row(615, 'Net sales', '1,234', '(567'),
          ...row(600, 'Cost of sales', '800', '(1,300'),
        ],
        [
          ...row(780, 'Other income', '12', '(9'),
          { text: 'Earnings of minority', x: 72, y: 765 },
          ...row(753, 'interests', '7', '(8'),
          ...column(72, 700, fill(12)),
        ],
      ],
    }),
  );
  const [table, ...others] = parsed.blocks.filter((block) => block.kind === 'table');
  expect(others).toEqual([]);
  expect(table).toMatchObject({
    headerRows: 1,
    rows: [
      '(in thousands) | 2024 | 2023',
      'Net sales | $1,234 | (567)',
      'Cost of sales | $800 | (1,300)',
      'Other income | $12 | (9)',
      'Earnings of minority interests | $7 | (8)',
    ],
    rowPages: [1, 1, 1, 2, 2],
  });
  expect(cutSections(parsed).find((s) => s.title === 'Results of the year')?.rowLabels).toContain(
    'Net sales',
  );
});

test('a page set sideways is turned, and a paragraph that runs over a page end stays one', async () => {
  const sideways = fill(12, 'turned').map(
    (text, i): PdfItem => ({ text, x: 100 + i * 13, y: 60, angle: 90 }),
  );
  const parsed = await parse(
    writePdf({ pages: [sideways, column(72, 780, [...fill(9), 'and this goes on to the'])] }),
  );
  expect(outline(parsed)[0]).toMatch(/turned 0 .* turned 1 .* turned 11 /);
  const over = await parse(
    writePdf({
      pages: [
        column(72, 780, [...fill(9), 'and this goes on to the']),
        column(72, 780, ['next page of the book.', ...fill(9, 'ice')]),
      ],
    }),
  );
  const across = over.blocks.find(
    (block) => block.kind === 'text' && block.text.includes('goes on to the next page'),
  );
  expect(across).toMatchObject({ page: 1, pageEnd: 2 });
});

test('levels follow the outline where its titles stand on the pages', async () => {
  const part = (title: string): PdfItem[] => [
    { text: title, x: 72, y: 780, size: 13, font: 'bold' },
    ...column(72, 750, fill(20)),
  ];
  const entries = ['Boats', 'Sails', 'Masts', 'Crew'].map((title, i) => ({
    title,
    page: i + 1,
    level: i === 0 || i === 3 ? 1 : 2,
  }));
  const bytes = writePdf({ pages: entries.map((entry) => part(entry.title)), outline: entries });
  expect(outline(await parse(bytes)).filter((line) => line.startsWith('#'))).toEqual([
    '# Boats',
    '## Sails',
    '## Masts',
    '# Crew',
  ]);
});

test('a contents page is not read', async () => {
  const entry = (i: number): PdfItem => ({
    text: `Chapter ${i} about something ${'. '.repeat(20)} ${i * 3}`,
    x: 72,
    y: 760 - i * 20,
  });
  const pages = [
    [{ text: 'Contents', x: 72, y: 790, size: 16, font: 'bold' as const }, ...[1, 2, 3, 4, 5, 6].map(entry)],
    column(72, 780, fill(20)),
  ];
  expect(outline(await parse(writePdf({ pages }))).join()).not.toContain('about something');
});

test('lists become one block, code keeps its lines', async () => {
  const item = (text: string, y: number): PdfItem => ({ text: `• ${text}`, x: 80, y });
  const code = (text: string, y: number, x = 72): PdfItem => ({ text, x, y, font: 'mono' });
  const parsed = await parse(
    writePdf({
      pages: [
        [
          ...column(72, 780, fill(10)),
          item('rope', 620),
          item('tar', 605),
          code('if (wet) {', 560),
          code('bail();', 547, 84),
          code('}', 534),
        ],
      ],
    }),
  );
  expect(outline(parsed).slice(1)).toEqual(['text: - rope / - tar', 'code: if (wet) { /   bail(); / }']);
});

test('pages of pictures only are said to be a scan', async () => {
  await expect(parse(writePdf({ pages: [[], []] }))).rejects.toMatchObject({
    code: 'no_text',
    message: expect.stringContaining('OCR'),
  });
});

test('fonts without a character map are said to be unreadable', () => {
  const item = { x: 72, y: 700, size: 10, width: 90, font: 'f', angle: 0, tag: undefined };
  const page = (text: string) => ({ width: 595, height: 842, roles: new Map(), items: [{ ...item, text }] });
  const raw = (text: string) => ({
    pages: [page(text)],
    fonts: new Map(),
    outline: [],
    title: '',
    taggedHeadings: 0,
  });
  expect(() => checkReadable(raw('\ue001\ue002\ufffd'.repeat(12)))).toThrow(
    expect.objectContaining({ code: 'unreadable_text' }),
  );
  expect(() => checkReadable(raw('\ue001 a bullet of a symbol font among words'))).not.toThrow();
});

test('limits: pages, and items of a page', async () => {
  const bytes = writePdf({ pages: [column(72, 780, fill(10)), column(72, 780, fill(10))] });
  await expect(parse(bytes, { pages: 1 })).rejects.toMatchObject({ code: 'too_large' });
  await expect(parse(bytes, { pageItems: 5 })).rejects.toMatchObject({ code: 'too_slow' });
  const onePageIsShort = writePdf({ pages: [column(72, 780, fill(10)), column(72, 780, fill(1))] });
  const cut = await parse(onePageIsShort, { pageItems: 5 });
  expect(cut.pageCount).toBe(2);
  expect(JSON.stringify(cut.blocks)).not.toContain('water 9');
});

const hostile = fileURLToPath(new URL('../../../../../shared/data/hostile/', import.meta.url));
describe.skipIf(!existsSync(hostile))(`hostile files (skipped without ${hostile})`, () => {
  const read = (name: string) => parse(readFileSync(hostile + name));

  test.each([
    ['empty.pdf', 'empty'],
    ['headeronly.pdf', 'invalid'],
    ['html.pdf', 'invalid'],
    ['notpdf.pdf', 'invalid'],
    ['nopages.pdf', 'invalid'],
    ['zeropages.pdf', 'invalid'],
    ['negcount.pdf', 'invalid'],
    ['cyclictree.pdf', 'invalid'],
    ['enc-userpw.pdf', 'encrypted'],
  ])('%s is refused as %s', async (name, code) => {
    await expect(read(name)).rejects.toMatchObject({ name: 'ParseError', code });
  });

  test.each([
    'ok.pdf',
    'wrongxref.pdf',
    'hugecount.pdf',
    'junkprefix.pdf',
    'junkprefix5k.pdf',
    'js-embedded.pdf',
    'outlinecycle.pdf',
    'enc-emptyuser.pdf',
  ])('%s is read', async (name) => {
    expect(JSON.stringify((await read(name)).blocks)).toMatch(/Hello world 12345|Secret text 777/);
  });

  test.each(['bombtext2M.pdf', 'xobjectbomb.pdf'])(
    '%s, whose one page holds more than a page may, is given up',
    async (name) => {
      await expect(read(name)).rejects.toMatchObject({ code: 'too_slow' });
    },
  );
});
