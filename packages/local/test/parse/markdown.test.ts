import { expect, test } from 'vitest';
import { outline, parseText } from '../support/tree.ts';

const GUIDE = `---
title: "Field guide"
date: 2024-05-01
---

# Field *guide*

Intro with a [link](https://example.com).

## Contents

- [Birds](#birds)
  - [Owls](#owls)

## Birds

1. Look up
2. Wait
   - quietly
   - patiently

Setext
------

| Bird | Span, cm | Share |
| --- | ---: | --- |
| Owl | 95 | 12 % |
| Wren \\| small | 15 | 3 % |

\`\`\`js
# not a heading
const a = 1;
\`\`\`

> quoted
> words
`;

test('reads headings, lists, tables, code and front matter', async () => {
  const parsed = await parseText('guide.md', GUIDE);
  expect(parsed.title).toBe('Field guide');
  expect(outline(parsed)).toEqual([
    'text: title: "Field guide" / date: 2024-05-01',
    '# Field guide',
    'text: Intro with a [link](https://example.com).',
    '## Birds',
    'text: 1. Look up / 2. Wait /    - quietly /    - patiently',
    '## Setext',
    'table[1] Bird | Span, cm | Share / Owl | 95 | 12% / Wren | small | 15 | 3%',
    'code: # not a heading / const a = 1;',
    'text: > quoted / > words',
  ]);
});

test('reads HTML inside Markdown and drops pictures written into the text', async () => {
  const picture = `![plan](data:image/png;base64,${'A'.repeat(300)})`;
  const parsed = await parseText(
    'a.md',
    `# A\n\n<table><tr><th>x</th><th>y</th></tr><tr><td>1</td><td>2</td></tr></table>\n\n${picture}\n`,
  );
  expect(outline(parsed)).toEqual(['# A', 'table[1] x | y / 1 | 2', 'text: ![plan](data)']);
});

test('nesting without end is read as text, not as a crash', async () => {
  const parsed = await parseText('deep.md', `${'> '.repeat(20_000)}bottom`);
  expect(JSON.stringify(parsed.blocks)).toContain('bottom');
});

test('normalises ligatures, odd spaces, soft hyphens and wide letters', async () => {
  const parsed = await parseText('odd.md', '# Eﬃcient work\u00adshop\n\nＡＢＣ\u00a0１２ é m² 𝐛𝐨𝐥𝐝');
  expect(outline(parsed)).toEqual(['# Efficient workshop', 'text: ABC 12 é m² bold']);
});
