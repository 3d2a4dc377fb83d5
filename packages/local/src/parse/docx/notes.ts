/** Footnotes and endnotes by id. */
import { cleanText, oneLine } from '../clean.ts';
import type { ParseLimits } from '../limits.ts';
import { readXml } from '../zip/xml.ts';

/** Keys are `prefix` and the note's id; separators are no notes. */
export function readNotes(
  source: string | undefined,
  prefix: string,
  limits: ParseLimits,
): Map<string, string> {
  const notes = new Map<string, string>();
  let id = '';
  let text = '';
  let inText = false;
  readXml(source ?? '<notes/>', limits, {
    open(name, attributes) {
      if (name === 'footnote' || name === 'endnote') {
        id = attributes.type === undefined || attributes.type === 'normal' ? (attributes.id ?? '') : '';
        text = '';
      }
      if (name === 'p') text += ' ';
      inText = name === 't';
    },
    close(name) {
      inText = false;
      const note = oneLine(cleanText(text));
      if ((name === 'footnote' || name === 'endnote') && id !== '' && note !== '')
        notes.set(prefix + id, note);
    },
    text(part) {
      if (inText) text += part;
    },
  });
  return notes;
}
