/** The English stemmer "Porter2" of https://snowballstem.org/algorithms/english/stemmer.html. Takes `[a-z']` words. */

const VOWEL = '[aeiouy]';
const EXCEPTIONS: Readonly<Record<string, string>> = {
  skis: 'ski',
  skies: 'sky',
  dying: 'die',
  lying: 'lie',
  tying: 'tie',
  idly: 'idl',
  gently: 'gentl',
  ugly: 'ugli',
  early: 'earli',
  only: 'onli',
  singly: 'singl',
  sky: 'sky',
  news: 'news',
  howe: 'howe',
  atlas: 'atlas',
  cosmos: 'cosmos',
  bias: 'bias',
  andes: 'andes',
};
const FIXED_AFTER_1A = new Set([
  'inning',
  'outing',
  'canning',
  'herring',
  'earring',
  'proceed',
  'exceed',
  'succeed',
]);

/** Step 2: suffix → replacement, longest first; `li` and `ogi` have conditions of their own. */
const STEP2: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['iveness', 'ive'],
  ['ization', 'ize'],
  ['ousness', 'ous'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['tional', 'tion'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ation', 'ate'],
  ['entli', 'ent'],
  ['fulli', 'ful'],
  ['iviti', 'ive'],
  ['ousli', 'ous'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['anci', 'ance'],
  ['ator', 'ate'],
  ['enci', 'ence'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['ogi', 'og'],
  ['li', ''],
];
const STEP3: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['ative', ''],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];
const STEP4 = 'ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic'.split(' ');

const REGION = new RegExp(`${VOWEL}[^aeiouy]`, 'g');
const SHORT_END = /(?:^[aeiouy][^aeiouy]|[^aeiouy][aeiouy][^aeiouywxY])$/;
const HAS_VOWEL = new RegExp(VOWEL);

/** Where the region after the first vowel–consonant pair at or after `from` begins. */
function regionAfter(word: string, from: number): number {
  REGION.lastIndex = from;
  return REGION.test(word) ? REGION.lastIndex : word.length;
}

export function stemEnglish(input: string): string {
  if (input.length <= 2) return input;
  const special = EXCEPTIONS[input];
  if (special !== undefined && Object.hasOwn(EXCEPTIONS, input)) return special;

  // A consonant y is written Y, so that the vowel class does not match it.
  let word = input.replace(/^'/, '').replace(/^y|(?<=[aeiouy])y/g, 'Y');
  const prefix = /^(?:gener|commun|arsen)/.exec(word);
  const r1 = prefix ? prefix[0].length : regionAfter(word, 0);
  const r2 = regionAfter(word, r1);

  word = step1a(word.replace(/'s?'?$/, ''));
  if (FIXED_AFTER_1A.has(word)) return word;
  word = step1b(word, r1);
  word = word.replace(/(?<=.[^aeiouy])[yY]$/, 'i');
  word = step2(word, r1);
  word = step3(word, r1, r2);
  word = step4(word, r2);
  return step5(word, r1, r2).replaceAll('Y', 'y');
}

function step1a(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  if (/(?:us|ss)$/.test(word)) return word;
  return /[aeiouy].+s$/.test(word) ? word.slice(0, -1) : word;
}

function step1b(word: string, r1: number): string {
  const eed = /eed(?:ly)?$/.exec(word);
  if (eed) return eed.index >= r1 ? `${word.slice(0, eed.index)}ee` : word;
  const suffix = /(?:ed|ing)(?:ly)?$/.exec(word);
  if (!suffix || !HAS_VOWEL.test(word.slice(0, suffix.index))) return word;
  const stem = word.slice(0, suffix.index);
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem)) return stem.slice(0, -1);
  return isShort(stem, r1) ? `${stem}e` : stem;
}

/** A word is short when it ends in a short syllable and nothing follows it. */
function isShort(word: string, r1: number): boolean {
  return word.length <= r1 && SHORT_END.test(word);
}

function step2(word: string, r1: number): string {
  const rule = STEP2.find(([suffix]) => word.endsWith(suffix));
  if (!rule) return word;
  const [suffix, replacement] = rule;
  const at = word.length - suffix.length;
  if (at < r1) return word;
  if (suffix === 'ogi' && word[at - 1] !== 'l') return word;
  if (suffix === 'li' && !/[cdeghkmnrt]/.test(word[at - 1] ?? '')) return word;
  return word.slice(0, at) + replacement;
}

function step3(word: string, r1: number, r2: number): string {
  const rule = STEP3.find(([suffix]) => word.endsWith(suffix));
  if (!rule) return word;
  const at = word.length - rule[0].length;
  if (at < r1 || (rule[0] === 'ative' && at < r2)) return word;
  return word.slice(0, at) + rule[1];
}

function step4(word: string, r2: number): string {
  const suffix = STEP4.find((ending) => word.endsWith(ending));
  if (!suffix) return word;
  const at = word.length - suffix.length;
  if (at < r2 || (suffix === 'ion' && !/[st]/.test(word[at - 1] ?? ''))) return word;
  return word.slice(0, at);
}

function step5(word: string, r1: number, r2: number): string {
  const at = word.length - 1;
  if (word.endsWith('e')) {
    const drop = at >= r2 || (at >= r1 && !SHORT_END.test(word.slice(0, at)));
    return drop ? word.slice(0, at) : word;
  }
  return word.endsWith('ll') && at >= r2 ? word.slice(0, at) : word;
}
