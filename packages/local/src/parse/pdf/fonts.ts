/** Bold and italic from a font's name: the flags in the font object are never set by pdf.js. */
import type { FontStyle } from './layout.ts';

const BOLD =
  /bold|black|heavy|demi|semib|extrab|[-,]?(?:md|dm|dmcm|medi|bd|hv|blk)\b|[-,](?:medium|bd|b|md|db|hv)$|cmbx|cmb\d|cmssbx|sfbx|cmcsc/i;
const ITALIC = /ital|obliq|slant|[-,](?:it|i|bi|bdit|bkit)$|cmti|cmmi|cmsl/i;
/** Names such as "HiraKakuPro-W6" carry a weight. */
const WEIGHT = /\bW(\d)\b/;

export function fontStyle(fontName: string): FontStyle {
  const name = fontName.replace(/^[A-Z]{6}\+/, '');
  const weight = Number(WEIGHT.exec(name)?.[1] ?? 0);
  return { name, bold: BOLD.test(name) || weight >= 6, italic: ITALIC.test(name) };
}
