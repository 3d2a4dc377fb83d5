import { describe, expect, it } from 'vitest';
import { stem } from '../src/analysis/analyse.ts';
import { readQuestion } from '../src/ranking/question.ts';

const weightOf = (question: string, word: string) => readQuestion(question).weights.get(stem(word)) ?? 0;

describe('other wordings', () => {
  it.each([
    ['What was the capital expenditure in 2018?', 'property'],
    ['How high was capex?', 'equipment'],
    ['What is the FCF of the year?', 'operating'],
    ['Which legal battles are pending?', 'litigation'],
  ])('%s also looks for "%s"', (question, word) => {
    expect(weightOf(question, word)).toBeGreaterThan(0);
    expect(weightOf(question, word)).toBeLessThan(1);
  });

  it('takes nothing from a word that was used', () => {
    expect(weightOf('What are the net sales and the revenue?', 'revenue')).toBe(1);
  });

  it('knows that a figure is asked for', () => {
    expect(readQuestion('3M capex 2018').asksQuantity).toBe(true);
    expect(readQuestion('Who are the rivals?').asksQuantity).toBe(false);
  });

  it.each([
    ['Who wrote the handbook?', ['wrote', 'handbook']],
    ['Who is the CFO?', ['cfo']],
    ['How do I reach the DPO?', ['reach', 'dpo']],
    ['What is the employee turnover?', ['employee', 'turnover']],
    ['How can we leverage data acquisition?', ['leverage', 'data', 'acquisition']],
    ['How much of it is there, and how many?', []],
  ])('adds nothing to: %s', (question, words) => {
    expect([...readQuestion(question).weights.keys()]).toEqual(words.map((word) => stem(word)));
  });
});
