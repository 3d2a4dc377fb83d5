import { expect, test } from 'vitest';
import { parseDocument } from '../../src/parse/parse.ts';
import { outline } from '../support/tree.ts';
import { office, relations } from '../support/zip.ts';

const STYLES = `<w:styles xmlns:w="w">
<w:style w:styleId="berschrift1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:styleId="Own"><w:name w:val="Own style"/><w:basedOn w:val="H2"/></w:style>
<w:style w:styleId="H2"><w:name w:val="heading 2"/><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:styleId="T"><w:name w:val="Title"/></w:style>
<w:style w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>
<w:style w:styleId="Code"><w:name w:val="HTML Preformatted"/></w:style></w:styles>`;

const NUMBERING = `<w:numbering xmlns:w="w">
<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1"/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="o"/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="3"/><w:numFmt w:val="lowerRoman"/><w:lvlText w:val="%2)"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>`;

const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const p = (content: string, properties = '') =>
  `<w:p><w:pPr>${properties}</w:pPr>${content.startsWith('<') ? content : run(content)}</w:p>`;
const styled = (style: string, text: string) => p(text, `<w:pStyle w:val="${style}"/>`);
const item = (level: number, text: string) =>
  p(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="2"/></w:numPr>`);
const cell = (text: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${p(text)}</w:tc>`;
const row = (cells: string, properties = '') => `<w:tr><w:trPr>${properties}</w:trPr>${cells}</w:tr>`;

function docx(body: string) {
  return office('word/document.xml', {
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="w" xmlns:mc="mc"><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': relations({
      r1: ['styles', 'styles.xml'],
      r2: ['numbering', 'numbering.xml'],
      r3: ['footnotes', 'footnotes.xml'],
    }),
    'word/styles.xml': STYLES,
    'word/numbering.xml': NUMBERING,
    'word/footnotes.xml': `<w:footnotes xmlns:w="w"><w:footnote w:type="separator" w:id="0"><w:p/></w:footnote><w:footnote w:id="2">${p('Measured at noon.')}</w:footnote></w:footnotes>`,
  });
}

const parse = (body: string) => parseDocument({ bytes: docx(body), filename: 'a.docx' });

test('reads headings with their numbers, lists, tables, code and footnotes; leaves out contents and deletions', async () => {
  const parsed = await parse(
    [
      styled('T', 'Tide tables'),
      styled('TOC1', 'Scope 1'),
      styled('berschrift1', 'Scope'),
      p(
        `${run('These tables ')}${run('do not ', '<w:vanish/>')}${run('hold')}<w:del>${run('gone')}</w:del><w:r><w:footnoteReference w:id="2"/></w:r>`,
      ),
      styled('Own', 'Ports'),
      item(0, 'Oslo'),
      item(1, 'inner'),
      item(0, 'Bergen'),
      styled('Own', 'Heights'),
      `<w:tbl>${row(cell('Port') + cell('High', '<w:gridSpan w:val="2"/>'), '<w:tblHeader/>')}${row(cell('Oslo', '<w:vMerge w:val="restart"/>') + cell('1.2') + cell('1.4'))}${row(cell('', '<w:vMerge/>') + cell('0.9') + cell('1.0'))}</w:tbl>`,
      styled('berschrift1', 'Use'),
      styled('Code', 'a = 1'),
      styled('Code', '  b = 2'),
    ].join(''),
  );
  expect(parsed.title).toBe('Tide tables');
  expect(outline(parsed)).toEqual([
    '# 1 Scope',
    'text: These tables hold',
    'text: Note: Measured at noon.',
    '## 1.1 Ports',
    'text: - Oslo /   iii) inner / - Bergen',
    '## 1.2 Heights',
    'table[1] Port | High / Oslo | 1.2 | 1.4 / Oslo | 0.9 | 1.0',
    '# 2 Use',
    'code: a = 1 /   b = 2',
  ]);
});

test('pages are those that Word last broke', async () => {
  const parsed = await parse(
    `${p('one')}${p('<w:r><w:lastRenderedPageBreak/><w:t>two</w:t></w:r>')}${p('three')}`,
  );
  expect(parsed.pageCount).toBe(2);
  expect(parsed.blocks.map((block) => block.page)).toEqual([1, 1, 2]);
});

test('without heading styles, short lines in bold are headings; text boxes are read once', async () => {
  const box = `<w:r><mc:AlternateContent><mc:Choice><w:txbxContent>${p('boxed')}</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>${p('boxed')}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r>`;
  const parsed = await parse(
    `${p(run('Bold title', '<w:b/>'))}${p(`${run('Some ')}${run('bold', '<w:b/>')}`)}${p(box)}`,
  );
  expect(outline(parsed)).toEqual(['# Bold title', 'text: Some bold', 'text: boxed']);
});
