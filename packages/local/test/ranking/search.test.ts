import { expect, test } from 'vitest';
import { search } from '../../src/ranking/search.ts';
import { largest } from '../../src/ranking/top.ts';
import type { Segment } from '../../src/store/segment-reader.ts';
import { temporaryFolder } from '../support/engine.ts';
import { type Draft, segment } from '../support/segment.ts';

const filler = (n: number): Draft[] =>
  Array.from({ length: n }, (_, i) => ({
    title: `Filler ${i}`,
    text: `Nothing of note number${i} happened here today.`,
  }));

function ranked(segments: readonly Segment[], question: string, limit = 10): string[] {
  return search(segments, question, limit).map(({ segment: { meta }, number }) => `${meta.id}:${number}`);
}

test('rare words count more than common ones, and headings more than text', () => {
  const one = segment(temporaryFolder(), 'one', [
    { title: 'Seals', text: 'They wear out.' },
    {
      title: 'Other',
      text: 'About seals and pumps we say little here, and more elsewhere in this long text.',
    },
    ...filler(10),
  ]);
  expect(ranked([one], 'seals')).toEqual(['one:0', 'one:1']);
});

test('of two sections with the same words the one that has them together is first', () => {
  const one = segment(temporaryFolder(), 'one', [
    {
      text: 'Water is cheap. The pump runs all day, says the manual on water levels, and a red pump is loud.',
    },
    { text: 'The water pump is cheap, runs all day, says the manual on levels; red is loud: a water pump.' },
    ...filler(10),
  ]);
  expect(ranked([one], 'water pump')[0]).toBe('one:1');
});

test('headings without text are never answers', () => {
  const one = segment(temporaryFolder(), 'one', [
    { title: 'Pumps', text: '' },
    { title: 'Small', headingPath: ['Pumps'], text: 'Small ones.' },
    ...filler(3),
  ]);
  expect(ranked([one], 'pumps')).toEqual(['one:1']);
});

test('a primary table answers a question about a quantity, even when words are scarce', () => {
  const rows = ['Net income | 4 | 5', 'Total debt | 30 | 31', 'Gross profit | 9 | 8'];
  const one = segment(temporaryFolder(), 'one', [
    { title: 'Statement', text: rows.join('\n'), rowLabels: ['Net income', 'Total debt', 'Gross profit'] },
    { title: 'Talk', text: 'Net income and gross profit fell; total debt rose. The margin did too.' },
    { title: 'More', text: 'Gross profit and net income follow total debt.' },
    ...filler(10),
  ]);
  expect(ranked([one], 'How much did the margin change?').slice(0, 2).sort()).toEqual(['one:0', 'one:1']);
});

test('across documents, the one that the question names comes first', () => {
  const dir = temporaryFolder();
  const text = 'Revenue was higher because of prices.';
  const acme = segment(dir, 'ACMEPUMPS_2021_10K.pdf', [...filler(30), { title: 'Revenue', text }]);
  const other = segment(dir, 'OTHER_2022_10K.pdf', [
    ...filler(30),
    { title: 'Revenue', text: `Revenue. ${text} Revenue.` },
  ]);
  expect(ranked([acme, other], 'revenue')[0]).toBe('OTHER_2022_10K.pdf:30');
  expect(ranked([acme, other], 'What was the revenue of Acme Pumps in 2021?')[0]).toBe(
    'ACMEPUMPS_2021_10K.pdf:30',
  );
});

test('among documents of a few sections a matching name is not worth more than matching text', () => {
  const dir = temporaryFolder();
  const named = segment(dir, 'PUMPS_2021.pdf', [{ text: 'A word on pumps.' }, { text: 'Nothing else.' }]);
  const about = segment(dir, 'OTHER.pdf', [{ text: 'Seals of pumps wear out, and seals cost little.' }]);
  expect(ranked([named, about], 'seals of pumps')[0]).toBe('OTHER.pdf:0');
});

test('a question without known words finds nothing', () => {
  expect(ranked([segment(temporaryFolder(), 'one', filler(3))], 'xylophone')).toEqual([]);
  expect(ranked([], 'xylophone')).toEqual([]);
});

test('the largest values come in order, ties by place', () => {
  const values = Float64Array.from({ length: 5000 }, (_, i) => (i * 7919) % 1000);
  const expected = [...values.keys()]
    .sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b)
    .slice(0, 7);
  expect(largest(values, 7)).toEqual(expected);
  expect(largest(Float64Array.of(0, 0), 3)).toEqual([]);
});
