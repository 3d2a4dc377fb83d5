/** What writing systems need before words of the same meaning become the same token. */

/** Scripts written without spaces between words: these runs are indexed as overlapping pairs of characters. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;

const LATIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};
const ARABIC_LETTERS: Readonly<Record<string, string>> = { ٱ: 'ا', ى: 'ي', ة: 'ه', ک: 'ك', ی: 'ي' };
const HEBREW_FINALS: Readonly<Record<string, string>> = { ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ' };

/**
 * Compatibility forms and accents folded, lower case. Marks are removed where a reader may leave them out (Latin, Greek,
 * Cyrillic accents, Hebrew points, Arabic vowels) and kept where they are letters (Indic vowel signs, Japanese dakuten).
 */
export function foldText(text: string): string {
  return (
    text
      .normalize('NFKD')
      .toLowerCase()
      // Accents (but the Cyrillic й is a letter), Hebrew points, Arabic vowels and tatweel, joiners.
      .replace(
        /(?<!и)\u0306|[\u0300-\u0305\u0307-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640\u200b-\u200f\u00ad]/g,
        '',
      )
      .normalize('NFC')
      .replace(/[ßæœøłđðþı]/g, (letter) => LATIN_LETTERS[letter] ?? letter)
      .replace(/[ٱىةکی]/g, (letter) => ARABIC_LETTERS[letter] ?? letter)
      .replace(/[ךםןףץ]/g, (letter) => HEBREW_FINALS[letter] ?? letter)
  );
}

/** Light Arabic stemming (after Larkey's light10): the article and its prefixes, and the common endings. */
export function stemArabic(word: string): string {
  const bare = word.replace(/^(?:وال|بال|كال|فال|ال|لل)(?=.{2})/, '').replace(/^و(?=.{3})/, '');
  return bare.replace(/(?<=..)(?:ها|ان|ات|ون|ين|يه|ه|ي)$/, '');
}

export const ARABIC = /^\p{Script=Arabic}+$/u;
