import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FakeApi, startFakeApi } from '../support/fake-api.ts';
import { workplace } from './workplace.ts';

async function hosted(env: Record<string, string> = {}) {
  const api = await startFakeApi({ dialect: 'S', apiKey: 'vls_test_ingest', hosted: true });
  onTestFinished(() => api.close());
  return { api, ...(await workplace(env, api)) };
}

const later = '# Leave\n\nEveryone has 30 days of leave.\n';
const deletions = (api: FakeApi) => api.requests('DELETE /v1/documents/*').map(({ path }) => path);
const titles = (listed: string) => (listed.match(/doc_\w+/g) ?? []).length;

describe('a file that has changed', () => {
  it('takes the place of its earlier version, which no question finds any more', async () => {
    const { folder, run, write } = await workplace();
    await run('ingest', folder);
    await write('leave.md', later);
    expect(await run('ingest', folder)).toEqual({
      code: 0,
      out: '1 ingested, 1 unchanged, 1 earlier version deleted, 1 of other types passed over\n',
    });
    const asked = await run('query', 'How many days of leave does everyone have?', '--document', 'Leave');
    expect(asked.out).toContain('30 days');
    expect(titles((await run('documents', '--title', 'leave')).out)).toBe(1);
  });

  it('stays beside it with --keep-old, and for good', async () => {
    const { folder, run, write } = await workplace();
    await run('ingest', folder);
    await write('leave.md', later);
    expect((await run('ingest', '--keep-old', folder)).out).toMatch(/^1 ingested, 1 unchanged, 1 of other/);
    expect((await run('ingest', folder)).out).toMatch(/^0 ingested, 2 unchanged, 1 of other/);
    expect(titles((await run('documents', '--title', 'leave')).out)).toBe(2);
  });

  it('that was only saved again is the same document', async () => {
    const { api, folder, run, write } = await hosted();
    await run('ingest', folder);
    await write('leave.md', '# Leave\n\nEveryone has 25 days of leave.\n');
    expect((await run('ingest', folder)).out).toMatch(/^0 ingested, 1 were there already, 1 unchanged/);
    expect(deletions(api)).toEqual([]);
  });

  it('keeps its earlier version while the new one cannot be read', async () => {
    const { folder, run, write } = await workplace();
    await run('ingest', join(folder, 'leave.md'));
    await write('leave.md', ' \n');
    const { code, out } = await run('ingest', join(folder, 'leave.md'));
    expect([code, out]).toEqual([1, expect.stringMatching(/^failed {2}papers\/leave\.md: /)]);
    expect(titles((await run('documents', '--title', 'leave', '--status', 'ready')).out)).toBe(1);
  });
});

describe('a run that is stopped', () => {
  it('between the new version and the deletion of the old one is finished by the next', async () => {
    const { api, folder, run, start, write } = await hosted();
    await run('ingest', folder);
    await write('leave.md', later);
    const resume = api.faults.stall('DELETE /v1/documents/*', 'upload');
    const { child, ended } = start('ingest', folder);
    await api.sees('DELETE /v1/documents/*', 30_000);
    child.kill('SIGINT');
    await ended;
    resume();
    expect(await run('ingest', folder)).toEqual({
      code: 0,
      out: '0 ingested, 2 unchanged, 1 earlier version deleted, 1 of other types passed over\n',
    });
    expect(new Set(deletions(api)).size).toBe(1);
    expect((await run('ingest', folder)).out).toMatch(/^0 ingested, 2 unchanged, 1 of other/);
  });

  it('while its document is processed still knows whose it is', async () => {
    const { api, folder, run, start, write } = await hosted();
    const file = join(folder, 'leave.md');
    const resume = api.faults.stall('GET /v1/documents/*', 'upload');
    const { child, ended } = start('ingest', file);
    await api.sees('GET /v1/documents/*', 30_000);
    child.kill('SIGKILL');
    await ended;
    resume();
    expect((await run('ingest', file)).out).toBe('0 ingested, 1 were there already\n');
    await write('leave.md', later);
    expect((await run('ingest', file)).out).toBe('1 ingested, 1 earlier version deleted\n');
  });
});

