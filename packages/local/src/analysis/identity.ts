import type { ParsedSection } from '../document.ts';
import { analyse } from './analyse.ts';
import type { Language } from './languages.ts';

/** Terms by which people tell one document from another: what it is called, and what its first page says it is. */
export interface DocumentIdentity {
  readonly name: readonly string[];
  readonly cover: readonly string[];
}

/** As much of the first page as names a document: who, what, when. */
const COVER_WORDS = 300;

export function identityOf(
  { title, filename }: { readonly title: string; readonly filename: string },
  sections: readonly ParsedSection[],
  language: Language,
): DocumentIdentity {
  const name = new Set(analyse(`${title} ${apart(filename)}`, language));
  const cover = sections
    .slice(0, 8)
    .flatMap((section) => `${section.title} ${section.text}`.split(/\s+/))
    .slice(0, COVER_WORDS)
    // Names, dates and numbers; scripts without capitals count as names.
    .filter((word) => /^[^\p{Ll}]*[\p{Lu}\p{Lo}\p{N}]/u.test(word));
  return {
    name: [...name],
    cover: [...new Set(analyse(cover.join(' '), language))].filter((term) => !name.has(term)),
  };
}

/** `ACME_2023Q2_report.pdf` as the words it is made of. */
function apart(filename: string): string {
  return filename
    .replace(/\.\w{1,5}$/, '')
    .replace(/[_.-]+/g, ' ')
    .replace(/((?:19|20)\d\d)(?=\p{L})/gu, '$1 ');
}
