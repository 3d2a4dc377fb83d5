// The scoreboard: `npm run bench [-- NAME…]` measures everything, or only the named parts, in one table.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

const parts = {
  stdio: async () => (await import('./stdio.mjs')).measureStdio(),
  http: async () => (await import('./http.mjs')).measureHttp(),
  engine: async () => (await import('./engine.mjs')).measureEngine(),
  vectors: async () => (await import('./vectors.mjs')).measureVectors(),
};

const chosen = process.argv.slice(2);
const rows = [];
for (const [name, measure] of Object.entries(parts)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  process.stderr.write(`measuring ${name} …\n`);
  rows.push(...(await measure()).map((row) => ({ part: name, ...row })));
}

const number = (value) => (value === undefined ? '' : Number(value.toPrecision(3)).toLocaleString('en'));
const ratio = (value, other) => (other === undefined ? '' : `${number(value / other)} ×`);
const table = [
  ['what', 'measured', 'unit', '× bare', '× floor', 'bar'],
  ...rows.map((row) => [
    row.what,
    number(row.value),
    row.unit,
    ratio(row.value, row.bare),
    ratio(row.value, row.floor),
    row.bar ?? '',
  ]),
];
const widths = table[0].map((_, column) => Math.max(...table.map((cells) => cells[column].length)));
for (const cells of table) console.log(cells.map((cell, column) => cell.padEnd(widths[column])).join('  '));

const file = fileURLToPath(new URL('results.json', import.meta.url));
const earlier = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).rows : [];
const kept = earlier.filter((row) => !rows.some((fresh) => fresh.part === row.part));
const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`;
writeFileSync(
  file,
  `${JSON.stringify({ date: new Date().toISOString().slice(0, 10), machine, rows: [...kept, ...rows] }, null, 2)}\n`,
);
