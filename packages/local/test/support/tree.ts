import type { ParsedDocument } from '../../src/document.ts';
import { parseDocument } from '../../src/parse/parse.ts';
import { cutSections } from '../../src/sections.ts';

/** Headings as an indented outline, other blocks by kind: what the expected trees in the tests are written in. */
export function outline(parsed: ParsedDocument): string[] {
  return parsed.blocks.map((block) => {
    if (block.kind === 'heading') return `${'#'.repeat(block.level)} ${block.text}`;
    if (block.kind === 'table') return `table[${block.headerRows}] ${block.rows.join(' / ')}`;
    return `${block.kind}: ${block.text.replaceAll('\n', ' / ')}`;
  });
}

export function parseText(filename: string, text: string, contentType?: string) {
  return parseDocument({ bytes: new TextEncoder().encode(text), filename, contentType });
}

export async function sectionsOf(filename: string, text: string) {
  return cutSections(await parseText(filename, text));
}
