import { stemmer as stemDanish } from '@orama/stemmers/danish';
import { stemmer as stemDutch } from '@orama/stemmers/dutch';
import { stemmer as stemFinnish } from '@orama/stemmers/finnish';
import { stemmer as stemFrench } from '@orama/stemmers/french';
import { stemmer as stemGerman } from '@orama/stemmers/german';
import { stemmer as stemGreek } from '@orama/stemmers/greek';
import { stemmer as stemHungarian } from '@orama/stemmers/hungarian';
import { stemmer as stemItalian } from '@orama/stemmers/italian';
import { stemmer as stemNorwegian } from '@orama/stemmers/norwegian';
import { stemmer as stemPortuguese } from '@orama/stemmers/portuguese';
import { stemmer as stemRomanian } from '@orama/stemmers/romanian';
import { stemmer as stemRussian } from '@orama/stemmers/russian';
import { stemmer as stemSpanish } from '@orama/stemmers/spanish';
import { stemmer as stemSwedish } from '@orama/stemmers/swedish';
import { stemmer as stemTurkish } from '@orama/stemmers/turkish';
import { stopwords as danish } from '@orama/stopwords/danish';
import { stopwords as dutch } from '@orama/stopwords/dutch';
import { stopwords as finnish } from '@orama/stopwords/finnish';
import { stopwords as french } from '@orama/stopwords/french';
import { stopwords as german } from '@orama/stopwords/german';
import { stopwords as greek } from '@orama/stopwords/greek';
import { stopwords as hungarian } from '@orama/stopwords/hungarian';
import { stopwords as italian } from '@orama/stopwords/italian';
import { stopwords as norwegian } from '@orama/stopwords/norwegian';
import { stopwords as portuguese } from '@orama/stopwords/portuguese';
import { stopwords as romanian } from '@orama/stopwords/romanian';
import { stopwords as russian } from '@orama/stopwords/russian';
import { stopwords as spanish } from '@orama/stopwords/spanish';
import { stopwords as swedish } from '@orama/stopwords/swedish';
import { stopwords as turkish } from '@orama/stopwords/turkish';
import { ENGLISH_STOP_WORDS } from './english-stop-words.ts';
import { stemEnglish } from './porter2.ts';
import { foldText } from './scripts.ts';

/** How the words of a language become index terms. Words are folded: lower case, without accents. */
export interface Language {
  /** ISO 639-1. */
  readonly code: string;
  readonly stopWords: ReadonlySet<string>;
  /** Words of these letters are stemmed. */
  readonly letters: RegExp;
  stem(word: string): string;
}

export const ENGLISH: Language = {
  code: 'en',
  stopWords: ENGLISH_STOP_WORDS,
  letters: /^[a-z]+$/,
  stem: stemEnglish,
};

type Endings = readonly (readonly [written: RegExp, accented: string])[];

/**
 * The stemmers know endings by their accents, which folding removed so that a question may leave them out: put back where
 * the ending is common.
 */
const FRENCH_ENDINGS: Endings = [
  [/ee(s?)$/, 'e$1'],
  [/ite(s?)$/, 'ité$1'],
];
const SPANISH_ENDINGS: Endings = [[/([cs])ion$/, '$1ión']];
const HUNGARIAN_ENDINGS: Endings = [
  [/([brt])ol$/, '$1ól'],
  [/nal$/, 'nál'],
  [/nel$/, 'nél'],
  [/ert$/, 'ért'],
];
const PORTUGUESE_ENDINGS: Endings = [
  [/cao$/, 'ção'],
  [/coes$/, 'ções'],
  [/ancia(s?)$/, 'ância$1'],
  [/encia(s?)$/, 'ência$1'],
  [/avel$/, 'ável'],
  [/ivel$/, 'ível'],
];

/** What the lists lack, so that short texts are not taken for the language next door. */
const MORE_DANISH = 'ingen ved hvilken hvilket hver kun kan både begge samme'.split(' ');
const MORE_PORTUGUESE =
  'todo toda todos todas ser ter sobre cada outro outra outros outras pode podem deve devem nenhum nenhuma qualquer onde'.split(
    ' ',
  );

/** Every language whose documents are told from others; English first. */
export const LANGUAGES: readonly Language[] = [
  ENGLISH,
  language('da', [...danish, ...MORE_DANISH], stemDanish),
  language('de', german, stemGerman),
  language('el', greek, stemGreek),
  language('es', spanish, stemSpanish, SPANISH_ENDINGS),
  language('fi', finnish, stemFinnish),
  language('fr', french, stemFrench, FRENCH_ENDINGS),
  language('hu', hungarian, stemHungarian, HUNGARIAN_ENDINGS),
  language('it', italian, stemItalian),
  language('nl', dutch, stemDutch),
  language('no', norwegian, stemNorwegian),
  language('pt', [...portuguese, ...MORE_PORTUGUESE], stemPortuguese, PORTUGUESE_ENDINGS),
  language('ro', romanian, stemRomanian),
  language('ru', russian, stemRussian),
  language('sv', swedish, stemSwedish),
  language('tr', turkish, stemTurkish),
];

/** English for documents whose language was not clear. */
export function languageOf(code: string | undefined): Language {
  return LANGUAGES.find((known) => known.code === code) ?? ENGLISH;
}

function language(
  code: string,
  stopWords: readonly string[],
  stem: (word: string) => string,
  endings: Endings = [],
): Language {
  return {
    code,
    stopWords: new Set(foldText(stopWords.join(' ')).match(/\p{L}+/gu)),
    letters: /^\p{L}+$/u,
    stem: (word) =>
      foldText(stem(endings.reduce((text, [written, accented]) => text.replace(written, accented), word))),
  };
}
