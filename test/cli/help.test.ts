import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
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

it('answers an unknown flag with one sentence', () => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [command, '--lcoal'], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^vectorless-mcp: .*--lcoal.*\n$/);
});
