export type PdfFont = 'regular' | 'bold' | 'italic' | 'mono';

export interface PdfItem {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size?: number;
  readonly font?: PdfFont;
  readonly angle?: number;
}

export function textWidth(text: string, font: PdfFont, size: number): number;

export function writePdf(input: {
  readonly pages: readonly (readonly PdfItem[])[];
  readonly outline?: readonly { readonly title: string; readonly page: number; readonly level: number }[];
  readonly title?: string;
  readonly width?: number;
  readonly height?: number;
}): Buffer;
