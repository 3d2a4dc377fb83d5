import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SpawnedServer, spawnServer } from '../../support/connect.ts';

/** The built server, killed without warning while it writes: what it acknowledged must be there afterwards. */
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'vectors-crash-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const start = () =>
  spawnServer({
    env: {
      VECTORLESS_TOOLSETS: 'vectors',
      VECTORLESS_VECTOR_DIR: dir,
      VECTORLESS_MAX_RESULT_TOKENS: '100000',
      VECTORLESS_LOG_LEVEL: 'warn',
    },
  });

async function kill({ client, child }: SpawnedServer): Promise<void> {
  child.process.kill('SIGKILL');
  await child.exited;
  await client.close().catch(() => undefined);
}

/** By id: the last version that was acknowledged, and the last that was sent. */
type Progress = Map<string, { acknowledged: number; sent: number }>;

const lanes = 12;
/** Wide, so that a hundred or so are more than a log holds before it is written anew. */
const dimension = 4000;

/** Overwrites two vectors in turn, as fast as the server answers, until it is gone. */
async function writeLane(server: SpawnedServer, ids: readonly string[], progress: Progress): Promise<void> {
  for (let turn = 0; ; turn++) {
    const id = ids[turn % ids.length] as string;
    const state = progress.get(id) ?? { acknowledged: 0, sent: 0 };
    progress.set(id, state);
    const version = ++state.sent;
    const embedding = [version, ...new Array<number>(dimension - 1).fill(0.5)];
    try {
      const args = { id, embedding, metadata: { version } };
      const answer = await server.client.callTool({ name: 'vector_add', arguments: args });
      if (answer.isError) throw new Error(JSON.stringify(answer.content));
      state.acknowledged = version;
    } catch (error) {
      if (server.child.process.killed) return;
      throw error;
    }
  }
}

const acknowledged = (progress: Progress) =>
  [...progress.values()].reduce((sum, state) => sum + state.acknowledged, 0);

/** How often the log was written, from its name. */
function generation(): number {
  const logs = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.vlog'),
  );
  return Math.max(1, ...logs.map((file) => Number(basename(file).split('.')[1])));
}

async function stored(server: SpawnedServer): Promise<Map<string, number>> {
  const query = new Array<number>(dimension).fill(1);
  const { structuredContent } = await server.client.callTool({
    name: 'vector_search',
    arguments: { query, k: 1000 },
  });
  const { results } = structuredContent as { results: { id: string; metadata: { version: number } }[] };
  return new Map(results.map(({ id, metadata }) => [id, metadata.version]));
}

describe('kill -9', () => {
  it('loses nothing that was acknowledged, with two servers writing at once', {
    timeout: 120_000,
  }, async () => {
    const progress: Progress = new Map();
    // Until logs were written anew in between, however slow the disk.
    for (let round = 0; round < 6 || (generation() === 1 && round < 30); round++) {
      const servers = await Promise.all([start(), start()]);
      const writing = servers.flatMap((server, which) =>
        Array.from({ length: lanes }, (_, lane) =>
          writeLane(server, [`${which}-${lane}-a`, `${which}-${lane}-b`], progress),
        ),
      );
      // What the killed left behind, a lock among it, keeps nobody waiting.
      const before = acknowledged(progress);
      await expect.poll(() => acknowledged(progress), { timeout: 5000 }).toBeGreaterThan(before);
      await new Promise((resolve) => setTimeout(resolve, 170 * Math.min(round, 5)));
      await Promise.all(servers.map(kill));
      await Promise.all(writing);

      const after = await start();
      const found = await stored(after);
      for (const [id, { acknowledged, sent }] of progress) {
        const version = found.get(id) ?? 0;
        expect(version, `${id} in round ${round}`).toBeGreaterThanOrEqual(acknowledged);
        expect(version, `${id} in round ${round}`).toBeLessThanOrEqual(sent);
        progress.set(id, { acknowledged: version, sent: version });
      }
      await after.close();
    }
    expect(generation()).toBeGreaterThan(1);
  });

  it('of one server does not keep the other from going on', { timeout: 60_000 }, async () => {
    const [first, second] = await Promise.all([start(), start()]);
    const progress: Progress = new Map();
    const writing = [writeLane(first, ['a'], progress), writeLane(second, ['b'], progress)];
    await new Promise((resolve) => setTimeout(resolve, 200));
    await kill(first);
    const before = progress.get('b')?.acknowledged ?? 0;
    await expect
      .poll(() => progress.get('b')?.acknowledged ?? 0, { timeout: 20_000 })
      .toBeGreaterThan(before + 5);
    await kill(second);
    await Promise.all(writing);
  });
});
