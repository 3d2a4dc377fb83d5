/** Which parser the server would choose, and what it would say of a file that it cannot read. */

interface File {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

const office = 'application/vnd.openxmlformats-officedocument.';

/** First match wins, by type or by extension: `notes.md` sent as text/plain is Markdown. */
const parsers: readonly (readonly [name: string, types: readonly string[], extensions: readonly string[]])[] =
  [
    ['markdown', ['text/markdown', 'text/x-markdown'], ['md', 'markdown']],
    ['html', ['text/html', 'application/xhtml+xml'], ['html', 'htm', 'xhtml']],
    ['docx', [`${office}wordprocessingml.document`], ['docx']],
    ['xlsx', [`${office}spreadsheetml.sheet`], ['xlsx']],
    ['csv', ['text/csv', 'application/csv'], ['csv']],
    ['pdf', ['application/pdf'], ['pdf']],
    ['text', ['text/plain'], ['txt']],
  ];

export function parserFor({ filename, contentType }: Omit<File, 'bytes'>): string | undefined {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const extension = extensionOf(filename);
  return parsers.find(([, types, extensions]) => types.includes(type) || extensions.includes(extension))?.[0];
}

/** The type for a part that came without one; `docx` is known to S alone. */
export function guessType(filename: string, dialect: 'S' | 'E'): string {
  const extension = extensionOf(filename);
  if (extension === 'docx' && dialect === 'E') return 'application/octet-stream';
  if (extension === 'xlsx' || extension === 'csv') return 'application/octet-stream';
  return (
    parsers.find(([, , extensions]) => extensions.includes(extension))?.[1][0] ?? 'application/octet-stream'
  );
}

/** The `error_message` with which the document ends, or an empty string. */
export function unreadable(file: File): string {
  const parser = parserFor(file);
  if (parser === undefined) {
    return `parse: parser: no parser for content type: "${file.filename}" (${file.contentType})`;
  }
  const text = new TextDecoder('latin1').decode(file.bytes);
  if ((parser === 'docx' || parser === 'xlsx') && !text.startsWith('PK')) {
    return `parse: ${parser}: not a valid zip: zip: not a valid zip file`;
  }
  if (parser !== 'pdf') return '';
  if (text.includes('/Encrypt')) return 'parse: pdf: open: encrypted document: password required';
  // The fake reads no real PDF: text with page markers, sent as application/pdf, stands for one.
  return text.includes('[[page ') ? '' : 'parse: pdf: parsed but no extractable text (scanned images?)';
}

function extensionOf(filename: string): string {
  return /\.([^./\\]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
}
