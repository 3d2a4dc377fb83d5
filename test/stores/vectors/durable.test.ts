import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDurableStore } from '../../../src/stores/vectors/durable-store.ts';
import { createFileLock } from '../../../src/stores/vectors/file-lock.ts';
import { createOwnerAccount, createTotal } from '../../../src/stores/vectors/limits.ts';
import { encodeHeader } from '../../../src/stores/vectors/log-format.ts';
import { createTable } from '../../../src/stores/vectors/table.ts';
import { durable, generous, query, vector, type Warning, withFolder } from './stores.ts';

const place = { store: 'default', namespace: 'default' };
const files = (dir: string) =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
const onlyFile = (dir: string) => {
  const [file, ...others] = files(dir);
  expect(others).toEqual([]);
  return file as string;
};
async function ids(dir: string, warnings: Warning[] = []): Promise<string[]> {
  const { matches } = await durable(dir, { warnings })
    .of('me')
    .search(query([1, 0], { k: 1000 }));
  return matches.map(({ id }) => id);
}
async function addSome(dir: string, names: string): Promise<void> {
  for (const id of names)
    await durable(dir)
      .of('me')
      .add(vector(id, [1, 0], { metadata: { id } }));
}

describe('on disk', () => {
  it('names files by hashes only, readable by nobody else', () =>
    withFolder(async (dir) => {
      const odd = '../../etc/passwd\0';
      await durable(dir)
        .of(odd)
        .add(vector(odd, [1], { store: odd, namespace: odd }));
      expect(onlyFile(dir)).toMatch(/\/[0-9a-f]{32}\/[0-9a-f]{32}\.000000001\.[0-9a-f]{8}\.vlog$/);
      expect(statSync(onlyFile(dir)).mode & 0o077).toBe(0);
      expect(await durable(dir).of(odd).count({ store: odd, namespace: odd })).toBe(1);
    }));

  it('reading and deleting what does not exist writes nothing', () =>
    withFolder(async (dir) => {
      const mine = durable(dir).of('me');
      expect((await mine.search(query([1]))).matches).toEqual([]);
      expect(await mine.count(place)).toBe(0);
      expect(await mine.delete({ ...place, id: 'a' })).toBe(false);
      expect(readdirSync(dir)).toEqual([]);
    }));

  it('nothing is left of a store without vectors', () =>
    withFolder(async (dir) => {
      await addSome(dir, 'ab');
      for (const id of 'ab')
        await durable(dir)
          .of('me')
          .delete({ ...place, id });
      expect(readdirSync(dir)).toEqual([]);
    }));

  it('makes its folder, and the one above it', () =>
    withFolder(async (dir) => {
      await addSome(join(dir, 'a', 'b'), 'x');
      expect(await ids(join(dir, 'a', 'b'))).toEqual(['x']);
    }));

  it('saves many changes at once, and in order', () =>
    withFolder(async (dir) => {
      const mine = durable(dir).of('me');
      const changes = Array.from({ length: 1000 }, (_, i) => mine.add(vector(`${i % 500}`, [i, 1])));
      const done = await Promise.all(changes);
      expect(done.filter((status) => status === 'updated')).toHaveLength(500);
      const { matches } = await durable(dir, { metric: 'dot' })
        .of('me')
        .search(query([1, 0], { k: 1 }));
      expect(matches[0]).toMatchObject({ id: '499', score: 999 });
    }));
});

