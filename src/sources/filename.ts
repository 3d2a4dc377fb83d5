import { type DocumentType, mimeOf, suffixOf, typeByExtension } from './types.ts';

/** A name without folders, control characters or a length that a server may refuse; never empty. */
export function plainName(given: string): string {
  const last = given.normalize('NFC').split(/[\\/]/).at(-1) ?? '';
  const clean = last
    .replace(/\p{Cc}|\p{Cf}/gu, '')
    .replace(/\p{Zs}+/gu, ' ')
    .replace(/^[.\s]+|\s+$/g, '');
  if (clean.length <= 150) return clean === '' ? 'document' : clean;
  const dot = clean.lastIndexOf('.');
  const suffix = dot > clean.length - 12 ? clean.slice(dot) : '';
  return `${[...clean].slice(0, 130).join('').trim()}${suffix}`;
}

/** The name with an extension that says the type: servers choose the parser by it. */
export function withSuffix(filename: string, type: DocumentType): string {
  const named = typeByExtension(filename);
  return named !== undefined && mimeOf(named) === mimeOf(type) ? filename : `${filename}${suffixOf(type)}`;
}
