/** What one document may cost. The wall clock and memory are limited from outside, by whoever runs the parser. */
export interface ParseLimits {
  /** Characters of decoded text, for the formats that are text. */
  readonly textChars: number;
  readonly pages: number;
  /** Text items on one PDF page; a page past it is read up to here. */
  readonly pageItems: number;
  readonly pageMs: number;
  /** Zip containers: entries, real inflated bytes of one entry and of all that is read. */
  readonly zipEntries: number;
  readonly zipEntryBytes: number;
  readonly zipTotalBytes: number;
  /** Nesting of XML elements. */
  readonly xmlDepth: number;
  /** Rows of all tables of a spreadsheet or CSV file. */
  readonly rows: number;
}

export const DEFAULT_LIMITS: ParseLimits = {
  textChars: 64_000_000,
  pages: 5_000,
  pageItems: 50_000,
  pageMs: 5_000,
  zipEntries: 20_000,
  zipEntryBytes: 64_000_000,
  zipTotalBytes: 192_000_000,
  xmlDepth: 512,
  rows: 500_000,
};
