// How rows of the scoreboard are read: ratios, and whether a bar is met.

/** "≤ 65 MB", "≤ 1.25 × bare", "≤ bare + 0.2 ms", "= 0": compared with the row's value. @throws for a bar that cannot be read. */
export function isMet({ value, bare, bar }) {
  if (bar === undefined || bar === '–') return undefined;
  const parts = /^([≤≥<=]) (bare \+ )?([\d,.]+)(?: (× bare)| \S+)?$/.exec(bar);
  if (parts === null) throw new Error(`no such bar: ${bar}`);
  const [, sign, isOver, figure, isRatio] = parts;
  if ((isOver || isRatio) && bare === undefined) throw new Error(`nothing to compare with: ${bar}`);
  const limit = Number(figure.replaceAll(',', '')) * (isRatio ? bare : 1) + (isOver ? bare : 0);
  return { '≤': value <= limit, '≥': value >= limit, '<': value < limit, '=': value === limit }[sign];
}

const number = (value) => (value === undefined ? '' : Number(value.toPrecision(3)).toLocaleString('en'));
const ratio = (value, other) => (other === undefined ? '' : `${number(value / other)} ×`);

/** The rows as lines of one table. */
export function tableOf(rows) {
  const table = [
    ['what', 'measured', 'unit', '× bare', '× floor', 'bar', ''],
    ...rows.map((row) => [
      ...[
        row.what,
        number(row.value),
        row.unit ?? '',
        ratio(row.value, row.bare),
        ratio(row.value, row.floor),
      ],
      ...[row.bar ?? '', { true: 'met', false: 'MISSED' }[isMet(row)] ?? ''],
    ]),
  ];
  const widths = table[0].map((_, column) => Math.max(...table.map((cells) => cells[column].length)));
  return table.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
}
