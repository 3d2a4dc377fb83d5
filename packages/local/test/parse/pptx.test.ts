import { expect, test } from 'vitest';
import { parseDocument } from '../../src/parse/parse.ts';
import { outline } from '../support/tree.ts';
import { office, relations } from '../support/zip.ts';

const p = (text: string, level = 0) => `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${text}</a:t></a:r></a:p>`;
const shape = (kind: string, paragraphs: string) =>
  `<p:sp><p:nvSpPr><p:nvPr>${kind ? `<p:ph type="${kind}"/>` : '<p:ph idx="1"/>'}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs}</p:txBody></p:sp>`;
const cell = (text: string) => `<a:tc><a:txBody>${p(text)}</a:txBody></a:tc>`;
const table = `<p:graphicFrame><a:tbl><a:tr>${cell('Boat')}${cell('Crew')}</a:tr><a:tr>${cell('Emma')}${cell('4')}</a:tr></a:tbl></p:graphicFrame>`;
const slide = (content: string) =>
  `<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>${content}</p:spTree></p:cSld></p:sld>`;

test('slides are pages in the order of the show, with lists, tables and notes', async () => {
  const bytes = office('ppt/presentation.xml', {
    'ppt/presentation.xml':
      '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="257" r:id="r2"/><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relations({
      r1: ['slide', 'slides/slide1.xml'],
      r2: ['slide', 'slides/slide2.xml'],
    }),
    'ppt/slides/slide1.xml': slide(shape('sldNum', p('2')) + table),
    'ppt/slides/slide2.xml': slide(
      shape('ctrTitle', p('Spring plan')) +
        shape('', p('Paint') + p('hull first', 1) + p('Rig')) +
        shape('ftr', p('Confidential')),
    ),
    'ppt/slides/_rels/slide2.xml.rels': relations({ n: ['notesSlide', '../notesSlides/notesSlide1.xml'] }),
    'ppt/notesSlides/notesSlide1.xml': slide(shape('sldImg', '') + shape('body', p('Ask for volunteers.'))),
  });
  const parsed = await parseDocument({ bytes, filename: 'a.pptx' });
  expect(parsed).toMatchObject({ title: 'Spring plan', pageCount: 2 });
  expect(outline(parsed)).toEqual([
    '# Spring plan',
    'text: - Paint /   - hull first / - Rig',
    'text: Speaker notes: Ask for volunteers.',
    '# Slide 2',
    'table[1] Boat | Crew / Emma | 4',
  ]);
  expect(parsed.blocks.map((block) => block.page)).toEqual([1, 1, 1, 2, 2]);
});
