/** When a candidate is a heading: by size, weight, slant, wording, or by standing apart. */
import { type Context, isUnitsOrPeriod } from './heading-context.ts';
import type { Line } from './layout.ts';
import { countOfWords, STATEMENT } from './patterns.ts';
import { isBoldForOtherReasons, isWordedLikeNone, standsLikeNone } from './rejections.ts';

/** Structure roles that are no headings. */
const OTHER_ROLE = /^(?:TOC|TOCI|Caption|TD|TH|Figure)$/;

/** `role` is the structure tree's, where that can be trusted. */
export function isHeading(context: Context, role: string | undefined): boolean {
  const { heading, page, line, letters } = context;
  if (role?.startsWith('H') && letters >= 2 && heading.text.length <= 260) {
    heading.tagLevel = Number(role.slice(1)) || 1;
    return true;
  }
  if (isWordedLikeNone(context) || line.footnote || OTHER_ROLE.test(role ?? '')) return false;
  if (page.contents && heading.first > 1 && (line.inTable || contentsShare(page.lines) > 0.3)) return false;
  if (heading.lines.length > (heading.bold || heading.ratio >= 1.1 ? 4 : 2)) return false;
  if (standsLikeNone(context)) return false;
  return RULES.some((rule) => rule(context));
}

function contentsShare(lines: readonly Line[]): number {
  return lines.filter((line) => line.contentsEntry).length / lines.length;
}

const RULES: readonly ((context: Context) => boolean)[] = [
  isLarge,
  isBold,
  isItalic,
  isNamedLine,
  isTableTitle,
  isDecimal,
  isInCapitals,
  isInOtherFont,
  isTitleCase,
];

function isLarge({ heading, line, previous, next, gap, sentence, aboveTable, left }: Context): boolean {
  const { ratio, bold, numbering, words } = heading;
  if (ratio < 1.12 || words > 26) return false;
  if (!bold && !numbering && ratio < 1.2 && (sentence || words > 14)) return false;
  if (line.cells.length > 1 && !numbering && ratio < 1.3) return false;
  if (previous && next && !bold && ratio < 1.25 && gap < 1.05) return false;
  return !aboveTable || heading.centred || left;
}

function isBold(context: Context): boolean {
  const { heading, sentence, named } = context;
  if (!heading.bold) return false;
  if (standsApart(context) && !isBoldForOtherReasons(context)) return true;
  if (named && heading.words <= 24) return true;
  return heading.numbering !== undefined && !named && heading.words <= 20 && !sentence;
}

/** A bold line starts something new: a gap above, the end of a sentence or of a table, another heading. */
function standsApart(context: Context): boolean {
  const { heading, page, line, last, next, previous, gap, sentence, left, columnWidth } = context;
  if (heading.words > (sentence ? 60 : 28)) return false;
  if (!left && !heading.centred && !(line.column === 0 && page.rotated)) return false;
  if (gap >= 1.12 || !previous || (previous.inTable && !line.inTable)) return true;
  if (STATEMENT.test(heading.text) && heading.words <= 14) return true;
  if (heading.centred && previous.bold > 0.85) return true;
  const ended =
    /[.:!?)”]$/.test(previous.text) ||
    previous.bold > 0.85 ||
    previous.size > line.size * 1.1 ||
    previous.x1 < line.box.left + columnWidth * 0.6;
  const followed = next !== undefined && (next.bold < 0.5 || isUnitsOrPeriod(next) || next.row !== '');
  return !sentence && ended && followed && last.x1 < line.box.left + columnWidth * 0.95;
}

