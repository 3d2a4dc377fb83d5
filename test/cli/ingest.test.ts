import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workplace } from './workplace.ts';

describe('the commands for a person', () => {
  it('ingest takes in a folder, then only what changed; documents and query show what an agent would see', async () => {
    const { folder, run, write } = await workplace();
    const first = await run('ingest', folder);
    expect(first).toEqual({ code: 0, out: '2 ingested, 1 of other types passed over\n' });
    expect(await run('ingest', folder)).toEqual({
      code: 0,
      out: '2 unchanged, 1 of other types passed over\n'.replace(/^/, '0 ingested, '),
    });

    await write('leave.md', '# Leave\n\nEveryone has 30 days of leave.\n');
    expect((await run('ingest', folder)).out).toContain('1 ingested, 1 unchanged, 1 earlier version deleted');

    const listed = await run('documents', '--title', 'travel');
    expect(listed.out).toContain('ready');
    expect(listed.out).not.toContain('leave');
    const asked = await run('query', 'when are travel costs refunded?', '--document', 'travel');
    expect(asked.code, asked.out).toBe(0);
    expect(asked.out).toContain('within ten days');
  });

  it('says what failed and why, and exits with 1', async () => {
    const { folder, run } = await workplace();
    await writeFile(join(folder, 'broken.pdf'), '%PDF-1.7\nnothing else\n');
    const { code, out } = await run('ingest', folder);
    expect(code).toBe(1);
    expect(out).toMatch(/failed {2}papers\/broken\.pdf: \S+/);
    expect(out).toContain('2 ingested, 1 failed');
  });

  it.each([['ingest'], ['ingest', 'no-such-folder'], ['query'], ['frobnicate']])(
    'answers "%s %s" with one sentence and exit 1',
    async (...args) => {
      const { run } = await workplace();
      const { code, out } = await run(...args);
      expect(code).toBe(1);
      expect(out).toMatch(/^vectorless-mcp: /);
      expect(out).not.toContain('    at ');
    },
  );
});
