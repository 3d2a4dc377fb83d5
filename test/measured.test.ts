/** The scoreboard, and the README's figures: made from the last results by `npm run docs`, stale ones fail. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isMet, type Row, tableOf } from '../bench/scoreboard.mjs';
import { repository } from './support/child.ts';

type Results = Record<string, { date: string; machine: string; rows: Row[] }>;
const read = (file: string) => readFileSync(repository + file, 'utf8');
const results: Results = JSON.parse(read('bench/results.json'));

describe('a bar', () => {
  test.each([
    ['≤ 65 MB', 65, undefined, true],
    ['≤ 65 MB', 65.1, undefined, false],
    ['≤ 1,500', 1500, undefined, true],
    ['≤ 1.25 × bare', 125, 100, true],
    ['≤ 1.25 × bare', 126, 100, false],
    ['< 1 × bare', 100, 100, false],
    ['≥ 0.8 × bare', 79, 100, false],
    ['≥ 0.8 × bare', 80, 100, true],
    ['≤ bare + 0.2 ms', 1.15, 1, true],
    ['≤ bare + 0.2 ms', 1.25, 1, false],
    ['= 0', 0, undefined, true],
    ['= 0', 1, undefined, false],
    ['–', 1, undefined, undefined],
  ])('%s, of %d beside %s: %s', (bar, value, bare, met) => {
    expect(isMet({ value, bar, ...(bare !== undefined && { bare }) })).toBe(met);
  });

  test('that nobody can read is an error, and there is none in the benches', () => {
    expect(() => isMet({ value: 1, bar: 'fast' })).toThrow('no such bar');
    expect(() => isMet({ value: 1, bar: '≤ 2 × bare' })).toThrow('nothing to compare with');
    const sources = readdirSync(`${repository}bench`).filter((name) => name.endsWith('.mjs'));
    const bars = sources.flatMap((name) => [...read(`bench/${name}`).matchAll(/'([≤≥<=] [^']+)'/g)]);
    expect(bars.length).toBeGreaterThan(10);
    for (const [, bar = ''] of bars) expect(isMet({ value: 1, bare: 1, bar }), bar).toBeTypeOf('boolean');
  });
});

test('the table has a ratio, the bar, and whether it is met', () => {
  const rows = [
    { what: 'start', value: 110, unit: 'ms', bare: 100, floor: 50, bar: '≤ 1.25 × bare' },
    { what: 'memory', value: 70, unit: 'MB', bar: '≤ 65 MB' },
  ];
  const [head = '', start = '', memory = ''] = tableOf(rows);
  expect(head).toMatch(/^what +measured +unit +× bare +× floor +bar$/);
  expect(start).toMatch(/^start +110 +ms +1\.1 × +2\.2 × +≤ 1\.25 × bare +met$/);
  expect(memory).toMatch(/^memory +70 +MB +≤ 65 MB +MISSED$/);
});

interface Retrieval {
  readonly set: string;
  readonly scope?: string;
  readonly documents: number;
  readonly questions: number;
  readonly read8000: number;
  readonly median_tokens: number;
}

/** The figures that a reader wants first; a part that was not measured has no line. */
function measured(): string {
  const row = (part: string, what: string) => results[part]?.rows.find((each) => each.what === what);
  const start = row('stdio', 'start to tools/list, hosted, wall');
  const cpu = row('stdio', 'start to tools/list, hosted, CPU');
  const cached = row('stdio', 'start to tools/list, hosted, Node 24, compile cache, wall');
  const http = row('http', 'calls over HTTP, revision 2026, 32 at once');
  const p50 = row('engine', 'engine: query all of 100,000 sections, p50');
  const p99 = row('engine', 'engine: query all of 100,000 sections, p99');
  const found = (JSON.parse(read('bench/retrieval.json')) as Retrieval[]).find(
    ({ set, scope }) => set === 'financebench' && scope === 'in the document',
  );
  const times = ({ value, bare = Number.NaN }: Row) => `${(value / bare).toFixed(2)} ×`;
  const plain = (part: string, what: string) => {
    const { value, unit } = row(part, what) ?? { value: undefined };
    return value === undefined ? undefined : `${Math.round(value).toLocaleString('en')} ${unit}`;
  };
  const lines: [string, string | undefined][] = [
    [
      'Start until the tools are listed',
      start &&
        cpu &&
        `${Math.round(start.value)} ms, ${times(start)} the bare server (${times(cpu)} its processor time)`,
    ],
    [
      'The same on Node 24, which keeps compiled code',
      cached && `${Math.round(cached.value)} ms, ${times(cached)}`,
    ],
    ['Memory after that', plain('stdio', 'resident memory after tools/list, hosted')],
    ['JavaScript loaded before the first call', plain('stdio', 'JavaScript loaded before the first call')],
    ['What the tools cost in every conversation', plain('stdio', 'tools/list, default')],
    [
      'Calls a second over HTTP',
      http && `${Math.round(http.value).toLocaleString('en')}, ${times(http)} the bare server`,
    ],
    [
      'A question to 100,000 sections, `--local`',
      p50 && p99 && `${Math.round(p50.value)} ms (99 of 100 within ${Math.round(p99.value)} ms)`,
    ],
    [
      `Evidence of ${found?.questions} questions on ${found?.documents} company filings read within 8,000 tokens, \`--local\``,
      found &&
        `${Math.round(found.read8000 * 100)} % (median: ${found.median_tokens.toLocaleString('en')} tokens)`,
    ],
  ];
  const { date = '', machine = '' } = results.stdio ?? {};
  return [
    `On ${machine}, ${date}; every row, with its bar, is in [bench/results.json](bench/results.json):`,
    '',
    '| | |',
    '| --- | --- |',
    ...lines.filter(([, figure]) => figure !== undefined).map(([what, figure]) => `| ${what} | ${figure} |`),
  ].join('\n');
}

test('the README quotes the last results, with the machine and the date', async () => {
  const readme = read('README.md');
  const marks = /(<!-- measured -->\n)[\s\S]*?(\n?<!-- end -->)/;
  expect(readme).toMatch(marks);
  const fresh = readme.replace(marks, (_, before) => `${before}${measured()}\n<!-- end -->`);
  await expect(fresh).toMatchFileSnapshot(`${repository}README.md`);
  expect(measured().match(/^\| [A-Z]/gm)?.length).toBeGreaterThan(4);
  for (const { date, machine } of Object.values(results))
    expect(`${date} ${machine}`).toMatch(/^\d{4}-\d\d-\d\d \d+ × .*Node \d/);
});