describe('an earlier version that must not or cannot be deleted', () => {
  it('stays where VECTORLESS_TOOLS leaves deleting out, which one line says', async () => {
    const { api, folder, run, write } = await hosted({
      VECTORLESS_TOOLS: 'ingest_document,list_documents',
    });
    await run('ingest', folder);
    await write('leave.md', later);
    const { code, out } = await run('ingest', folder);
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      '1 ingested, 1 unchanged, 1 earlier version left, 1 of other types passed over',
      'Earlier versions stay, since VECTORLESS_TOOLS does not name vectorless_delete_document.',
      '',
    ]);
    expect(deletions(api)).toEqual([]);
  });

  it('is named with the reason, counts as a failure, and is tried again', async () => {
    const { api, folder, run, write } = await hosted();
    await run('ingest', folder);
    await write('leave.md', later);
    const allow = api.faults.fail('DELETE /v1/documents/*', { status: 403, times: 10 });
    const { code, out } = await run('ingest', folder);
    expect(code).toBe(1);
    expect(out).toMatch(/^failed {2}papers\/leave\.md: \S+ could not be deleted: /);
    allow();
    expect((await run('ingest', folder)).out).toContain('2 unchanged, 1 earlier version deleted');
  });

  it('stays where somebody else had ingested it', async () => {
    const mine = await hosted();
    const theirs = await workplace({}, mine.api);
    await theirs.run('ingest', theirs.folder);
    await mine.run('ingest', mine.folder);
    await mine.write('leave.md', later);
    const { code, out } = await mine.run('ingest', mine.folder);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /^kept {2}papers\/leave\.md: the earlier version \S+ stays, since this command did not add it\n1 ingested/,
      ),
    ]);
    expect(deletions(mine.api)).toEqual([]);
  });

  it('stays while another file is it', async () => {
    const { api, folder, run, write } = await hosted();
    await mkdir(join(folder, 'copy'));
    await write('copy/leave.md', '# Leave\n\nEveryone has 25 days of leave.\n');
    await run('ingest', folder);
    await write('leave.md', later);
    expect((await run('ingest', folder)).out).toContain('1 ingested, 2 unchanged, 1 of other');
    expect(deletions(api)).toEqual([]);
    await write('copy/leave.md', later);
    await run('ingest', folder);
    await run('ingest', folder);
    expect(deletions(api)).toHaveLength(1);
  });
});

describe('a file that is gone', () => {
  it('is named, and its document stays unless --delete-gone is given', async () => {
    const { api, folder, run } = await hosted();
    await run('ingest', folder);
    await rm(join(folder, 'leave.md'));
    const { code, out } = await run('ingest', folder);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^gone {2}papers\/leave\.md: its document \S+ stays; --delete-gone deletes it\n/),
    ]);
    expect(deletions(api)).toEqual([]);
    expect((await run('ingest', folder, '--delete-gone')).out).toMatch(
      /^0 ingested, 1 unchanged, 1 deleted of files that are gone/,
    );
    expect(deletions(api)).toHaveLength(1);
    expect((await run('ingest', folder)).out).toMatch(/^0 ingested, 1 unchanged, 1 of other/);
  });

  it('and is elsewhere in the folder now keeps its document', async () => {
    const { api, folder, run } = await hosted();
    await run('ingest', folder);
    await rename(join(folder, 'leave.md'), join(folder, 'deep', 'leave.md'));
    const { code, out } = await run('ingest', folder, '--delete-gone');
    expect([code, out]).toEqual([0, expect.stringMatching(/^0 ingested, 1 were there already, 1 unchanged/)]);
    expect(deletions(api)).toEqual([]);
  });
});
