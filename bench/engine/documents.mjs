// Documents made up for measuring: words of Zipf's frequencies under headings, the same in every run.

const VOCABULARY = 40_000;
const SECTIONS = 400;
const WORDS = 220;

function generator(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe qui ra so tu va we xi yo zu'.split(' ');
function word(rank) {
  let text = '';
  for (let rest = rank + 21; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    text += SYLLABLES[rest % SYLLABLES.length];
  }
  return text;
}

/** Rank with a probability of about 1 / rank. */
const zipf = (random) => Math.floor(VOCABULARY ** random()) - 1;

export const SECTIONS_PER_DOCUMENT = SECTIONS;

/** Words one after the other, common ones often and rare ones seldom. */
export function makeWords(seed) {
  const random = generator(seed);
  return () => word(zipf(random));
}

export function makeDocument(number) {
  const random = generator(number * 7919 + 17);
  const lines = [`# Report ${number} ${word(number)}`];
  for (let section = 0; section < SECTIONS; section++) {
    lines.push(`\n## ${word(zipf(random) + 40)} ${word(zipf(random) + 40)} ${section}\n`);
    const words = Array.from({ length: WORDS }, () => word(zipf(random)));
    lines.push(`${words.join(' ')}.`);
  }
  return lines.join('\n');
}

/** Questions of three to nine words, from common to rare. */
export function makeQuestions(count) {
  const random = generator(4242);
  return Array.from({ length: count }, () => {
    const length = 3 + Math.floor(random() * 7);
    return Array.from({ length }, () => word(Math.floor(10 * (VOCABULARY / 10) ** random()))).join(' ');
  });
}
