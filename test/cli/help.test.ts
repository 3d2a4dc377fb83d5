import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { settings } from '../../src/settings.ts';
import { repository } from '../support/child.ts';

const command = join(repository, 'dist/vectorless-mcp.cjs');
const run = (...args: string[]) => execFileSync(process.execPath, [command, ...args], { encoding: 'utf8' });

it('prints its version', () => {
  expect(run('--version')).toContain(`vectorless-mcp ${manifest.version} `);
});

it('lists commands and flags', () => {
  const text = run('--help');
  for (const word of ['init', 'doctor', 'ingest', 'query', '--local', '--http', '--read-only', '--strict']) {
    expect(text).toContain(word);
  }
});

it('says all that can be set: whoever has the package has no docs folder', () => {
  const text = run('--help');
  for (const { env } of Object.values(settings)) expect(text).toMatch(new RegExp(`^  ${env} +\\S`, 'm'));
  expect(text).toContain(settings.allowedDirs.meaning);
  expect(text).not.toContain('docs/');
});

it('answers an unknown flag with one sentence', () => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [command, '--lcoal'], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^vectorless-mcp: .*--lcoal.*\n$/);
});
