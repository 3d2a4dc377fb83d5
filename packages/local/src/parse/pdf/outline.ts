/** The file's own outline (bookmarks), flattened. */
import { cleanText, oneLine } from '../clean.ts';
import type { OutlineEntry } from './layout.ts';
import type { OutlineNode, PdfDocument } from './pdfjs.ts';

const MAX_ENTRIES = 5_000;
/** Also what ends an outline that contains itself. */
const MAX_LEVEL = 12;

export async function readOutline(pdf: PdfDocument): Promise<OutlineEntry[]> {
  const entries: OutlineEntry[] = [];
  const walk = async (nodes: readonly OutlineNode[], level: number): Promise<void> => {
    for (const node of nodes) {
      if (entries.length >= MAX_ENTRIES || level > MAX_LEVEL) return;
      const target = await resolve(pdf, node.dest).catch(() => undefined);
      if (target) entries.push({ title: oneLine(cleanText(node.title)), level, ...target });
      await walk(node.items, level + 1);
    }
  };
  await walk((await pdf.getOutline().catch(() => null)) ?? [], 1);
  return entries;
}

async function resolve(pdf: PdfDocument, destination: OutlineNode['dest']) {
  const dest = typeof destination === 'string' ? await pdf.getDestination(destination) : destination;
  if (!dest) return undefined;
  const [target, kind, left, top] = dest;
  const page =
    typeof target === 'number' ? target : isReference(target) ? await pdf.getPageIndex(target) : -1;
  if (page < 0) return undefined;
  const name = typeof kind === 'object' && kind !== null && 'name' in kind ? kind.name : '';
  const y = name === 'XYZ' ? top : name === 'FitH' || name === 'FitBH' ? left : undefined;
  return { page, y: typeof y === 'number' ? y : undefined };
}

function isReference(target: unknown): target is { num: number; gen: number } {
  return typeof target === 'object' && target !== null && 'num' in target && 'gen' in target;
}
