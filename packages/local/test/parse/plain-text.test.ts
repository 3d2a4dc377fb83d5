import { expect, test } from 'vitest';
import { parseDocument } from '../../src/parse/parse.ts';
import { outline, parseText } from '../support/tree.ts';

test('finds numbered, named, underlined and capital headings, and no others', async () => {
  const text = [
    'Harbour rules\n=============\nWho may enter.',
    'PART ONE',
    '1 Arrival',
    '1.2 Berths',
    'Boats moor here. It is\nhard-wrapped text.',
    'A line of its own that says something.',
    'A short line',
    'name\tlength\nEmma\t12\nNora\t14',
  ].join('\n\n');
  expect(outline(await parseText('rules.txt', text))).toEqual([
    '# Harbour rules',
    'text: Who may enter.',
    '# PART ONE',
    '## 1 Arrival',
    '### 1.2 Berths',
    'text: Boats moor here. It is / hard-wrapped text.',
    'text: A line of its own that says something.',
    'text: A short line',
    'table[1] name | length / Emma | 12 / Nora | 14',
  ]);
});

test('form feeds are page ends', async () => {
  const parsed = await parseText('paged.txt', 'one\ftwo\n\nthree');
  expect(parsed.pageCount).toBe(2);
  expect(parsed.blocks.map((block) => block.page)).toEqual([1, 2, 2]);
});

test('reads UTF-16 with and without a mark, and Windows-1252', async () => {
  const read = async (bytes: Uint8Array) => outline(await parseDocument({ bytes, filename: 'a.txt' }))[0];
  expect(await read(Buffer.from('\ufeffnaïve łódź', 'utf16le'))).toBe('text: naïve łódź');
  expect(await read(Buffer.from('plain words', 'utf16le'))).toBe('text: plain words');
  expect(await read(Buffer.from('na\xefve \x93quote\x94', 'latin1'))).toBe('text: naïve “quote”');
});
