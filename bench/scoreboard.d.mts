export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit?: string;
  readonly bare?: number;
  readonly floor?: number;
  readonly bar?: string;
}
export function isMet(row: Pick<Row, 'value' | 'bare' | 'bar'>): boolean | undefined;
export function tableOf(rows: readonly Row[]): string[];
