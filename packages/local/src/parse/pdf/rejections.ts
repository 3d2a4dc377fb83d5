/** What looks like a heading and is none: captions, units, bullets, column heads, code, names of authors. */
import { type Context, isUnitsOrPeriod } from './heading-context.ts';
import {
  BULLET,
  CAPTION,
  COLUMN_HEAD,
  countOfWords,
  DOT_LEADER,
  MONOSPACE,
  PERIOD,
  UNITS,
} from './patterns.ts';
import { isNumericRow } from './regions.ts';

const NOT_A_TITLE = /^(?:see accompanying|see notes|the accompanying|\* |source:|note:|notes:$)/i;

/** By its wording and cells alone. */
export function isWordedLikeNone(context: Context): boolean {
  const { heading, line, letters } = context;
  const { text, numbering } = heading;
  if (letters < 3 || letters / text.replace(/\s/g, '').length < 0.5 || text.length > 320) return true;
  if (CAPTION.test(text) && !(line.bold > 0.85 && /^exhibit\s+[\d.]+$/i.test(text))) return true;
  if (UNITS.test(text) || DOT_LEADER.test(text) || NOT_A_TITLE.test(text) || /[=∑∫√≤≥]/.test(text))
    return true;
  if (BULLET.test(text) && !(/^\(\d{1,2}\)\s/.test(text) && (heading.bold || heading.ratio >= 1.07)))
    return true;
  if (/^\(.*\)$/.test(text) && (!heading.bold || heading.words <= 2)) return true;
  if (heading.lines.some((l) => l.cells.length > 3) || (line.cells.length === 3 && !numbering)) return true;
  return heading.lines.some(isNumericRow) && (!numbering || numbering.kind === 'number');
}

/** By its place and style. */
export function standsLikeNone(context: Context): boolean {
  const { heading, page, body, line, inTable, aboveRow, left } = context;
  const { text, ratio, bold, italic, numbering } = heading;
  if ((inTable || aboveRow) && /^(?:total|less|plus|net of)\b/i.test(text)) return true;
  if (heading.page < 2 && isListOfAuthors(text)) return true;
  if (MONOSPACE.test(line.font) && ratio < 1.2) return true;
  if (!bold && ratio < 1.3 && (text.match(/[(){}<>;_=]/g)?.length ?? 0) >= 2) return true;
  if (/^\p{Ll}/u.test(text) && ratio < 1.25) return true;
  if (PERIOD.test(text) && ratio < 1.3) {
    const title = (bold || italic) && left && context.aboveText && heading.words >= 3;
    if (!title) return true;
  }
  if (COLUMN_HEAD.test(text) && (aboveRow || !(left || heading.centred))) return true;
  if (line.font !== 'Type3') {
    // Type 3 fonts scale by themselves: their sizes say nothing.
    const small = line.size / Math.min(body.size, page.modalSize) < 0.93;
    if (small && !(numbering && bold && ratio >= 0.85)) return true;
    if (ratio < 0.75 && !(bold && (heading.centred || left) && heading.words >= 2)) return true;
  }
  if (ratio < 1.4 && isColumnHead(context)) return true;
  return inTable && ratio < 1.25 && !(context.named && (bold || heading.capitals));
}

function isListOfAuthors(text: string): boolean {
  return text.includes('@') || ((text.match(/,/g)?.length ?? 0) >= 3 && /[†‡∗*§]/.test(text));
}

function isColumnHead({ heading, page, line, previous, columnWidth, aboveTable }: Context): boolean {
  if (heading.centred || page.rotated || line.x0 <= line.box.left + columnWidth * 0.3) return false;
  return aboveTable || (previous !== undefined && PERIOD.test(previous.text));
}

/** Bold for another reason than being a heading: it belongs to the table or the sentence around it. */
export function isBoldForOtherReasons(context: Context): boolean {
  const { heading, line, last, next, previous, aboveTable } = context;
  const { text, ratio, numbering, centred } = heading;
  if (/[,;]$/.test(text) || (text.endsWith(':') && aboveTable && !centred)) return true;
  if (/^\S+\s?\(.?000.?\)|[‘’']000/.test(text)) return true;
  const unitsBeside = line.cells.length === 2 && UNITS.test(line.cells[1]?.text ?? '');
  if (heading.lines.length === 1 && line.cells.length > 1 && !numbering && !unitsBeside) return true;
  const underHead = previous !== undefined && (previous.inTable || isUnitsOrPeriod(previous));
  if (
    aboveTable &&
    heading.words <= 2 &&
    !heading.capitals &&
    line.gap < line.size * 2.2 &&
    ratio < 1.05 &&
    underHead
  ) {
    return true;
  }
  if (previous && isUnitsOrPeriod(previous) && previous.x0 > line.x0 && aboveTable && !centred) return true;
  if (!next) return false;
  const rowFollows = next.row === 'numeric' && next.gap < last.size * 2.2;
  if (rowFollows && ratio < 1.12 && !numbering && (underHead || isUnderRow(context))) return true;
  if (context.sentence && heading.words >= 6 && next.bold > 0.85) return true;
  return next.gap < last.size * 1.6 && next.bold <= 0.5 && /^\p{Ll}/u.test(next.text);
}

/** A row of cells stands above, or above the one caption between: "Assets" and then "Current assets". */
function isUnderRow({ heading, page, previous }: Context): boolean {
  if (previous === undefined || previous.row !== '') return previous !== undefined;
  const above = page.lines[heading.first - 2];
  const caption =
    previous.cells.length === 1 && countOfWords(previous.text) <= 6 && previous.below < previous.size * 1.8;
  return caption && above !== undefined && above.row !== '' && above.column === previous.column;
}
