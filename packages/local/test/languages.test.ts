import { describe, expect, test } from 'vitest';
import { analyse } from '../src/analysis/analyse.ts';
import { languageOfQuestion } from '../src/analysis/detect-language.ts';
import { languageOf } from '../src/analysis/languages.ts';
import { foldText } from '../src/analysis/scripts.ts';
import { readQuestion } from '../src/ranking/question.ts';
import { search } from '../src/ranking/search.ts';
import type { Segment } from '../src/store/segment-reader.ts';
import { HANDBOOK, openEngine, temporaryFolder } from './support/engine.ts';
import { LEASES } from './support/leases.ts';
import { type Draft, segment } from './support/segment.ts';

function ranked(segments: readonly Segment[], question: string): string[] {
  return search(segments, question, 10).map(({ segment: { meta }, number }) => `${meta.id}:${number}`);
}

/** Every lease as a document in one folder. */
const leases = () => {
  const dir = temporaryFolder();
  return LEASES.map(({ language, sections }) => segment(dir, language, sections));
};
const leaseIn = (code: string): Draft[] => [
  ...(LEASES.find(({ language }) => language === code)?.sections ?? []),
];

describe('documents in a language that is clear', () => {
  test.each(LEASES)(
    '$language: another form of a word finds it, accents or not',
    ({ language, sections, question }) => {
      const lease = segment(temporaryFolder(), language, sections);
      expect(lease.meta.language).toBe(language);
      expect(ranked([lease], question)[0]).toBe(`${language}:0`);
      expect(ranked([lease], foldText(question))[0]).toBe(`${language}:0`);
    },
  );

  test.each(LEASES)(
    '$language: a question finds its document among those in other languages',
    ({ language, question }) => {
      expect(ranked(leases(), question)[0]).toBe(`${language}:0`);
    },
  );
});

const ENGLISH: Draft[] = [
  {
    title: 'Notice period',
    text: 'The tenant may leave with three months of notice to the end of a month, and need not say why.',
  },
  {
    title: 'Deposit',
    text: 'It is paid when the flat is handed over, and is given back after the tenant has left.',
  },
  {
    title: 'Pets',
    text: 'Small animals are allowed in the flat if they do not disturb the others in the house.',
  },
];

test.each([
  ['es', 'cancelaciones', 'cancelación'],
  ['fr', 'employées', 'employé'],
  ['fr', 'qualités', 'qualite'],
  ['hu', 'szerződésről', 'szerződés'],
  ['hu', 'bérlőnél', 'bérlő'],
  ['pt', 'renovações', 'renovação'],
  ['pt', 'referências', 'referência'],
  ['ru', 'новый', 'новая'],
  ['de', 'Häuser', 'Haus'],
])('%s: %s and %s are one term', (code, one, other) => {
  const language = languageOf(code);
  expect(analyse(one, language)).toEqual(analyse(other, language));
});

test('a language that is not known is taken as English', () => {
  expect(analyse('Kündigungsfristen', languageOf('xx'))).toEqual(analyse('Kündigungsfristen'));
});

test('an English document is English', () => {
  const lease = segment(temporaryFolder(), 'en', ENGLISH);
  expect(lease.meta.language).toBe('en');
  expect(ranked([lease], 'Which notice periods are there for the flat?')[0]).toBe('en:0');
});

test.each([
  ['a few words', [{ text: 'Kündigungsfrist: drei Monate' }]],
  [
    'Chinese',
    [{ text: '本合同的解除需要提前三个月通知。押金在交付时支付，搬出后退还。房屋内允许饲养小动物。' }],
  ],
  ['numbers', [{ text: '1 | 2 | 3\n4 | 5 | 6' }]],
])('no language is clear: %s', (_, drafts) => {
  expect(segment(temporaryFolder(), 'one', drafts).meta.language).toBeUndefined();
});

test('a question in one language of a document in another finds the words they share', () => {
  const dir = temporaryFolder();
  const german = segment(dir, 'de', [
    ...leaseIn('de'),
    { title: 'Garage', text: 'Die Garage kostet 80 Euro im Monat.' },
  ]);
  const english = segment(dir, 'en', [
    ...ENGLISH,
    { title: 'Garage', text: 'The garage costs 80 euros a month.' },
  ]);
  expect(ranked([german], 'What does the garage cost?')[0]).toBe('de:3');
  expect(ranked([english], 'Was kostet die Garage?')[0]).toBe('en:3');
});

test('function words of the question are no topic, whichever the document is in', () => {
  const english = segment(temporaryFolder(), 'en', [
    ...ENGLISH,
    { title: 'Die', text: 'To die is not in the lease.' },
  ]);
  expect(ranked([english], 'Wie ist die Deposit?')).toEqual(['en:1']);
});

test('what else is in the folder does not change how an English document is ranked among English ones', () => {
  const dir = temporaryFolder();
  const english = segment(dir, 'en', ENGLISH);
  const others = LEASES.map(({ language, sections }) => segment(dir, language, sections));
  const question = 'Which notice periods are there for the flat?';
  const among = ranked([english, ...others], question).filter((hit) => hit.startsWith('en:'));
  expect(among).toEqual(ranked([english], question));
});

describe('the language of a question', () => {
  test.each([
    ['What is the notice period?', 'en'],
    ['capital expenditure 2018', 'en'],
    ['prix or 2020', 'en'],
    ['Wat is de omzet van Philips?', 'nl'],
    ['Wie hoch war der Umsatz im Geschäftsjahr?', 'de'],
    ['Quelles sont les conditions de résiliation du contrat ?', 'fr'],
    ['¿Cuál es el plazo para cancelar el contrato?', 'es'],
    ['Каков срок расторжения и что для этого надо?', 'ru'],
  ])('%s', (question, code) => {
    expect(languageOfQuestion(question).code).toBe(code);
  });
});

test.each([
  'Wie viel kostet die Wohnung?',
  'Combien coûte le logement ?',
  '¿Cuánto cuesta la vivienda?',
  'Сколько стоит квартира?',
  'Hvor mange dyr er tilladt?',
])('a question about a quantity: %s', (question) => {
  expect(readQuestion(question).asksQuantity).toBe(true);
});

test('nouns of a German question are not taken for names that the document lacks', async () => {
  const { ingest, post } = openEngine();
  const document_id = await ingest('handbook.md', HANDBOOK);
  const query = 'Wie hoch ist laut Staff of Acme die Vergütung der Übernachtung in Hotels im Jahr 2024?';
  const { json } = await post('/v1/query', { document_id, query });
  expect(json.sections.length).toBeGreaterThan(0);
});
