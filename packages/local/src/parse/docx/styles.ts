/** Paragraph styles of a Word document: which are headings, titles, lists. */
import type { ParseLimits } from '../limits.ts';
import { readXml } from '../zip/xml.ts';

export interface NumberingRef {
  readonly numId: string;
  readonly level: number;
}

export interface ParagraphStyle {
  readonly kind: 'heading' | 'title' | 'contents' | 'code' | 'text';
  /** Of a heading, 1 the outermost. */
  readonly level: number;
  readonly numbering: NumberingRef | undefined;
}

interface RawStyle {
  name: string;
  basedOn: string | undefined;
  outline: number | undefined;
  numId: string | undefined;
  numLevel: number | undefined;
}

export const PLAIN_STYLE: ParagraphStyle = { kind: 'text', level: 0, numbering: undefined };
/** Word's outline level 9 means text. */
const MAX_OUTLINE = 8;
const MAX_INHERITANCE = 20;

/** Styles by id. Names are told apart in English: Word writes built-in names so in every language. */
export function readStyles(source: string | undefined, limits: ParseLimits): Map<string, ParagraphStyle> {
  const raw = new Map<string, RawStyle>();
  let style: RawStyle | undefined;
  readXml(source ?? '<styles/>', limits, {
    open(name, { styleId, val }) {
      if (name === 'style') {
        style = { name: '', basedOn: undefined, outline: undefined, numId: undefined, numLevel: undefined };
        raw.set(styleId ?? '', style);
      } else if (!style) return;
      else if (name === 'name') style.name = (val ?? '').toLowerCase();
      else if (name === 'basedOn') style.basedOn = val;
      else if (name === 'outlineLvl') style.outline = Number(val);
      else if (name === 'numId') style.numId = val;
      else if (name === 'ilvl') style.numLevel = Number(val);
    },
    close(name) {
      if (name === 'style') style = undefined;
    },
  });
  return new Map([...raw].map(([id]) => [id, resolve(id, raw)]));
}

function resolve(id: string, raw: ReadonlyMap<string, RawStyle>): ParagraphStyle {
  const chain: RawStyle[] = [];
  for (let next = raw.get(id); next && chain.length < MAX_INHERITANCE; next = raw.get(next.basedOn ?? ''))
    chain.push(next);
  const numId = chain.find((style) => style.numId !== undefined)?.numId;
  const numLevel = chain.find((style) => style.numLevel !== undefined)?.numLevel ?? 0;
  const numbering = numId && numId !== '0' ? { numId, level: numLevel } : undefined;
  for (const style of chain) {
    const heading = /^heading (\d)$/.exec(style.name)?.[1];
    if (heading) return { kind: 'heading', level: Number(heading), numbering };
    if (style.outline !== undefined && style.outline <= MAX_OUTLINE)
      return { kind: 'heading', level: style.outline + 1, numbering };
    if (style.name === 'title') return { kind: 'title', level: 1, numbering };
    if (/^(?:toc \d|toc heading|table of figures)$/.test(style.name))
      return { kind: 'contents', level: 0, numbering };
    if (/^(?:html preformatted|macro text|plain text|source code|code)$/.test(style.name))
      return { kind: 'code', level: 0, numbering };
  }
  return { kind: 'text', level: 0, numbering };
}
