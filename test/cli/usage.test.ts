import { expect, test } from 'vitest';
import { settings } from '../../src/settings.ts';
import { version } from '../../src/version.ts';
import { spawnChild } from '../support/child.ts';

test('--version prints the version alone', async () => {
  const child = spawnChild({ args: ['--version'] });
  expect(await child.exited).toEqual({ code: 0, signal: null });
  expect(child.stdout).toEqual([version]);
  expect(child.stderr).toEqual([]);
});

test('--help names every flag and every command', async () => {
  const child = spawnChild({ args: ['--help'] });
  expect((await child.exited).code).toBe(0);
  const text = child.stdout.join('\n');
  for (const setting of Object.values(settings)) {
    if ('flag' in setting) expect(text).toContain(`--${setting.flag} `);
  }
  for (const command of ['init', 'doctor'])
    expect(text).toMatch(new RegExp(`^ +vectorless-mcp ${command} `, 'm'));
});
