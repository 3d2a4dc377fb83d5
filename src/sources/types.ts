/** The kinds of document that a Vectorless server can parse: names, MIME types, and what their bytes look like. */

export interface DocumentType {
  /** As a sentence names it: "a PDF", "a Word document". */
  readonly name: string;
  /** Without the dot; the first is the usual one. */
  readonly extensions: readonly string[];
  /** The first is what is sent. */
  readonly mimeTypes: readonly string[];
  readonly container: 'pdf' | 'zip' | 'text';
  /** In a zip container: how the name of the entry begins that only this type has. */
  readonly entry?: string;
  /** Only the embedded engine parses it. */
  readonly localOnly?: true;
}

const office = 'application/vnd.openxmlformats-officedocument';

export const documentTypes: readonly DocumentType[] = [
  {
    name: 'a PDF',
    extensions: ['pdf'],
    mimeTypes: ['application/pdf', 'application/x-pdf'],
    container: 'pdf',
  },
  {
    ...{ name: 'a Word document', extensions: ['docx'], container: 'zip', entry: 'word/' },
    mimeTypes: [`${office}.wordprocessingml.document`],
  },
  {
    ...{ name: 'an Excel workbook', extensions: ['xlsx'], container: 'zip', entry: 'xl/' },
    mimeTypes: [`${office}.spreadsheetml.sheet`],
  },
  {
    ...{ name: 'a PowerPoint presentation', extensions: ['pptx'], container: 'zip', entry: 'ppt/' },
    ...{ mimeTypes: [`${office}.presentationml.presentation`], localOnly: true },
  },
  {
    ...{ name: 'an EPUB book', extensions: ['epub'], container: 'zip', entry: 'META-INF/container.xml' },
    ...{ mimeTypes: ['application/epub+zip'], localOnly: true },
  },
  {
    ...{ name: 'a Markdown file', extensions: ['md', 'markdown'], container: 'text' },
    mimeTypes: ['text/markdown', 'text/x-markdown'],
  },
  {
    ...{ name: 'an HTML page', extensions: ['html', 'htm', 'xhtml'], container: 'text' },
    mimeTypes: ['text/html', 'application/xhtml+xml'],
  },
  {
    ...{ name: 'a CSV table', extensions: ['csv'], container: 'text' },
    mimeTypes: ['text/csv', 'application/csv'],
  },
  { name: 'a text file', extensions: ['txt'], mimeTypes: ['text/plain'], container: 'text' },
];

/** Lower case, without the dot; empty when the name has none. */
export function extensionOf(filename: string): string {
  return /[^.\\/]\.([a-z][a-z0-9]{0,9})$/i.exec(filename)?.[1]?.toLowerCase() ?? '';
}

export function typeByExtension(filename: string): DocumentType | undefined {
  const extension = extensionOf(filename);
  return documentTypes.find((type) => type.extensions.includes(extension));
}

/** Parameters (`; charset=…`) do not matter. */
export function typeByMime(contentType: string): DocumentType | undefined {
  const mime = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return documentTypes.find((type) => type.mimeTypes.includes(mime));
}

/** What is sent for a type. */
export function mimeOf(type: DocumentType): string {
  return type.mimeTypes[0] ?? 'application/octet-stream';
}

/** The usual extension with its dot. */
export function suffixOf(type: DocumentType): string {
  return `.${type.extensions[0]}`;
}

/** `.pdf, .docx, …`: what can be ingested here. */
export function parseableExtensions(local: boolean): string {
  return documentTypes
    .filter((type) => local || type.localOnly === undefined)
    .map(suffixOf)
    .join(', ');
}