function isItalic({ heading, line, last, next, gap, left, aboveTable }: Context): boolean {
  const { italic, bold, words, text, numbering } = heading;
  if (!italic || bold || heading.lines.length > 2 || words > 16 || gap < 1.15 || !left || aboveTable)
    return false;
  if (/[.,;]$/.test(text) || !/^[\p{Lu}\d“"(]/u.test(text)) return false;
  if (line.cells.length > 1 && !numbering) return false;
  if (!next) return true;
  const goesOn = next.italic > 0.85 && next.gap < last.size * 1.6;
  return !goesOn && !(next.row === 'numeric' && next.gap < last.size * 2.2);
}

/** "Item 7." and its like in the style of the text, on a line of its own. */
function isNamedLine({
  heading,
  line,
  previous,
  gap,
  width,
  columnWidth,
  sentence,
  named,
}: Context): boolean {
  const { text, numbering, words } = heading;
  if (!named || heading.bold || heading.lines.length > 1 || words > 16 || sentence) return false;
  if ((gap < 1.25 && previous) || width >= columnWidth * 0.8) return false;
  if (numbering?.kind === 'part') {
    if (line.cells.length > 1 || !/^part\s+[ivx]+\s*[.:—–-]?\s*(?:$|[—–-]?\s*\p{Lu})/iu.test(text))
      return false;
  }
  // A reference that happens to start the line: "see / Note 7", "Item 7 of this report".
  if (/\b(?:of|in|to|and|see|under|for)$/i.test(previous?.text ?? '')) return false;
  return !/^(?:section|part|item|article|note)\s+\S+\s+(?:of|in|to|and|above|below|is|are|for)\b/i.test(text);
}

/** A centred title, or the name of a statement, above a line of units or of a period, above a table. */
function isTableTitle({ heading, page, line, previous, gap, sentence, left }: Context): boolean {
  const { text, words, centred } = heading;
  const statement = STATEMENT.test(text);
  if (heading.bold || heading.lines.length > 1 || line.cells.length > 1 || words < 2 || words > 14)
    return false;
  if (!(centred || (statement && left)) || (gap < 1.25 && previous) || sentence || !/^\p{Lu}/u.test(text))
    return false;
  for (let i = heading.last + 1; i <= heading.last + 4; i++) {
    const below = page.lines[i];
    if (!below) return false;
    if (isUnitsOrPeriod(below)) return page.lines.slice(i, i + 9).some((row) => row.row === 'numeric');
    if (below.row !== '' || countOfWords(below.text) > 12) return false;
  }
  return false;
}

function isDecimal({ heading, line, gap, sentence, width, columnWidth, aboveTable }: Context): boolean {
  const { text, numbering, words } = heading;
  if (numbering?.kind !== 'decimal' || heading.bold || heading.lines.length > 1 || words > 12 || sentence)
    return false;
  if (gap < 1.25 || width >= columnWidth * 0.75 || !/^[\d.]+\s+\p{Lu}/u.test(text)) return false;
  return !aboveTable || line.font === 'Type3';
}

function isInCapitals({
  heading,
  line,
  letters,
  gap,
  sentence,
  left,
  width,
  columnWidth,
  aboveTable,
}: Context): boolean {
  if (!heading.capitals || heading.lines.length > 1 || letters < 6 || heading.words > 12) return false;
  if (gap < 1.25 || sentence || line.cells.length > 1 || aboveTable) return false;
  return (left || heading.centred) && width < columnWidth * 0.8;
}

function isInOtherFont({
  heading,
  body,
  line,
  gap,
  sentence,
  left,
  width,
  columnWidth,
  aboveTable,
}: Context): boolean {
  const { text, ratio, words } = heading;
  if (heading.bold || heading.italic || ratio < 0.97 || heading.lines.length > 1 || words > 12) return false;
  if (body.fonts.has(line.font) || body.knownFonts.has(line.font)) return false;
  if (gap < 1.3 || sentence || !left || aboveTable || line.cells.length > 1) return false;
  return /^[\p{Lu}\d]/u.test(text) && width < columnWidth * 0.7;
}

/** Title Case without any style, above a paragraph as wide as the column. */
function isTitleCase({
  heading,
  page,
  line,
  last,
  next,
  previous,
  gap,
  sentence,
  left,
  width,
  columnWidth,
}: Context): boolean {
  const { text, ratio, words } = heading;
  if (heading.bold || heading.italic || ratio < 0.97 || ratio >= 1.12 || heading.lines.length > 1)
    return false;
  if (
    line.cells.length > 1 ||
    words > 8 ||
    sentence ||
    !left ||
    gap < 1.3 ||
    page.contents ||
    heading.page === 0
  )
    return false;
  if (width >= columnWidth * 0.5 || /\d$/.test(text)) return false;
  if (previous && !previous.inTable && !/[.:)%]$/.test(previous.text)) return false;
  if (!next || next.cells.length > 1 || countOfWords(next.text) < 9) return false;
  if (next.x1 <= line.box.left + columnWidth * 0.75 || last.below >= last.size * 3) return false;
  const longWords = text.split(' ').filter((word) => word.length > 3);
  return longWords.every((word) => /^[\p{Lu}\d(“"&]/u.test(word));
}
