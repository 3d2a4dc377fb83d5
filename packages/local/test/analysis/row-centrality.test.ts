import { expect, test } from 'vitest';
import { analyse } from '../../src/analysis/analyse.ts';
import { ENGLISH } from '../../src/analysis/languages.ts';
import { rowCentrality } from '../../src/analysis/row-centrality.ts';
import type { ParsedSection } from '../../src/document.ts';
import { rowLabel } from '../../src/row-label.ts';

function section(title: string, text: string): ParsedSection {
  const rowLabels = text.split('\n').map(rowLabel).filter(Boolean);
  return { title, headingPath: [], depth: 0, parent: -1, text, rowLabels, titles: [title] };
}

const statement = section(
  'Statement',
  'Cash and equivalents | 12 | 10\nAccounts receivable | 7 | 6\nLong-term debt | 30 | 31\nNet income | 4 | 5',
);
const minor = section('Minor', 'Parking lots | 3 | 4\nVending machines | 1 | 2');
const contents = section(
  'Contents',
  'Accounts receivable | 3\nLong-term debt | 4\nNet income | 7\nCash equivalents | 9\nParking lots | 12',
);
const prose = [
  section('A', 'Accounts receivable grew. Net income fell because long-term debt cost more.'),
  section('B', 'Our long-term debt is described above. Net income is what counts.'),
];

function centralities(...sections: ParsedSection[]): number[] {
  return [
    ...rowCentrality(
      sections,
      sections.map(({ text }) => analyse(text)),
      ENGLISH,
    ),
  ];
}

test('the table that the document talks about comes first, prose gets nothing', () => {
  const [main = 0, other = 0, ...rest] = centralities(statement, minor, ...prose);
  expect(main).toBeGreaterThan(100);
  expect(other).toBeLessThan(main / 3);
  expect(rest).toEqual([0, 0]);
});

test('full marks are for a table that the whole document talks about, not for the only one there is', () => {
  const labels = [
    'net income',
    'total debt',
    'gross profit',
    'cash flow',
    'trade receivables',
    'paid dividends',
  ];
  const table = section('T', labels.map((label) => `${label} | 4 | 5`).join('\n'));
  const talk = Array.from({ length: 12 }, (_, i) => section(`${i}`, `Here ${labels.join(', then ')}.`));
  const silence = Array.from({ length: 12 }, (_, i) =>
    section(`${i}`, 'The tenant pays the rent on the first.'),
  );
  expect(centralities(table, ...talk)[0]).toBe(255);
  const mentioned = section('M', 'Cash flow and total debt are defined here.');
  expect(centralities(table, mentioned, ...silence)[0]).toBeLessThan(50);
});

test('a table of contents is no table', () => {
  expect(centralities(statement, contents, ...prose)[1]).toBe(0);
});

test('a document without tables has none that matter', () => {
  expect(centralities(...prose)).toEqual([0, 0]);
});
