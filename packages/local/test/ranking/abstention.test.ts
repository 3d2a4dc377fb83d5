import { describe, expect, test } from 'vitest';
import { namesIn, whyUnrelated } from '../../src/ranking/abstention.ts';
import type { Segment } from '../../src/store/segment-reader.ts';
import { temporaryFolder } from '../support/engine.ts';
import { segment } from '../support/segment.ts';

test.each([
  ['What did Boeing earn in FY2022?', ['Boeing']],
  ['How much does the pump of Maria Sandoval cost in 3M stores?', ['Maria Sandoval', '3M']],
  ['Boeing is large. What did it earn? Answer in the style of Hemingway.', []],
  ['what did boeing earn?', []],
  ['What does Section 7 say of payments in July?', []],
  ['Who is the CEO of the company?', []],
  ['When did CEO Maria Sandoval join?', ['Maria Sandoval']],
  ['Wie hoch war der Umsatz im Geschäftsjahr?', []],
  ['Total Net Revenue of Acme Pumps', []],
])('names in: %s', (question, names) => {
  expect(namesIn(question).map(({ text }) => text)).toEqual(names);
});

/** A report of twenty sections on one year and the one before, with a table of what is due later. */
function report(company: string, year: number): Segment {
  const talk = Array.from({ length: 20 }, (_, i) => ({
    title: `Part ${i}`,
    text: `In ${year} the sales of ${company} in region ${i} were higher than in ${year - 1}, and so were the costs of it.`,
  }));
  const due = {
    title: 'Leases',
    text: `What is due: ${year + 3} | 12 and ${year + 4} | 15. The best time to buy is now.`,
  };
  return segment(temporaryFolder(), `${company.replace(' ', '')}_${year}.pdf`, [...talk, due]);
}

describe('a question about somebody else', () => {
  const acme = () => report('Acme Pumps', 2018);

  test('is told so', () => {
    expect(whyUnrelated('What were the sales of Umbrella?', [acme()])).toContain('never mentions Umbrella');
    expect(whyUnrelated('What were the sales of Acme Pumps?', [acme()])).toBeUndefined();
  });

  test('also where the document holds the words of the name apart', () => {
    expect(
      whyUnrelated('How high were the sales and costs of Best Costs in each region?', [acme()]),
    ).toContain('never mentions Best Costs');
    expect(
      whyUnrelated('How high were the sales and costs of Pumps Acme in each region?', [acme()]),
    ).toBeUndefined();
  });

  test('is not refused while half of the names are there', () => {
    expect(whyUnrelated('Did the sales of Acme grow in Lisbon?', [acme()])).toBeUndefined();
  });

  test('of several documents is refused when none can answer', () => {
    const documents = [acme(), report('Umbrella', 2020)];
    expect(whyUnrelated('What were the sales of Initech?', documents)).toContain('never mentions Initech');
    expect(whyUnrelated('What were the sales of Umbrella?', documents)).toBeUndefined();
  });

  test('of several short documents is not: they may call it otherwise', () => {
    const dir = temporaryFolder();
    const text =
      'The drug is given to the patients in the morning, and it is what they had before that works.';
    const notes = ['one', 'two'].map((name) => segment(dir, name, [{ text }]));
    expect(whyUnrelated('Is the effect of Rapamycin the same?', notes)).toBeUndefined();
    expect(whyUnrelated('Is the effect of Rapamycin the same?', notes.slice(0, 1))).toContain('Rapamycin');
  });
});

test.each([
  ['a table', 'order | customer | amount\n17 | Acme | 300\n18 | Initech | 410', 'never mentions Umbrella'],
  ['Chinese', '二零二三年公司的收入为三百万元 2023', undefined],
  [
    'German',
    'Der Umsatz der Firma war in diesem Jahr um ein Drittel höher als im Jahr davor, und das ist gut.',
    undefined,
  ],
])('in a document whose language is not English: %s', (_, text, reason) => {
  const one = segment(temporaryFolder(), 'one', [{ text }]);
  const question = 'What was the order amount of Umbrella in 2023?';
  expect(whyUnrelated(question, [one])?.slice(13)).toEqual(reason && expect.stringContaining(reason));
});

describe('a question about a period', () => {
  const acme = () => report('Acme', 2018);

  test.each([
    'What were the sales of Acme in FY2022?',
    "What were the sales of Acme in Q3 FY'22?",
    'What did Acme sell in fiscal year 2022?',
    'What were the sales of Acme in FY2009?',
    'How did sales of Acme grow between FY2021 and FY2022?',
  ])('that the report is not about: %s', (question) => {
    expect(whyUnrelated(question, [acme()])).toContain('reports on 2018');
  });

  test.each([
    ['its own', 'What were the sales of Acme in FY2018?'],
    ['the one before', 'What were the sales of Acme in FY2017?'],
    ['a comparison with its own', 'How did sales of Acme grow from FY2018 to FY2022?'],
    ['five years back, as in tables of five years', 'What were the sales of Acme in FY2014?'],
    ['later, of what is due', 'How much is due in FY2022?'],
    ['a length of time', 'Does the fiscal year of Acme have 52 or the fiscal 53 weeks?'],
    ['a year that is no period', 'What happened at Acme in 2022?'],
  ])('that it may tell of: %s', (_, question) => {
    expect(whyUnrelated(question, [acme()])).toBeUndefined();
  });

  test('is not refused by a document that reports on no year', () => {
    const guide = segment(temporaryFolder(), 'guide', [
      {
        title: 'Pumps',
        text: 'The pump was made in 2018, and it is to be cleaned after each use with the brush.',
      },
      {
        title: 'Seals',
        text: 'The seals of the pump wear out in a year or two, and are to be had from the maker.',
      },
    ]);
    expect(whyUnrelated('Which seals are sold in FY2022?', [guide])).toBeUndefined();
  });
});
