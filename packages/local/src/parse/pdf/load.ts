/** Opens a PDF with pdf.js and reads what layout needs, each page within its bounds. */
import './polyfill.ts';
import { ParseError } from '../../document.ts';
import { damaged, encryptedFile } from '../detect.ts';
import type { ParseLimits } from '../limits.ts';
import { fontStyle } from './fonts.ts';
import type { FontStyle, RawPage, RawPdf, TextItem } from './layout.ts';
import { readOutline } from './outline.ts';
import type { PdfDocument, PdfPage, StructureNode, TextContentItem } from './pdfjs.ts';

const OPTIONS = {
  verbosity: 0,
  // Pictures are not read: above this many pixels they are not even decoded.
  maxImageSize: 1024,
  isEvalSupported: false,
  disableFontFace: true,
  useSystemFonts: false,
  stopAtErrors: false,
};
/** pdf.js never answers for a font that failed to load. */
const FONT_WAIT_MS = 200;
/** Marked content nests; deeper than this it is an attack. */
const MAX_STRUCTURE_NODES = 50_000;

const UNTAGGED = { roles: new Map<string, string>(), headings: 0 };

/** Throws `encrypted`, `invalid`, `too_large`. Pages that fail are empty; if all fail the file is invalid. */
export async function loadPdf(bytes: Uint8Array, limits: ParseLimits): Promise<RawPdf> {
  const pdf = await open(bytes);
  try {
    const count = pdf.numPages;
    if (!Number.isInteger(count) || count < 1) throw damaged('pdf');
    if (count > limits.pages) {
      throw new ParseError(
        'too_large',
        `This PDF has ${count} pages; at most ${limits.pages} are read. Split it and ingest the parts.`,
      );
    }
    const tagged = (await pdf.getMarkInfo().catch(() => null))?.Marked === true;
    const fonts = new Map<string, FontStyle>();
    const pages: RawPage[] = [];
    let failed = 0;
    let taggedHeadings = 0;
    for (let number = 1; number <= count; number++) {
      try {
        const page = await pdf.getPage(number);
        const structure = tagged ? await readRoles(page) : UNTAGGED;
        taggedHeadings += structure.headings;
        pages.push(await readPage(page, structure.roles, fonts, limits));
        page.cleanup();
      } catch {
        failed++;
        pages.push({ width: 0, height: 0, items: [], roles: new Map() });
      }
    }
    if (failed === count) throw damaged('pdf');
    if (pages.every((page) => page.cut || page.items.length === 0) && pages.some((page) => page.cut))
      throw tooMuch();
    const outline = await readOutline(pdf);
    return { pages, fonts, outline, title: await readTitle(pdf), taggedHeadings };
  } finally {
    await pdf.destroy().catch(() => undefined);
  }
}

function tooMuch(): ParseError {
  return new ParseError(
    'too_slow',
    'No page of this PDF could be read within its limits: it is damaged, or made to hold too much. Print it to a new PDF and ingest that.',
  );
}

async function open(bytes: Uint8Array): Promise<PdfDocument> {
  const { getDocumentProxy } = await import('unpdf');
  try {
    // pdf.js takes the buffer for itself.
    return await getDocumentProxy(new Uint8Array(bytes), OPTIONS);
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    throw name === 'PasswordException' ? encryptedFile('PDF') : damaged('pdf');
  }
}

async function readTitle(pdf: PdfDocument): Promise<string> {
  const metadata = await pdf.getMetadata().catch(() => undefined);
  const info: object = metadata?.info ?? {};
  return 'Title' in info && typeof info.Title === 'string' ? info.Title : '';
}

async function readPage(
  page: PdfPage,
  roles: ReadonlyMap<string, string>,
  fonts: Map<string, FontStyle>,
  limits: ParseLimits,
): Promise<RawPage> {
  const { width, height } = page.getViewport({ scale: 1 });
  const items: TextItem[] = [];
  const open: (string | undefined)[] = [];
  // Marked content doubles the items: it is asked for only where it has roles.
  const content = await readItems(page, roles.size > 0, limits);
  for (const item of content.items) {
    if ('str' in item) items.push(toItem(item, open.at(-1)));
    else if (item.type === 'endMarkedContent') open.pop();
    else open.push(item.tag === 'Artifact' ? undefined : (item.id ?? open.at(-1)));
  }
  // What was too much as text is too much as operators.
  if (content.whole) await loadFonts(page, items, fonts);
  return { width, height, items, roles, cut: !content.whole };
}

/** Reads as a stream, because a page of millions of operators would never end as a whole. */
async function readItems(
  page: PdfPage,
  includeMarkedContent: boolean,
  limits: ParseLimits,
): Promise<{ items: TextContentItem[]; whole: boolean }> {
  const reader = page.streamTextContent({ includeMarkedContent }).getReader();
  const items: TextContentItem[] = [];
  const deadline = Date.now() + limits.pageMs;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return { items, whole: true };
    for (const item of value.items) items.push(item);
    if (items.length > limits.pageItems || Date.now() > deadline) {
      await reader.cancel(new Error('page limit'));
      return { items: items.slice(0, limits.pageItems), whole: false };
    }
  }
}

function toItem(item: Extract<TextContentItem, { str: string }>, tag: string | undefined): TextItem {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = item.transform;
  const level = Math.abs(b) <= Math.abs(a) * 0.2 && a >= 0;
  return {
    text: item.str,
    x: tenth(x),
    y: tenth(y),
    size: tenth(Math.hypot(c, d) || item.height),
    width: tenth(item.width),
    font: item.fontName,
    angle: level ? 0 : Math.round((Math.atan2(b, a) * 180) / Math.PI),
    tag,
  };
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Font names come with the operator list, which is costly: it is asked for only where a new font appears. */
async function loadFonts(
  page: PdfPage,
  items: readonly TextItem[],
  fonts: Map<string, FontStyle>,
): Promise<void> {
  const unseen = new Set(items.map((item) => item.font).filter((font) => font && !fonts.has(font)));
  if (unseen.size === 0) return;
  try {
    await page.getOperatorList();
    await Promise.all(
      [...unseen].map(async (id) => fonts.set(id, fontStyle((await fontName(page, id)) ?? ''))),
    );
  } catch {
    for (const id of unseen) fonts.set(id, fontStyle(''));
  }
}

function fontName(page: PdfPage, id: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, FONT_WAIT_MS, undefined);
    page.commonObjs.get(id, (font: { readonly name?: string } | null) => {
      clearTimeout(timer);
      resolve(font?.name);
    });
  });
}

/** Which marked content is a heading, a caption, a cell: the nearest role that matters, from the structure tree. */
async function readRoles(page: PdfPage): Promise<{ roles: Map<string, string>; headings: number }> {
  const roles = new Map<string, string>();
  let headings = 0;
  const root = await page.getStructTree().catch(() => null);
  const todo: { node: StructureNode; role: string | undefined }[] = root
    ? [{ node: root, role: undefined }]
    : [];
  let seen = 0;
  for (let next = todo.pop(); next && seen < MAX_STRUCTURE_NODES; next = todo.pop(), seen++) {
    const { node, role } = next;
    if (node.type === 'content') {
      if (node.id && role) roles.set(node.id, role);
      continue;
    }
    const heading = /^H[1-6]?$/.test(node.role ?? '');
    if (heading) headings++;
    const named = heading || /^(?:TOC|TOCI|Caption|Note|TD|TH|Figure|Artifact)$/.test(node.role ?? '');
    for (const child of node.children ?? []) todo.push({ node: child, role: named ? node.role : role });
  }
  return { roles, headings };
}
