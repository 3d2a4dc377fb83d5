// When a page counts as read: see the measuring data's own description.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { extractText, getDocumentProxy } from 'unpdf';

const cache = fileURLToPath(new URL('../../.cache/pages/', import.meta.url));

/** The text of each page of a PDF, as unpdf gives it; kept under .cache. */
export async function pageTexts(path, name) {
  const kept = join(cache, `${name}.json`);
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8'));
  const pdf = await getDocumentProxy(new Uint8Array(readFileSync(path)), { verbosity: 0 });
  const { text } = await extractText(pdf, { mergePages: false });
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, JSON.stringify(text));
  return text;
}

export function wordsOf(text) {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{Pd}|/]/gu, ' ')
    .replace(/[^\p{L}\p{N}\s]/gu, '')
    .split(/\s+/)
    .filter(Boolean);
}

function runs(words, length, keep) {
  const found = new Set();
  for (let i = 0; i + length <= words.length; i++) {
    const run = words.slice(i, i + length).join(' ');
    if (keep(run)) found.add(run);
  }
  return found;
}

/** Tells, for texts read one after another, when the page has been read. */
export function pageReader(pageText) {
  const words = wordsOf(pageText);
  let wanted = runs(words, 8, (run) => /\d/.test(run));
  let length = 8;
  let share = 0.4;
  if (wanted.size < 20) {
    wanted = runs(words, 6, () => true);
    length = 6;
    share = 0.25;
  }
  const total = wanted.size;
  return (sectionWords) => {
    for (let i = 0; i + length <= sectionWords.length; i++) {
      wanted.delete(sectionWords.slice(i, i + length).join(' '));
    }
    return total > 0 && total - wanted.size >= share * total;
  };
}
