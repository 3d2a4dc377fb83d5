/** CSV and TSV: one table, its first row the header. */
import Papa from 'papaparse';
import type { ParsedDocument } from '../document.ts';
import { cleanText, oneLine } from './clean.ts';
import type { ParseLimits } from './limits.ts';
import { gridBlock, tooManyRows } from './table-rows.ts';

/** Throws `too_large` past the limit of rows. */
export function readCsv(source: string, filename: string, limits: ParseLimits): ParsedDocument {
  const tabs = /\.tsv$/i.test(filename) ? { delimiter: '\t' } : {};
  const { data } = Papa.parse<string[]>(source.replace(/^\ufeff/, ''), {
    ...tabs,
    skipEmptyLines: 'greedy',
    preview: limits.rows + 1,
  });
  if (data.length > limits.rows) throw tooManyRows(limits.rows);
  const grid = data.map((row) => row.map((cell) => oneLine(cleanText(cell))));
  const table = gridBlock(grid);
  const name = filename.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, '');
  return { title: '', blocks: table ? [{ kind: 'heading', text: name || 'Table', level: 1 }, table] : [] };
}
