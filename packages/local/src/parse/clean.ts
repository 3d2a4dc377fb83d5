/** Text as it is written, not as it is typeset: odd forms of letters, spaces and hyphens become the usual ones. */

/**
 * Presentation forms, wide and narrow forms, styled mathematical letters and compatibility ideographs. Superscripts,
 * fractions and wide punctuation are left alone: there the form carries meaning.
 */
const ODD_FORMS =
  /[\ufb00-\ufb4f\ufb50-\ufdff\ufe70-\ufefc\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff61-\uffdc\uf900-\ufaff]|[\u{1d400}-\u{1d7ff}]/gu;
const ODD_SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
/** Soft hyphens, zero-width spaces, direction marks and control characters; joiners stay, since scripts need them. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|(?![\t\n\f\r])\p{Cc}/gu;
const PLAIN = /^[\t\n\f\r -~]*$/;

export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(ODD_FORMS, (form) => form.normalize('NFKC'))
    .replace(ODD_SPACES, ' ')
    .replace(INVISIBLE, '')
    .normalize('NFC');
}

/** One line: white space collapsed, ends trimmed. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
