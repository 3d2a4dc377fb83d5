/** Finds the lines that a title from an outline or a printed contents page stands for. */
import type { BodyStyle } from './body-style.ts';
import type { Line, Page } from './layout.ts';
import { titleKey, withoutContinued } from './patterns.ts';

export interface Match {
  readonly page: number;
  readonly first: number;
  readonly last: number;
}

/** A title may run over so many lines. */
const MAX_LINES = 5;
/** An exact match on the right page in a heading's style: no other can be better. */
const CERTAIN = 2.9;
const LEADING_NUMBER = /^(?:item|note|part|chapter|section|appendix)?[\divx]{1,4}[ab]?(?=\p{L}{4})/u;

export type TitleFinder = (title: string, page: number, span: number, y?: number) => Match | undefined;

/** Looks on `page` and on the pages up to `span` away from it. */
export function titleFinder(pages: readonly Page[], body: BodyStyle): TitleFinder {
  const keys = new Map<Line, string>();
  const keyOf = (line: Line): string => {
    const known = keys.get(line) ?? titleKey(line.text);
    keys.set(line, known);
    return known;
  };

  const matchAt = (
    lines: readonly Line[],
    first: number,
    want: string,
  ): { quality: number; last: number } => {
    let text = '';
    let last = first;
    for (; last < Math.min(lines.length, first + MAX_LINES); last++) {
      const line = lines[last];
      if (line) text += keyOf(line);
      if (text.length >= want.length || !want.startsWith(text)) break;
    }
    return { quality: similarity(text, want), last: Math.min(last, lines.length - 1) };
  };

  return (title, page, span, y) => {
    const want = titleKey(withoutContinued(title));
    if (want.length < 3) return undefined;
    let best: (Match & { score: number }) | undefined;
    for (let away = 0; away <= span; away++) {
      for (const at of away === 0 ? [page] : [page + away, page - away]) {
        const candidate = pages[at];
        if (!candidate || candidate.contents) continue;
        candidate.lines.forEach((line, first) => {
          if (line.running === 'page-number') return;
          const { quality, last } = matchAt(candidate.lines, first, want);
          if (quality === 0) return;
          const score = quality - away * 0.2 + likelihood(line, body) - (away === 0 ? offset(line, y) : 0);
          if (!best || score > best.score) best = { score, page: at, first, last };
        });
        if (best && best.score > CERTAIN) return best;
      }
    }
    return best;
  };
}

/** 3 for the same letters, 2 for a good part of them, 0 for another title. */
function similarity(text: string, want: string): number {
  if (text === want) return 3;
  if (text.startsWith(want) && want.length >= 0.6 * text.length && want.length > 8) return 2;
  const bare = want.replace(LEADING_NUMBER, '');
  return bare.length > 6 && bare === text.replace(LEADING_NUMBER, '') ? 2 : 0;
}

function likelihood(line: Line, body: BodyStyle): number {
  const styled = line.bold > 0.8 || line.size > body.size * 1.1;
  return (styled ? 0.6 : 0) - (line.running === '' ? 0 : 0.5) - (line.inTable ? 0.6 : 0);
}

function offset(line: Line, y: number | undefined): number {
  return y === undefined ? 0 : Math.min(0.5, Math.abs(line.y + line.size - y) / 800);
}
