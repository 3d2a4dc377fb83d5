import { expect, test } from 'vitest';
import { namesIn } from '../../src/ranking/abstention.ts';

test.each([
  ['What did Boeing earn in FY2022?', ['Boeing']],
  ['How much does the pump of Maria Sandoval cost in 3M stores?', ['Maria Sandoval', '3M']],
  ['Boeing is large. What did it earn? Answer in the style of Hemingway.', []],
  ['what did boeing earn?', []],
  ['Wie hoch war der Umsatz im Geschäftsjahr?', []],
  ['Total Net Revenue of Acme Pumps', []],
])('names in: %s', (question, names) => {
  expect(namesIn(question).map(({ text }) => text)).toEqual(names);
});
