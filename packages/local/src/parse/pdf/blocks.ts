/** A structured PDF to blocks in reading order. */
import type { Block } from '../../document.ts';
import type { Heading } from './candidates.ts';
import type { StructuredPdf } from './headings.ts';
import type { Page } from './layout.ts';
import { paragraphWriter } from './paragraphs.ts';
import { titleKey } from './patterns.ts';
import { addRow, isTableHead, isTableLine, type OpenTable, tableBlock } from './tables.ts';

type Leveled = StructuredPdf['headings'][number];

/** A company's name above every statement is no part of its title. */
const COMPANY = /\b(?:inc|corp|co|plc|ltd|company|companies|subsidiaries|corporation|group)\b\.?,?$/i;

export function toBlocks({ pages, headings, words }: StructuredPdf): Block[] {
  const blocks: Block[] = [];
  const paragraphs = paragraphWriter(words);
  const titles = withoutNames(headings);
  const titleKeys = new Set(titles.map((heading) => titleKey(heading.text)));
  let table: OpenTable | undefined;
  let open: Leveled[] = [];

  const endText = () => blocks.push(...paragraphs.flush());
  const endTable = () => {
    const block = table && tableBlock(table, titleKeys);
    if (block) blocks.push(block);
    table = undefined;
  };

  const startHeading = (heading: Leveled) => {
    const before = open.findLast((other) => other.text.toLowerCase() === heading.text.toLowerCase());
    // The heading of a part that goes on over the page says nothing new.
    if (before !== undefined && before === open.at(-1) && before.page !== heading.page) return;
    endText();
    endTable();
    const level = heading.continued && before ? before.level : heading.level;
    open = [...open.filter((other) => other.level < level), { ...heading, level }];
    blocks.push({ kind: 'heading', text: heading.text, level, page: heading.page + 1 });
  };

  pages.forEach((page, i) => {
    const number = i + 1;
    const here = titles.filter((heading) => heading.page === i);
    const headingAt = new Set(here.map((heading) => heading.first));
    const headingLines = new Set(here.flatMap((heading) => heading.lines));
    for (const line of page.lines) {
      while (here[0] && here[0].first <= line.index) startHeading(here.shift() ?? here[0]);
      if (line.running !== '' || headingLines.has(line)) continue;
      if (page.contents && (line.contentsEntry || line.inTable)) continue;
      if (isTableLine(line) || isTableHead(page, line, headingAt, table !== undefined)) {
        endText();
        if (table && table.column !== line.column) endTable();
        table ??= { rows: [], column: line.column };
        addRow(table, line, number);
      } else {
        endTable();
        paragraphs.add(line, number, page.leading);
      }
    }
    for (const heading of here) startHeading(heading);
    if (table && !runsOver(pages[i + 1])) endTable();
  });
  endText();
  endTable();
  return blocks;
}

function runsOver(next: Page | undefined): boolean {
  return next?.lines.some((line) => line.inTable) === true;
}

/** Drops a name that stands right above a title in the same style: "Acme Inc. and Subsidiaries / Balance Sheets". */
function withoutNames(headings: readonly Leveled[]): Leveled[] {
  const counts = new Map<string, number>();
  for (const { text } of headings) counts.set(text.toLowerCase(), (counts.get(text.toLowerCase()) ?? 0) + 1);
  return headings.filter((heading, i) => {
    const next = headings[i + 1];
    if (!next || heading.virtual || !isStacked(heading, next) || heading.words > 8 || heading.numbering)
      return true;
    return (counts.get(heading.text.toLowerCase()) ?? 0) < 3 && !COMPANY.test(heading.text);
  });
}

function isStacked(upper: Heading, lower: Heading): boolean {
  const [a, b] = [upper.lines[0], lower.lines[0]];
  if (!a || !b || upper.page !== lower.page || lower.first !== upper.last + 1) return false;
  return Math.abs(a.size - b.size) < 0.5 && upper.bold === lower.bold && upper.italic === lower.italic;
}
