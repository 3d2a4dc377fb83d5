import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Block } from '../src/document.ts';
import { cutSections } from '../src/sections.ts';

const words = (n: number, word = 'word') => Array.from({ length: n }, (_, i) => `${word}${i}`).join(' ');
const heading = (level: number, text: string, page?: number): Block => ({
  kind: 'heading',
  level,
  text,
  ...(page ? { page } : {}),
});
const text = (n: number, page?: number): Block => ({
  kind: 'text',
  text: words(n),
  ...(page ? { page } : {}),
});
const cut = (...blocks: Block[]) => cutSections({ title: '', blocks });
const count = (s: string) => s.split(/\s+/).filter(Boolean).length;

test('headings make a tree with paths, depths and parents', () => {
  const sections = cut(
    heading(1, 'A'),
    text(300),
    heading(2, 'B'),
    text(300),
    heading(3, 'C'),
    text(300),
    heading(1, 'D'),
    text(300),
  );
  expect(sections.map((s) => [s.title, s.headingPath, s.depth, s.parent])).toEqual([
    ['A', [], 0, -1],
    ['B', ['A'], 1, 0],
    ['C', ['A', 'B'], 2, 1],
    ['D', [], 0, -1],
  ]);
});

test('a heading with no text of its own takes in a small first child, or stands with no text', () => {
  const small = cut(heading(1, 'Item 1'), heading(2, 'Overview'), text(200), heading(2, 'Risks'), text(200));
  expect(small.map((s) => [s.title, s.titles, s.parent])).toEqual([
    ['Item 1', ['Item 1', 'Overview'], -1],
    ['Risks', ['Risks'], 0],
  ]);
  expect(small[0]?.text).toMatch(/^## Overview\n\nword0 /);
  const large = cut(heading(1, 'Part'), heading(2, 'Item'), text(600));
  expect(large.map((s) => [s.title, s.parent, count(s.text) > 0])).toEqual([
    ['Part', -1, false],
    ['Item', 0, true],
    ['Item', 0, true],
  ]);
});

test('small neighbours merge under one parent only, at most a page apart, and never into a table', () => {
  const table: Block = {
    kind: 'table',
    headerRows: 1,
    rows: Array.from({ length: 30 }, (_, i) => `row ${i} | ${i} | 5`),
  };
  expect(cut(heading(1, 'A'), text(50), heading(1, 'B'), text(50)).map((s) => s.titles)).toEqual([
    ['A', 'B'],
  ]);
  expect(cut(heading(1, 'A', 1), text(50, 1), heading(1, 'B', 3), text(50, 3))).toHaveLength(2);
  const nested = cut(heading(1, 'A'), text(300), heading(2, 'B'), text(20), heading(1, 'C'), text(20));
  expect(nested.map((s) => s.titles)).toEqual([['A'], ['B'], ['C']]);
  expect(cut(heading(1, 'A'), text(50), heading(1, 'T'), table).map((s) => s.title)).toEqual(['A', 'T']);
});

test('parts that are counted off by name stand alone, however short', () => {
  const sections = cut(
    heading(1, 'Item 3. Legal Proceedings'),
    text(20),
    heading(1, 'Item 4. Mine Safety'),
    text(2),
  );
  expect(sections.map((s) => s.title)).toEqual(['Item 3. Legal Proceedings', 'Item 4. Mine Safety']);
});

test('a long text is cut near page ends and keeps its heading', () => {
  const sections = cut(heading(1, 'A', 1), text(220, 1), text(100, 2), text(200, 2), text(200, 3));
  expect(sections.map((s) => [s.title, s.pageStart, s.pageEnd])).toEqual([
    ['A', 1, 1],
    ['A', 2, 2],
    ['A', 3, 3],
  ]);
  expect(sections.every((s) => s.parent === -1 && s.depth === 0)).toBe(true);
});

test('a cut table repeats its header, keeps rows whole and names its pages and labels', () => {
  const rows = [
    'Year | 2023 | 2024',
    ...Array.from({ length: 200 }, (_, i) => `Line item ${'abcdefgh'[i % 8]} | ${i} | (${i})`),
  ];
  const sections = cut(heading(1, 'T', 4), {
    kind: 'table',
    headerRows: 1,
    rows,
    rowPages: rows.map((_, i) => (i < 100 ? 4 : 5)),
  });
  expect(sections.length).toBeGreaterThan(2);
  for (const section of sections) expect(section.text.startsWith('Year | 2023 | 2024\nLine item')).toBe(true);
  const read = sections.flatMap((s) => s.text.split('\n').slice(1));
  expect(read).toEqual(rows.slice(1));
  expect([sections[0]?.pageStart, sections.at(-1)?.pageEnd]).toEqual([4, 5]);
  expect(sections[0]?.rowLabels[0]).toBe('Line item a');
});

test('code and lists stay whole where a section can hold them', () => {
  const list = Array.from({ length: 90 }, (_, i) => `- entry ${i} and more`).join('\n');
  const sections = cut(
    heading(1, 'A'),
    text(200),
    { kind: 'text', text: list.slice(0, 1_200) },
    { kind: 'code', text: 'let a = `b`;' },
  );
  expect(sections.map((s) => s.text.includes('- entry 0 '))).toEqual([false, true]);
  expect(sections[1]?.text).toContain('```\nlet a = `b`;\n```');
});

test('no section exceeds 500 words, no text is lost, and every parent stands before its children', () => {
  const block = fc.oneof(
    fc.record({
      kind: fc.constant('heading' as const),
      level: fc.integer({ min: 1, max: 20 }),
      text: fc.constantFrom('H', 'Heading two'),
    }),
    fc.record({
      kind: fc.constantFrom('text' as const, 'code' as const),
      text: fc.integer({ min: 1, max: 1_200 }).map((n) => words(n, 't')),
    }),
    fc.record({
      kind: fc.constant('table' as const),
      headerRows: fc.integer({ min: 0, max: 5 }),
      rows: fc.array(
        fc.integer({ min: 1, max: 30 }).map((n) => words(n, 'r').replaceAll(' ', ' | ')),
        { minLength: 1, maxLength: 80 },
      ),
    }),
    fc.record({
      kind: fc.constant('text' as const),
      text: fc.constantFrom('x'.repeat(60_000), '漢字かな交じり文。'.repeat(900)),
    }),
  );
  fc.assert(
    fc.property(fc.array(block, { maxLength: 12 }), (blocks) => {
      const sections = cut(...blocks);
      const read = sections.map((s) => s.text).join(' ');
      sections.forEach((section, i) => {
        expect(count(section.text)).toBeLessThanOrEqual(500);
        expect(section.parent).toBeLessThan(i);
        expect(section.depth).toBe(section.headingPath.length);
        if (section.parent >= 0) expect(sections[section.parent]?.title).toBe(section.headingPath.at(-1));
      });
      for (const b of blocks) {
        const tokens =
          b.kind === 'heading' ? [] : (b.kind === 'table' ? b.rows.join(' ') : b.text).split(/\s+/);
        for (const token of new Set(tokens)) expect(read.includes(token.slice(0, 30))).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});
