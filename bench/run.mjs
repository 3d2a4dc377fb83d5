// The scoreboard: `npm run bench [-- NAME…]` measures everything, or only the named parts, in one table, and keeps the
// figures in results.json with the machine and the date of each part.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isMet, tableOf } from './scoreboard.mjs';

const parts = {
  package: async () => (await import('./package.mjs')).measurePackage(),
  stdio: async () => (await import('./stdio.mjs')).measureStdio(),
  http: async () => (await import('./http.mjs')).measureHttp(),
  engine: async () => (await import('./engine.mjs')).measureEngine(),
  vectors: async () => (await import('./vectors.mjs')).measureVectors(),
  conformance: async () => (await import('./package.mjs')).measureConformance(),
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. There are: ${Object.keys(parts).join(', ')}.`);
  process.exit(1);
}

const file = fileURLToPath(new URL('results.json', import.meta.url));
const results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`;
const measured = [];
for (const [name, measure] of Object.entries(parts)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  process.stderr.write(`measuring ${name} …\n`);
  const rows = await measure();
  measured.push(...rows);
  results[name] = { date: new Date().toISOString().slice(0, 10), machine, rows };
  // After each part, so that one that fails does not lose the others.
  const whole = Object.fromEntries(
    Object.keys(parts).flatMap((part) => (results[part] === undefined ? [] : [[part, results[part]]])),
  );
  writeFileSync(file, `${JSON.stringify(whole, null, 2)}\n`);
}

for (const line of tableOf(measured)) console.log(line);
const judged = measured.map(isMet).filter((outcome) => outcome !== undefined);
console.log(
  `${judged.filter(Boolean).length} of ${judged.length} bars met. \`npm run docs\` puts the figures into README.md.`,
);
