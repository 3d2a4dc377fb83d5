import { describe, expect, test } from 'vitest';
import { analyse, words } from '../../src/analysis/analyse.ts';
import { stemEnglish } from '../../src/analysis/porter2.ts';

describe('the English stemmer', () => {
  // From the sample vocabulary at snowballstem.org.
  test.each([
    ['consistency', 'consist'],
    ['consolidated', 'consolid'],
    ['conspicuously', 'conspicu'],
    ['knightly', 'knight'],
    ['generate', 'generat'],
    ['generously', 'generous'],
    ['communism', 'communism'],
    ['hopping', 'hop'],
    ['hoping', 'hope'],
    ['luxuriated', 'luxuri'],
    ['ties', 'tie'],
    ['cries', 'cri'],
    ['gaps', 'gap'],
    ['gas', 'gas'],
    ['kiwis', 'kiwi'],
    ['proceed', 'proceed'],
    ['agreed', 'agre'],
    ['say', 'say'],
    ['by', 'by'],
    ['cry', 'cri'],
    ['youth', 'youth'],
    ['skis', 'ski'],
    ['dying', 'die'],
    ['nationally', 'nation'],
    ['replacement', 'replac'],
    ['adoption', 'adopt'],
    ['controllable', 'control'],
    ['falling', 'fall'],
  ])('%s → %s', (word, stem) => {
    expect(stemEnglish(word)).toBe(stem);
  });

  test('words that are names of object members are words', () => {
    expect(['constructor', 'tostring', 'valueof'].map(stemEnglish)).toEqual([
      'constructor',
      'tostr',
      'valueof',
    ]);
  });
});

describe('words', () => {
  test.each([
    ['numbers keep together', 'Sales of 1,577,000 in 2018', ['sales', 'of', '1577000', 'in', '2018']],
    [
      'fiscal years are the year too',
      "FY2018 and FY 2019, fy'20",
      ['fy2018', '2018', 'and', 'fy2019', '2019', '2020'],
    ],
    ['possessives end', "Boeing’s and the company's", ['boeing', 'and', 'the', 'company']],
    ['accents are folded', 'Café Zażółć Straße naïve', ['cafe', 'zazolc', 'strasse', 'naive']],
    ['compatibility forms are folded', 'ﬁne ① ２０２４', ['fine', '1', '2024']],
    ['Chinese is cut into pairs', '北京大学 2024年', ['北京', '京大', '大学', '2024', '年']],
    ['Japanese keeps its voiced marks', 'がぎ', ['がぎ']],
    ['Korean is cut into pairs', '서울시', ['서울', '울시']],
    ['Arabic vowels and letter forms are folded', 'مُحَمَّد إدارة', ['محمد', 'اداره']],
    ['Hebrew points and final letters are folded', 'שָׁלוֹם', ['שלומ']],
    ['Indic vowel signs stay', 'हिन्दी', ['हिन्दी'.normalize('NFC')]],
  ])('%s', (_, text, expected) => {
    expect(words(text)).toEqual(expected);
  });
});

test('stop words go, the rest is stemmed', () => {
  expect(analyse('What were the capital expenditures of the company?')).toEqual([
    'capit',
    'expenditur',
    'compani',
  ]);
});

test('the Arabic article does not hide a word', () => {
  expect(analyse('المدرسة')).toEqual(analyse('مدرسة'));
});

test('a word without end is cut, not refused', () => {
  expect(analyse('x'.repeat(100_000))[0]).toHaveLength(64);
});
