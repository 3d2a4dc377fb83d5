import { describe, expect, test } from 'vitest';
import { clausesOf } from '../../src/ranking/clauses.ts';
import { namedSources } from '../../src/ranking/named-sources.ts';
import { readQuestion } from '../../src/ranking/question.ts';

describe('clauses', () => {
  test.each([
    ['What is the net income?', ['question']],
    ['net income 2018', ['question']],
    ['Give a response in millions.', ['question']],
    ['What is the net income? Round to two decimals.', ['question', 'instruction']],
    [
      'Is the margin rising? If it is not a useful metric, then state that and explain why.',
      ['question', 'condition'],
    ],
    ['Using the balance sheet, what is the net debt?', ['leadIn', 'question']],
    ['Quick ratio is defined as: liquid assets over debts. What is it in 2020?', ['definition', 'question']],
    ['We bought a pump in May. How is it cleaned?', ['context', 'question']],
  ])('%s', (text, kinds) => {
    expect(clausesOf(text).map(({ kind }) => kind)).toEqual(kinds);
  });
});

test.each([
  ['Rely on the cash flow statement.', ['cash flow statement']],
  ['Look in the balance sheet and the income statement.', ['balance sheet', 'income statement']],
  ['What does the section “Seals and rings” say?', ['Seals and rings']],
  ['How old is the pump?', []],
])('sources named in: %s', (text, sources) => {
  for (const source of sources) expect(namedSources(text)).toContainEqual(expect.stringContaining(source));
  if (sources.length === 0) expect(namedSources(text)).toEqual([]);
});

test('what is asked weighs 1, how to answer little, a named source 2, a condition nothing', () => {
  const { weights, asksQuantity } = readQuestion(
    'What were the expenditures? Give a response by relying on the cash flow statement. If unclear, then state the reason.',
  );
  expect(weights.get('expenditur')).toBe(1);
  expect(weights.get('cash')).toBe(2);
  expect(weights.get('respons')).toBeLessThan(0.1);
  expect(weights.has('reason')).toBe(false);
  expect(asksQuantity).toBe(false);
});

test('questions about quantities are told from others', () => {
  expect(readQuestion('How much did sales grow?').asksQuantity).toBe(true);
  expect(readQuestion('Who leads the company?').asksQuantity).toBe(false);
});

test('an empty question has no terms', () => {
  expect(readQuestion('  ').weights.size).toBe(0);
  expect(readQuestion('the of and').weights.size).toBe(0);
});
