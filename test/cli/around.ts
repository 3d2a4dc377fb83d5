import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Surroundings } from '../../src/cli/terminal.ts';
import { repository } from '../support/child.ts';

export interface FakeTerminal {
  readonly around: Surroundings;
  readonly home: string;
  /** Everything that was printed so far. */
  printed(): string;
}

/** An empty home folder on Linux, and a terminal that answers `answers`, or nobody when there are none. */
export async function fakeTerminal(
  env: Record<string, string> = {},
  answers?: string[],
): Promise<FakeTerminal> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'cli-')));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const lines: string[] = [];
  const ask = async (question: string) => {
    lines.push(question);
    return answers?.shift() ?? '';
  };
  return {
    home,
    printed: () => lines.join('\n'),
    around: {
      terminal: { print: (line) => void lines.push(line), ...(answers && { ask }) },
      env: { PATH: process.env.PATH, HOME: home, ...env },
      ...{ platform: 'linux', home, cwd: home, script: `${repository}dist/vectorless-mcp.cjs` },
    },
  };
}