describe('after damage', () => {
  it('drops the last record that was not written to its end, at whatever byte it stops', () =>
    withFolder(async (dir) => {
      await addSome(dir, 'a');
      const whole = statSync(onlyFile(dir)).size;
      await addSome(dir, 'b');
      for (let size = statSync(onlyFile(dir)).size - 1; size >= whole; size -= 5) {
        truncateSync(onlyFile(dir), size);
        expect(await ids(dir)).toEqual(['a']);
      }
      truncateSync(onlyFile(dir), whole + 7);
      await addSome(dir, 'c');
      const warnings: Warning[] = [];
      expect(await ids(dir, warnings)).toEqual(['a', 'c']);
      expect(warnings).toEqual([]);
    }));

  it('starts afresh when not even the header was written', () =>
    withFolder(async (dir) => {
      await addSome(dir, 'a');
      truncateSync(onlyFile(dir), 5);
      expect(await ids(dir)).toEqual([]);
      await addSome(dir, 'b');
      expect(await ids(dir)).toEqual(['b']);
    }));

  it('loses one vector to one flipped bit, wherever it is, and says so', () =>
    withFolder(async (dir) => {
      await addSome(dir, 'abcd');
      const good = readFileSync(onlyFile(dir));
      for (let at = 0; at < good.length; at += 3) {
        const bad = Buffer.from(good);
        bad.writeUInt8((bad[at] as number) ^ (1 << (at % 8)), at);
        writeFileSync(onlyFile(dir), bad);
        const warnings: Warning[] = [];
        const found = await ids(dir, warnings);
        expect(found.length, `byte ${at}`).toBeGreaterThanOrEqual(3);
        expect(warnings.map(({ event }) => event)).toContain('vector_log_damaged');
        expect(found).toEqual([...'abcd'].filter((id) => found.includes(id)));
      }
      writeFileSync(onlyFile(dir), good);
      expect(await ids(dir)).toEqual(['a', 'b', 'c', 'd']);
    }));

  it('passes over long rubbish, and keeps on writing behind it', () =>
    withFolder(async (dir) => {
      await addSome(dir, 'a');
      const tail = readFileSync(onlyFile(dir)).subarray(-1);
      await addSome(dir, 'b');
      const good = readFileSync(onlyFile(dir));
      const cut = good.lastIndexOf('\u0001VL\u0002', undefined, 'latin1');
      const rubbish = Buffer.concat([Buffer.alloc(3 * 1024 ** 2, 0x5a), tail]);
      writeFileSync(onlyFile(dir), Buffer.concat([good.subarray(0, cut), rubbish, good.subarray(cut)]));
      await addSome(dir, 'c');
      expect(await ids(dir)).toEqual(['a', 'b', 'c']);
    }));

  it('is not misled by a record that stands inside a vector’s own numbers', () =>
    withFolder(async (dir) => {
      await addSome(dir, 'x');
      const record = readFileSync(onlyFile(dir));
      const padded = new Uint8Array(Math.ceil(record.length / 4) * 4);
      padded.set(record);
      const once = [...new Float32Array(padded.buffer)];
      const numbers = [once, once, once, once].flat();
      expect(numbers.every(Number.isFinite)).toBe(true);
      const stores = durable(dir);
      const add = (id: string) => stores.of('me').add(vector(id, numbers, { namespace: 'n' }));
      await Promise.all(Array.from({ length: 10_000 }, (_, i) => add(`${i}`)));
      // More than is read at once, so that a record is cut where the reader's piece ends.
      expect(statSync(onlyFile(dir)).size).toBeGreaterThan(2 * 1024 ** 2);
      expect(await durable(dir).of('me').count(place)).toBe(1);
      expect(
        await durable(dir)
          .of('me')
          .count({ ...place, namespace: 'n' }),
      ).toBe(10_000);
    }));

  it('refuses a store of a newer version, and serves the others', () =>
    withFolder(async (dir) => {
      const mine = durable(dir).of('me');
      await mine.add(vector('a', [1], { store: 'old' }));
      const file = onlyFile(dir);
      await mine.add(vector('a', [1], { store: 'other' }));
      writeFileSync(file, encodeHeader(2));
      const fresh = durable(dir).of('me');
      await expect(fresh.count({ store: 'old' })).rejects.toThrow('newer version');
      await expect(fresh.add(vector('b', [1], { store: 'old' }))).rejects.toThrow('newer version');
      expect(await fresh.count({ store: 'other' })).toBe(1);
    }));

  it('says when a change cannot be saved, and keeps what was there', () =>
    withFolder(async (dir) => {
      const warnings: Warning[] = [];
      writeFileSync(join(dir, 'file'), '');
      const nowhere = durable(join(dir, 'file', 'folder'), { warnings }).of('me');
      await expect(nowhere.add(vector('a', [1]))).rejects.toThrow('cannot be used');
      await expect(nowhere.search(query([1]))).rejects.toThrow('cannot be used');
      expect(warnings[0]).toEqual({ event: 'vector_folder_unusable', fields: { code: 'ENOTDIR' } });

      const mine = durable(join(dir, 'good'), { warnings }).of('me');
      await mine.add(vector('a', [1]));
      // Whatever is in a log's place, it is not one that can be written to.
      const log = files(join(dir, 'good'))[0] as string;
      const bytes = readFileSync(log);
      rmSync(log);
      mkdirSync(log);
      await expect(mine.add(vector('b', [1]))).rejects.toThrow('could not be saved');
      rmdirSync(log);
      writeFileSync(log, bytes);
      expect(await mine.count(place)).toBe(1);
      await mine.add(vector('b', [1]));
      expect(await durable(join(dir, 'good')).of('me').count(place)).toBe(2);
    }));
});

