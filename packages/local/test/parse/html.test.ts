import { expect, test } from 'vitest';
import { parseDocument } from '../../src/parse/parse.ts';
import { outline, parseText } from '../support/tree.ts';

const PAGE = `<!DOCTYPE html><html><head><title>Annual &amp; plan</title><style>p{}</style></head><body>
<nav><ul><li><a href="/">Home</a></li></ul></nav>
<main><h1>Plan</h1><p>First <b>bold</b>
 line.<br>Second line.</p><script>alert(1)</script>
<h2>Steps</h2><ol start="3"><li>One<ul><li>Inner</li></ul></li><li><p>Two</p></li></ol>
<h2>Costs</h2>
<table><caption>Costs by year</caption><thead><tr><th></th><th>2023</th><th>2024</th></tr></thead>
<tr><td>Rent</td><td colspan="2">$</td><td></td></tr>
<tr><td>Net sales</td><td>$</td><td>1,200</td><td>$ 1,300</td></tr>
<tr><td rowspan="2">Staff</td><td>10</td><td>11</td></tr><tr><td>12</td><td>13</td></tr></table>
<pre>
a
  b</pre>
<p hidden>secret</p>
<table><tr><td><h3>In a layout table</h3><p>text</p></td></tr></table>
</main><footer>imprint</footer></body></html>`;

test('reads headings, lists, tables and code, and drops navigation and scripts', async () => {
  const parsed = await parseText('page.html', PAGE);
  expect(parsed.title).toBe('Annual & plan');
  expect(outline(parsed)).toEqual([
    '# Plan',
    'text: First bold line. / Second line.',
    '## Steps',
    'text: 3. One /   - Inner / 4. Two',
    '## Costs',
    'text: Costs by year',
    'table[1] 2023 | 2024 / Rent | $ / Net sales | $1,200 | $1,300 / Staff | 10 | 11 / Staff | 12 | 13',
    'code: a /   b',
    '### In a layout table',
    'text: text',
  ]);
});

test('nested elements without end are read without recursion', async () => {
  const depth = 300_000;
  const parsed = await parseText('deep.html', `<html><body>${'<div>'.repeat(depth)}bottom`);
  expect(outline(parsed)).toEqual(['text: bottom']);
});

test.each([
  ['declared charset', '<html><meta charset="iso-8859-2"><p>\xb3\xf3d\xbc', 'text: łódź'],
  ['no charset and no UTF-8', '<html><p>caf\xe9 \x96 \x80', 'text: café – €'],
  ['a byte order mark wins', '\xff\xfe<\0p\0>\0h\0i\0', 'text: hi'],
])('decodes: %s', async (_name, latin1, expected) => {
  const parsed = await parseDocument({ bytes: Buffer.from(latin1, 'latin1'), filename: 'a.html' });
  expect(outline(parsed)).toEqual([expected]);
});
