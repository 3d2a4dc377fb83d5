/** EPUB: its XHTML files in reading order; where one has no heading, the book's own contents name it. */
import { type Block, type ParsedDocument, ParseError } from '../document.ts';
import { cleanText, oneLine } from './clean.ts';
import { damaged } from './detect.ts';
import { readHtml } from './html/html.ts';
import type { ParseLimits } from './limits.ts';
import type { Archive } from './zip/archive.ts';
import { resolvePart } from './zip/package.ts';
import { readXml } from './zip/xml.ts';

interface Item {
  readonly part: string;
  readonly type: string;
  readonly properties: string;
}

export function readEpub(archive: Archive, limits: ParseLimits): ParsedDocument {
  refuseProtected(archive, limits);
  const opf = packagePart(archive, limits);
  const source = archive.text(opf);
  if (source === undefined) throw damaged('epub');
  const { title, items, spine, contents } = readPackage(source, opf, limits);
  const names = namesOf(archive, contents, limits);
  const blocks = spine.flatMap((id) => {
    const item = items.get(id);
    if (!item || !/html/.test(item.type) || item.properties.split(' ').includes('nav')) return [];
    const read = readHtml(archive.text(item.part) ?? '').blocks;
    return withName(read, names.get(item.part));
  });
  return { title, blocks };
}

/** Fonts may be garbled; text that is encrypted belongs to a shop's reader. */
function refuseProtected(archive: Archive, limits: ParseLimits): void {
  const source = archive.text('META-INF/encryption.xml');
  if (source === undefined) return;
  readXml(source, limits, {
    open(name, { URI }) {
      if (name !== 'CipherReference' || !/\.(?:x?html?|xml|opf)$/i.test(URI ?? '')) return;
      throw new ParseError(
        'encrypted',
        'This book is protected against copying. Ingest a version without protection.',
      );
    },
  });
}

function packagePart(archive: Archive, limits: ParseLimits): string {
  let part = '';
  readXml(archive.text('META-INF/container.xml') ?? '<container/>', limits, {
    open(name, attributes) {
      if (name === 'rootfile') part ||= attributes['full-path'] ?? '';
    },
  });
  return part;
}

function readPackage(source: string, opf: string, limits: ParseLimits) {
  const items = new Map<string, Item>();
  const spine: string[] = [];
  let title = '';
  let ncx: string | undefined;
  let inTitle = false;
  readXml(source, limits, {
    open(name, { id, href, idref, properties, toc, 'media-type': type, linear }) {
      inTitle = name === 'title' && title === '';
      if (name === 'item')
        items.set(id ?? '', {
          part: partOf(opf, href ?? ''),
          type: type ?? '',
          properties: properties ?? '',
        });
      if (name === 'spine') ncx = toc;
      if (name === 'itemref' && linear !== 'no') spine.push(idref ?? '');
    },
    close() {
      inTitle = false;
    },
    text(text) {
      if (inTitle) title += text;
    },
  });
  const nav = [...items.values()].find((item) => item.properties.split(' ').includes('nav'));
  return {
    title: oneLine(cleanText(title)),
    items,
    spine,
    contents: nav?.part ?? items.get(ncx ?? '')?.part,
  };
}

/** References are URLs: escaped, and with a fragment. */
function partOf(from: string, href: string): string {
  const path = href.replace(/#.*$/, '');
  try {
    return resolvePart(from, decodeURIComponent(path));
  } catch {
    return resolvePart(from, path);
  }
}

/** Titles of whole files, from an EPUB 3 navigation document or an EPUB 2 NCX. */
function namesOf(archive: Archive, contents: string | undefined, limits: ParseLimits): Map<string, string> {
  const names = new Map<string, string>();
  const source = contents === undefined ? undefined : archive.text(contents);
  if (source === undefined || contents === undefined) return names;
  let text = '';
  let target = '';
  const name = () => {
    const title = oneLine(cleanText(text));
    if (target !== '' && !target.includes('#') && title !== '' && !names.has(partOf(contents, target)))
      names.set(partOf(contents, target), title);
    text = '';
    target = '';
  };
  readXml(source, limits, {
    open(element, { href, src }) {
      if (element === 'a') {
        target = href ?? '';
        text = '';
      } else if (element === 'navLabel') text = '';
      else if (element === 'content') {
        target = src ?? '';
        name();
      }
    },
    close(element) {
      if (element === 'a') name();
    },
    text(part) {
      text += part;
    },
  });
  return names;
}

function withName(blocks: readonly Block[], name: string | undefined): readonly Block[] {
  if (name === undefined || blocks.length === 0 || blocks.some((block) => block.kind === 'heading'))
    return blocks;
  return [{ kind: 'heading', text: name, level: 1 }, ...blocks];
}