describe('compaction', () => {
  it('keeps a log within about twice of what it holds, in order of insertion', () =>
    withFolder(async (dir) => {
      const stores = durable(dir, { metric: 'dot' });
      const numbers = (i: number) => [i, ...new Array(999).fill(1)];
      const add = (i: number) => stores.of('me').add(vector(`${i % 20}`, numbers(i), { metadata: { i } }));
      await Promise.all(Array.from({ length: 2000 }, (_, i) => add(i)));
      await stores.close();
      expect(onlyFile(dir)).not.toContain('.000000001.');
      expect(statSync(onlyFile(dir)).size).toBeLessThan(2 * 20 * 4100 + 1024 ** 2);
      for (const each of [stores, durable(dir, { metric: 'dot' })]) {
        const { matches } = await each.of('me').search(query(numbers(0), { k: 1000 }));
        expect(matches.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, i) => `${i}`));
        expect(matches[7]?.metadata).toEqual({ i: 1987 });
      }
    }));

  it('writes all of a table that is given up in the middle of it', () =>
    withFolder(async (dir) => {
      const account = createOwnerAccount(generous, createTotal(generous));
      const store = createDurableStore({
        ...{ folder: join(dir, 'owner'), name: 'log', lock: createFileLock(join(dir, 'lock')) },
        ...{ table: createTable(account, generous), admitNew: async () => {}, room() {}, warn() {} },
      });
      let generations = 0;
      for (let round = 0; round < 12; round++) {
        const before = files(dir).join();
        for (let i = 0; i < 350; i += 1) {
          const { store: _, ...each } = vector(`${i % 40}`, new Array(1000).fill(i));
          void store.add(each);
        }
        const { store: _, ...last } = vector('last', new Array(1000).fill(round));
        await store.add(last);
        // What memory pressure does to a store that nobody uses at the moment.
        let isFinished = false;
        const finished = store.finished().then(() => {
          isFinished = true;
        });
        while (!isFinished && !files(dir).some((file) => file.endsWith('.tmp'))) {
          await new Promise((resolve) => setImmediate(resolve));
        }
        store.release();
        await finished;
        expect((await store.current()).count(undefined)).toBe(41);
        if (files(dir).join() !== before) generations++;
      }
      expect(generations).toBeGreaterThan(3);
      store.release();
      expect(account.used).toEqual({ vectors: 0, raw: 0, heap: 0 });
    }));

  it('left unfinished, it leaves nothing that counts', () =>
    withFolder(async (dir) => {
      await addSome(dir, 'abc');
      const file = onlyFile(dir);
      // Killed before the new generation had its name, and (below) before the old one was removed.
      writeFileSync(file.replace('.000000001.', '.000000002.').replace(/vlog$/, 'tmp'), 'half');
      await addSome(dir, 'd');
      expect(await ids(dir)).toEqual(['a', 'b', 'c', 'd']);
      const running = durable(dir).of('me');
      expect(await running.count(place)).toBe(4);
      writeFileSync(onlyFile(dir).replace('.000000001.', '.000000002.'), readFileSync(onlyFile(dir)));
      // A process that still has the old generation open must not write to it.
      await running.add(vector('e', [1, 0]));
      expect(onlyFile(dir)).toContain('.000000002.');
      expect(await ids(dir)).toEqual(['a', 'b', 'c', 'd', 'e']);
    }));
});

