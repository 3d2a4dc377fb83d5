/** What parsing hands to indexing: blocks in reading order, then sections cut from them. */

/** One run of text in reading order. Pages, slides and sheets count from 1. */
export type Block =
  | {
      readonly kind: 'heading';
      readonly text: string;
      /** 1 is the outermost. */
      readonly level: number;
      readonly page?: number;
    }
  | {
      readonly kind: 'text' | 'code';
      /** A list is one block, an item a line. */
      readonly text: string;
      readonly page?: number;
      /** Where it ends, when not on `page`. */
      readonly pageEnd?: number;
    }
  | {
      readonly kind: 'table';
      /** Rows as read: cells joined by ` | `. The header rows come first and are repeated when a table is cut. */
      readonly rows: readonly string[];
      readonly headerRows: number;
      /** Page of each row, where a table runs over pages. */
      readonly page?: number;
      readonly rowPages?: readonly number[];
    };

export interface ParsedDocument {
  /** Empty when the file does not say; the file name then serves. */
  readonly title: string;
  readonly blocks: readonly Block[];
  readonly pageCount?: number;
  /** Pages whose text could be read. */
  readonly pagesRead?: number;
}

/**
 * One section of the tree, at most about 350 words of its own text, never 500. A heading with nothing but headings below
 * it has an empty `text`: it is there for the tree, and is not ranked.
 */
export interface ParsedSection {
  /** Own heading; a continuation of a long section keeps its heading. May be empty before the first heading. */
  readonly title: string;
  /** Titles of the headings above, outermost first, without the own title. */
  readonly headingPath: readonly string[];
  /** 0 for a top-level section. */
  readonly depth: number;
  /** Index of the parent in the document's list, or -1. */
  readonly parent: number;
  readonly pageStart?: number;
  readonly pageEnd?: number;
  /** The section as an agent reads it: Markdown, headings of merged small sections included. */
  readonly text: string;
  /** Labels of the rows of its numeric tables: what row centrality counts. */
  readonly rowLabels: readonly string[];
  /** Headings that were merged into this section, own title included: the title field of the index. */
  readonly titles: readonly string[];
}

/** Why a file cannot be indexed: `code` is stable, `message` is the sentence a person reads. */
export class ParseError extends Error {
  override readonly name = 'ParseError';
  readonly code:
    | 'empty'
    | 'unsupported'
    | 'encrypted'
    | 'no_text'
    | 'unreadable_text'
    | 'invalid'
    | 'too_large'
    | 'too_slow';

  constructor(code: ParseError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
