import { VectorlessError } from './errors.ts';

/** One segment of a path. Dots are refused: encoded or not, a URL parser reads them as "here" and "up". */
export function segment(id: string, what: string): string {
  // By way of UTF-8: half a surrogate pair would make encodeURIComponent throw.
  if (id !== '' && id !== '.' && id !== '..') return encodeURIComponent(Buffer.from(id).toString());
  throw new VectorlessError({ code: 'invalid_request', message: `"${id}" is not a ${what} id.` });
}

/** Parameters that are set, as a query string with its `?`, or nothing. */
export function queryString(params: Readonly<Record<string, string | number | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) search.set(name, String(value));
  }
  const encoded = search.toString();
  return encoded === '' ? '' : `?${encoded}`;
}