describe('two servers on one folder', () => {
  it('see each other’s writes at once', () =>
    withFolder(async (dir) => {
      const [one, two] = [durable(dir).of('me'), durable(dir).of('me')];
      for (let i = 0; i < 20; i++) {
        await one.add(vector(`one ${i}`, [1, 0]));
        expect(await two.count(place)).toBe(2 * i + 1);
        await two.add(vector(`two ${i}`, [1, 0]));
        expect(await one.count(place)).toBe(2 * i + 2);
      }
      await one.delete({ ...place, id: 'two 3' });
      expect(await two.delete({ ...place, id: 'two 3' })).toBe(false);
      await expect(two.add(vector('x', [1, 2, 3]))).rejects.toThrow('3 dimensions');
    }));

  it('survive each other’s compaction, and a log that is emptied under them', () =>
    withFolder(async (dir) => {
      const both = [durable(dir), durable(dir)] as const;
      const add = (i: number) =>
        both[i % 2 === 0 ? 0 : 1].of('me').add(vector(`${i % 30}`, new Array(1000).fill(i)));
      await Promise.all(Array.from({ length: 2000 }, (_, i) => add(i)));
      await Promise.all(both.map((stores) => stores.close()));
      expect(onlyFile(dir)).not.toContain('.000000001.');
      for (const stores of both) expect(await stores.of('me').count(place)).toBe(30);
      truncateSync(onlyFile(dir), 0);
      for (const stores of both) expect(await stores.of('me').count(place)).toBe(0);
    }));
});

it('lets idle owners leave memory, and reads them again when they call', () =>
  withFolder(async (dir) => {
    const stores = durable(dir, { limits: { bytesInTotal: 3 * 1024 ** 2 } });
    const wide = new Array(1000).fill(1);
    for (let owner = 0; owner < 8; owner++) {
      await Promise.all(
        Array.from({ length: 100 }, (_, i) => stores.of(`${owner}`).add(vector(`${i}`, wide))),
      );
    }
    for (let owner = 0; owner < 8; owner++) expect(await stores.of(`${owner}`).count(place)).toBe(100);
  }));

it('takes over a lock whose holder is dead, and waits for one that lives', () =>
  withFolder(async (dir) => {
    await addSome(dir, 'a');
    const lock = `${dirname(onlyFile(dir))}.lock`;
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    for (const mark of [`${dead} ${hostname()} x`, `${process.pid} ${hostname()} of a former process`]) {
      writeFileSync(lock, mark);
      await addSome(dir, 'b');
      expect(existsSync(lock)).toBe(false);
    }
    writeFileSync(lock, `${process.ppid} ${hostname()} alive`);
    let isDone = false;
    const waiting = addSome(dir, 'c').then(() => {
      isDone = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(isDone).toBe(false);
    // Reading needs no lock.
    expect(await ids(dir)).toEqual(['a', 'b']);
    rmSync(lock);
    await waiting;
    expect(await ids(dir)).toEqual(['a', 'b', 'c']);
  }));

it('takes over a lock that shows no sign of life, whosever it is', () =>
  withFolder(async (dir) => {
    await addSome(dir, 'a');
    const lock = `${dirname(onlyFile(dir))}.lock`;
    // Of another machine, or made by an older server and cut short: nobody here can tell whether its holder lives.
    writeFileSync(lock, '');
    await addSome(dir, 'b');
    expect(await ids(dir)).toEqual(['a', 'b']);
  }));
