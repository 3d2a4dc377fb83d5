/** The part of pdf.js that is used here. Its own types want the DOM's. */

export interface StructureNode {
  readonly role?: string;
  readonly type?: string;
  readonly id?: string;
  readonly children?: readonly StructureNode[];
}

export type TextContentItem =
  | {
      readonly str: string;
      readonly transform: readonly number[];
      readonly width: number;
      readonly height: number;
      readonly fontName: string;
    }
  | {
      readonly type: string;
      readonly id?: string;
      readonly tag?: string;
    };

export interface PdfPage {
  getViewport(options: { scale: number }): { readonly width: number; readonly height: number };
  streamTextContent(options: { includeMarkedContent: boolean }): {
    getReader(): {
      read(): Promise<{
        readonly value: { readonly items: readonly TextContentItem[] };
        readonly done: boolean;
      }>;
      cancel(reason: Error): Promise<void>;
    };
  };
  getOperatorList(): Promise<unknown>;
  getStructTree(): Promise<StructureNode | null>;
  readonly commonObjs: {
    get(id: string, callback: (font: { readonly name?: string } | null) => void): unknown;
  };
  cleanup(): unknown;
}

export interface OutlineNode {
  readonly title: string;
  readonly dest: string | readonly unknown[] | null;
  readonly items: readonly OutlineNode[];
}

export interface PdfDocument {
  readonly numPages: number;
  getMarkInfo(): Promise<{ readonly Marked?: boolean } | null>;
  getPage(number: number): Promise<PdfPage>;
  getMetadata(): Promise<{ readonly info: object }>;
  getOutline(): Promise<readonly OutlineNode[] | null>;
  getDestination(name: string): Promise<readonly unknown[] | null>;
  getPageIndex(reference: { num: number; gen: number }): Promise<number>;
  destroy(): Promise<void>;
}
