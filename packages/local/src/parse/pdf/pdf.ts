/** PDF: text with its layout, headings and tables found by it. */
import { type ParsedDocument, ParseError } from '../../document.ts';
import { cleanText, oneLine } from '../clean.ts';
import type { ParseLimits } from '../limits.ts';
import { toBlocks } from './blocks.ts';
import { type StructuredPdf, structurePdf } from './headings.ts';
import type { RawPage, RawPdf } from './layout.ts';
import { loadPdf } from './load.ts';

/** A scan has nothing, or a stamp and page numbers. */
const MIN_LETTERS_A_PAGE = 7;
const MIN_LETTERS_OF_A_TEXT_PAGE = 25;
/** Fonts without a usable character map come out as control and private characters. */
const MAX_UNREADABLE = 0.3;
const UNREADABLE = /[\p{Cc}\p{Co}\ufffd]/gu;
const FILE_TITLE =
  /^microsoft|^powerpoint presentation|untitled|\.(?:docx?|pdf|xlsx?|pptx?|indd|qxd|rtf|html?)\b/i;

/** Throws `encrypted`, `invalid`, `too_large`, `no_text`, `unreadable_text`. */
export async function readPdf(bytes: Uint8Array, limits: ParseLimits): Promise<ParsedDocument> {
  const raw = await loadPdf(bytes, limits);
  checkReadable(raw);
  const structured = structurePdf(raw);
  return {
    title: titleOf(raw, structured),
    blocks: toBlocks(structured),
    pageCount: raw.pages.length,
    pagesRead: raw.pages.filter((page) => lettersOf(page) > 0).length,
  };
}

function lettersOf(page: RawPage): number {
  return page.items.reduce((sum, item) => sum + item.text.replace(/\s/g, '').length, 0);
}

/** Throws `no_text` for a scan and `unreadable_text` where letters come out as signs without a meaning. */
export function checkReadable(raw: RawPdf): void {
  const letters = raw.pages.map(lettersOf);
  const total = letters.reduce((sum, count) => sum + count, 0);
  if (total < MIN_LETTERS_A_PAGE * letters.length && Math.max(...letters) < MIN_LETTERS_OF_A_TEXT_PAGE) {
    throw new ParseError(
      'no_text',
      'This PDF has no text layer: it looks scanned. Run OCR and ingest the result.',
    );
  }
  let unreadable = 0;
  for (const page of raw.pages) {
    for (const item of page.items) unreadable += item.text.replace(/\s/g, '').match(UNREADABLE)?.length ?? 0;
  }
  if (unreadable > total * MAX_UNREADABLE) {
    throw new ParseError(
      'unreadable_text',
      'This PDF has unreadable text: its fonts do not say which characters they show. Run OCR and ingest the result.',
    );
  }
}

/** The metadata's title where it is one; else what stands out on the first page, if one thing does. */
function titleOf(raw: RawPdf, { headings }: StructuredPdf): string {
  const declared = oneLine(cleanText(raw.title));
  if ((declared.match(/\p{L}{3,}/gu)?.length ?? 0) >= 2 && !FILE_TITLE.test(declared)) return declared;
  const [largest, second] = headings
    .filter((heading) => heading.page === 0 && !heading.virtual)
    .sort((a, b) => b.ratio - a.ratio);
  if (!largest || largest.ratio < 1.3 || (second && second.ratio * 1.2 > largest.ratio)) return '';
  return largest.text;
}
