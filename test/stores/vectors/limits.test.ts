import { describe, expect, it } from 'vitest';
import { limitsFor } from '../../../src/stores/vectors/limits.ts';
import { adapters, memory, query, vector } from './stores.ts';

const MB = 1024 ** 2;

describe.each(adapters)('the %s adapter', (_name, withStores) => {
  it('refuses more stores than one caller may have, and frees the place of an emptied one', () =>
    withStores('dot', { storesPerOwner: 2 }, async (stores) => {
      const mine = stores.of('me');
      await mine.add(vector('a', [1], { store: 'one' }));
      await mine.add(vector('a', [1], { store: 'two' }));
      await expect(mine.add(vector('a', [1], { store: 'three' }))).rejects.toThrow('You have 2 stores');
      await mine.add(vector('b', [1], { store: 'two' }));
      await stores.of('you').add(vector('a', [1], { store: 'three' }));
      await mine.delete({ store: 'one', namespace: 'default', id: 'a' });
      await mine.add(vector('a', [1], { store: 'three' }));
    }));

  it('refuses more namespaces than a store may have', () =>
    withStores('dot', { namespacesPerStore: 2 }, async (stores) => {
      const mine = stores.of('me');
      await mine.add(vector('a', [1], { namespace: 'one' }));
      await mine.add(vector('a', [1], { namespace: 'two' }));
      await expect(mine.add(vector('a', [1], { namespace: 'three' }))).rejects.toThrow('has 2 namespaces');
      await mine.delete({ store: 'default', namespace: 'one', id: 'a' });
      await mine.add(vector('a', [1], { namespace: 'three' }));
    }));

  it('refuses more vectors than one caller may have, but updates those there are', () =>
    withStores('dot', { vectorsPerOwner: 2 }, async (stores) => {
      const mine = stores.of('me');
      await mine.add(vector('a', [1]));
      await mine.add(vector('b', [1], { store: 'other' }));
      await expect(mine.add(vector('c', [1]))).rejects.toThrow('You have 2 vectors');
      expect(await mine.add(vector('a', [2]))).toBe('updated');
      expect(await mine.count({ store: 'default' })).toBe(1);
    }));

  it('refuses more bytes than one caller may use, and leaves no trace of what it refused', () =>
    withStores('dot', { bytesPerOwner: MB }, async (stores) => {
      const mine = stores.of('me');
      const added = await fill(async (i) => mine.add(vector(`${i}`, new Array(4000).fill(i))));
      expect(added.error).toContain('would pass the 1 MB');
      expect(await mine.count({ store: 'default' })).toBe(added.count);
      expect((await mine.search(query(new Array(4000).fill(1), { k: 1000 }))).searched).toBe(added.count);
      // A namespace grows by doubling, so up to half of the room is reserved and not yet used.
      expect(added.count * 16_000).toBeGreaterThan(MB / 2.2);
      await stores.of('you').add(vector('a', [1]));
    }));

  it('refuses more ids and metadata than one caller may use', () =>
    withStores('dot', { heapBytesPerOwner: MB }, async (stores) => {
      const mine = stores.of('me');
      const text = 'x'.repeat(10_000);
      const { error } = await fill((i) => mine.add(vector(`${i}`, [i], { metadata: { text } })));
      expect(error).toContain('Ids and metadata of your vectors would pass the 1 MB');
    }));

  it('counts empty namespaces and stores of refused vectors for nothing', () =>
    withStores('dot', { heapBytesPerOwner: 10_000 }, async (stores) => {
      const mine = stores.of('me');
      const big = { metadata: { text: 'x'.repeat(10_000) } };
      for (let i = 0; i < 20; i++) {
        await expect(
          mine.add(vector('a', [1], { ...big, namespace: `${i}`, store: `${i}` })),
        ).rejects.toThrow();
      }
      await mine.add(vector('a', [1]));
    }));
});

it('memory: refuses what all callers together may not have, and new callers beyond their number', async () => {
  const stores = memory('dot', { bytesInTotal: MB, owners: 3 });
  const { error } = await fill((i) => stores.of(`${i % 2}`).add(vector(`${i}`, new Array(500).fill(i))));
  expect(error).toContain('no memory left');
  const roomy = memory('dot', { owners: 1 });
  await roomy.of('a').add(vector('a', [1]));
  await expect(roomy.of('b').add(vector('a', [1]))).rejects.toThrow('1 callers, the most allowed');
  await roomy.of('a').delete({ store: 'default', namespace: 'default', id: 'a' });
  await roomy.of('b').add(vector('a', [1]));
});

it('adapts to the machine, and gives a caller a quarter where callers share it', () => {
  const small = limitsFor({ memory: 512 * MB, heap: 256 * MB }, true);
  expect(small.bytesInTotal).toBe(128 * MB);
  expect(small.bytesPerOwner).toBe(32 * MB);
  expect(small.heapBytesInTotal).toBe(64 * MB);
  const large = limitsFor({ memory: 64 * 1024 * MB, heap: 4096 * MB }, false);
  expect(large.bytesPerOwner).toBe(2048 * MB);
  expect(large.heapBytesPerOwner).toBe(1024 * MB);
});

/** Adds until something is refused. */
async function fill(add: (i: number) => Promise<unknown>): Promise<{ count: number; error: string }> {
  for (let count = 0; count < 10_000; count++) {
    try {
      await add(count);
    } catch (error) {
      return { count, error: String(error) };
    }
  }
  throw new Error('nothing was refused');
}
