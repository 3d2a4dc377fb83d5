/** What a PDF page is made of, from text items at places to lines with what later passes find out about them. */

/** A run of text as the file places it; `y` counts from the bottom, sizes are in points. */
export interface TextItem {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly width: number;
  /** Font id, a key of `RawPdf.fonts`. */
  readonly font: string;
  /** Whole degrees against the horizontal. */
  readonly angle: number;
  /** Marked content that the item is in: a key of `RawPage.roles`. */
  readonly tag: string | undefined;
}

export interface FontStyle {
  readonly name: string;
  readonly bold: boolean;
  readonly italic: boolean;
}

export interface RawPage {
  readonly width: number;
  readonly height: number;
  readonly items: readonly TextItem[];
  /** Roles of tagged content (`H1`, `Caption`, `TD`…) by marked content id. */
  readonly roles: ReadonlyMap<string, string>;
  /** It held too much or took too long; `items` are what came before that. */
  readonly cut?: boolean;
}

export interface OutlineEntry {
  readonly title: string;
  /** 1 is the outermost. */
  readonly level: number;
  /** Counts from 0. */
  readonly page: number;
  readonly y: number | undefined;
}

export interface RawPdf {
  readonly pages: readonly RawPage[];
  readonly fonts: ReadonlyMap<string, FontStyle>;
  readonly outline: readonly OutlineEntry[];
  readonly title: string;
  /** H elements in the structure trees. */
  readonly taggedHeadings: number;
}

export interface Cell {
  text: string;
  readonly x0: number;
  x1: number;
}

/** How a line belongs to a table, by itself: a row with numbers, only numbers, or three cells and more. */
export type RowKind = 'numeric' | 'numbers' | 'cells' | '';

export interface Box {
  readonly left: number;
  readonly right: number;
}

export interface Line {
  text: string;
  cells: Cell[];
  x0: number;
  x1: number;
  readonly y: number;
  readonly size: number;
  /** Share of the letters that are bold or italic, 0 to 1. */
  readonly bold: number;
  readonly italic: number;
  readonly font: string;
  readonly tags: readonly string[];
  /** 0 for a line across the page, else the column from 1. */
  column: number;
  /** Place on its page. */
  index: number;
  /** Distance to the line above and below in the same column, infinite at its ends. */
  gap: number;
  below: number;
  /** The column's usual left and right edge. */
  box: Box;
  row: RowKind;
  /** Running head or foot, page number: not part of the text. */
  running: '' | 'repeated' | 'page-number';
  /** Inside the region of a table. */
  inTable: boolean;
  footnote: boolean;
  contentsEntry: boolean;
}

export interface Page {
  readonly lines: Line[];
  readonly width: number;
  readonly height: number;
  /** Set sideways as a whole, and turned here. */
  readonly rotated: boolean;
  readonly roles: ReadonlyMap<string, string>;
  /** Usual line distance in sizes, and the size most of the page is set in. */
  leading: number;
  modalSize: number;
  /** A page of contents. */
  contents: boolean;
}
