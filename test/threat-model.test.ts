/** The threat model names real files and real tests. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { repository } from './support/child.ts';

const page = readFileSync(`${repository}docs/threat-model.md`, 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:Risk|---)/.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

test.each(rows)('%s', (_risk, defence = '', tests = '') => {
  const files = [...defence.matchAll(/`((?:src|packages|scripts)\/[^`]+)`/g)].map(([, file]) => file ?? '');
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => !existsSync(repository + file))).toEqual([]);
  const named = [...tests.matchAll(/`([^`]+\.(?:test\.ts|mjs))`(?:: ((?:"[^"]+"(?:, )?)+))?/g)];
  expect(named.length).toBeGreaterThan(0);
  // A whole file is no test that somebody could look up.
  expect(tests).toMatch(/`: "/);
  for (const [, file = '', titles = ''] of named) {
    const text = readFileSync(repository + file, 'utf8');
    for (const [, title = ''] of titles.matchAll(/"([^"]+)"/g)) expect(text).toContain(`'${title}'`);
  }
});
