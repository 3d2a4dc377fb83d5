/** All headings of a document with their levels. */
import { type BodyStyle, bodyStyle } from './body-style.ts';
import { findCandidates, type Heading } from './candidates.ts';
import { contextOf } from './heading-context.ts';
import { isHeading } from './heading-rules.ts';
import type { Line, Page, RawPdf } from './layout.ts';
import { levelsOf } from './levels.ts';
import { addListed, markContinued } from './listed-headings.ts';
import { measurePage, rowKind } from './measure.ts';
import { layOutPage } from './page.ts';
import { markContents, markFootnotes, markTables } from './regions.ts';
import { markRunning } from './running.ts';
import { countAllWords, mendWords, type WordCounts } from './word-counts.ts';

export interface StructuredPdf {
  readonly pages: readonly Page[];
  readonly headings: readonly (Heading & { readonly level: number })[];
  readonly body: BodyStyle;
  readonly words: WordCounts;
}

export function structurePdf(raw: RawPdf): StructuredPdf {
  const pages = raw.pages.map((page) => layOutPage(page, raw.fonts));
  for (const line of pages.flatMap((page) => page.lines)) line.row = rowKind(line);
  const body = bodyStyle(pages);
  for (const page of pages) measurePage(page, body.size);
  markRunning(pages, body);
  pages.forEach((page, i) => {
    markFootnotes(page, body);
    markContents(page, i, pages.length);
    markTables(page, body);
  });
  const tagsCount = doTagsCount(pages, raw.taggedHeadings);
  const found = pages.flatMap((page, i) =>
    findCandidates(page, i, body).filter((candidate) => {
      const context = contextOf(candidate, page, body);
      const role = tagsCount ? roleOf(page, candidate.lines) : undefined;
      return context !== undefined && isHeading(context, role);
    }),
  );
  const { headings, outlineCounts } = addListed(found, pages, raw.outline, body);
  markContinued(headings);
  const levels = levelsOf(headings, body, { outlineCounts, tagsCount });
  const words = countAllWords(pages.flatMap((page) => page.lines));
  for (const heading of headings) heading.text = mendWords(heading.text, words);
  return {
    pages,
    headings: headings.map((heading, i) => Object.assign(heading, { level: levels[i] ?? 1 })),
    body,
    words,
  };
}

function roleOf(page: Page, lines: readonly Line[]): string | undefined {
  for (const line of lines) {
    for (const tag of line.tags) {
      const role = page.roles.get(tag);
      if (role !== undefined) return role;
    }
  }
  return undefined;
}

/** Some files tag three headings in all, some tag whole paragraphs as headings: neither is believed. */
function doTagsCount(pages: readonly Page[], tagged: number): boolean {
  if (tagged < 3 || tagged < pages.length * 0.15) return false;
  let lines = 0;
  for (const page of pages) {
    for (const line of page.lines) if (line.tags.some((tag) => page.roles.get(tag)?.startsWith('H'))) lines++;
  }
  return lines <= tagged * 3;
}
