import { describe, expect, it } from 'vitest';
import { metrics } from '../../../src/stores/vectors/vector-stores.ts';
import { NaiveStores } from './reference.ts';
import { memory, query, vector } from './stores.ts';

/** Reproducible: a test that fails must fail again. */
function randomNumbers(seed: number): (length: number) => number[] {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  return (length) => Array.from({ length }, next);
}

const none = { metadata: {} };
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('over many blocks', () => {
  it.each(metrics)('%s finds what a plain loop finds, after deletions and updates', async (metric) => {
    const random = randomNumbers(7);
    const stores = memory(metric).of('someone');
    const reference = new NaiveStores(metric);
    const put = async (id: string) => {
      const added = vector(id, random(260), { metadata: { odd: Number(id) % 2 === 1 } });
      expect(await stores.add(added)).toBe(reference.add(added));
    };
    for (let i = 0; i < 3000; i++) await put(`${i}`);
    for (let i = 0; i < 3000; i += 3) {
      await stores.delete({ store: 'default', namespace: 'default', id: `${i}` });
      reference.delete('default', 'default', `${i}`);
    }
    for (let i = 0; i < 3000; i += 7) await put(`${i}`);
    for (const filter of [{}, { odd: true }]) {
      const asked = { store: 'default', k: 50, filter, query: [...Float32Array.from(random(260))] };
      const { matches, searched } = await stores.search(query(asked.query, asked));
      expect({ matches, searched }).toEqual(reference.search(asked));
    }
  });
});

describe('a long scan', () => {
  const rows = 20_000;
  const dimension = 200;

  async function filled() {
    const stores = memory('dot').of('someone');
    const random = randomNumbers(1);
    const some = random(dimension);
    for (let i = 0; i < rows; i++) await stores.add(vector(`${i}`, [i, ...some.slice(1)]));
    return stores;
  }

  const first = [1, ...new Array<number>(dimension - 1).fill(0)];

  it('lets others be answered meanwhile', async () => {
    const stores = await filled();
    const finished: string[] = [];
    const scans = [1, 2, 3].map(() => stores.search(query(first)).then(() => finished.push('scan')));
    await nextTurn().then(() => finished.push('other'));
    await Promise.all(scans);
    expect(finished).toEqual(['other', 'scan', 'scan', 'scan']);
  });

  it('stops when the caller gives up', async () => {
    const stores = await filled();
    const controller = new AbortController();
    const search = stores.search(query(first, { signal: controller.signal }));
    controller.abort(new Error('given up'));
    await expect(search).rejects.toThrow('given up');
    expect(await stores.count({ store: 'default' })).toBe(rows);
  });

  it('misses nothing while vectors are deleted, added and updated under it', async () => {
    const stores = await filled();
    const place = { store: 'default', namespace: 'default' };
    const search = stores.search(query(first, { k: 1000 }));
    // Takes rows from the front, which would bring rows from the back to where the scan has been.
    for (let i = 0; i < 5000; i++) {
      if (i % 2000 === 0) await nextTurn();
      await stores.delete({ ...place, id: `${i}` });
    }
    await nextTurn();
    for (let i = 0; i < 1000; i++) await stores.add(vector(`new ${i}`, first, none));
    const { matches, searched } = await search;
    expect(matches.map(({ id }) => id)).toEqual(Array.from({ length: 1000 }, (_, i) => `${rows - 1 - i}`));
    expect(searched).toBeGreaterThanOrEqual(rows - 5000);
    expect(searched).toBeLessThanOrEqual(rows);
    expect(await stores.count(place)).toBe(rows - 4000);
    const after = await stores.search(query(first, { k: 1000 }));
    expect(after.searched).toBe(rows - 4000);
    expect(after.matches).toEqual(matches);
  });

  it('gives a deleted store’s name a fresh start', async () => {
    const stores = memory().of('someone');
    await stores.add(vector('a', [1, 2]));
    await stores.delete({ store: 'default', namespace: 'default', id: 'a' });
    await stores.add(vector('a', [1, 2, 3]));
    expect((await stores.search(query([1, 2, 3]))).matches.map(({ id }) => id)).toEqual(['a']);
  });
});

describe('dimensions', () => {
  it('are fixed by the first vector of a namespace', async () => {
    const stores = memory().of('someone');
    await stores.add(vector('a', [1, 2, 3]));
    await stores.add(vector('b', [1, 2], { namespace: 'other' }));
    await expect(stores.add(vector('c', [1, 2]))).rejects.toThrow(/2 dimensions.*"default".*3/);
    await expect(stores.search(query([1, 2], { namespace: 'default' }))).rejects.toThrow(/2 dimensions.*3/);
    await expect(stores.search(query([1]))).rejects.toThrow(/1 dimensions.*3/);
  });

  it('decide which namespaces a search of the whole store compares', async () => {
    const stores = memory().of('someone');
    await stores.add(vector('a', [1, 2, 3]));
    await stores.add(vector('b', [1, 2], { namespace: 'other' }));
    const { matches, searched, incomparable } = await stores.search(query([1, 2]));
    expect(matches).toEqual([{ id: 'b', namespace: 'other', score: 1, metadata: {} }]);
    expect([searched, incomparable]).toEqual([1, 1]);
  });
});

describe('scores', () => {
  it('is exactly 1 for a vector against itself, whatever its length, and 0 for a zero vector', async () => {
    const stores = memory('cosine').of('someone');
    await stores.add(vector('a', [0.1, 0.2, 0.3, 0.4]));
    await stores.add(vector('tiny', [1e-30, 0, 0, 1e-45]));
    await stores.add(vector('zero', [0, 0, 0, 0]));
    const find = async (numbers: number[], id: string) =>
      (await stores.search(query(numbers))).matches.find((match) => match.id === id)?.score;
    expect(await find([0.1, 0.2, 0.3, 0.4], 'a')).toBe(1);
    expect(await find([1e-30, 0, 0, 1e-45], 'tiny')).toBe(1);
    expect(await find([0.1, 0.2, 0.3, 0.4], 'zero')).toBe(0);
    expect((await stores.search(query([0, 0, 0, 0]))).matches.map(({ score }) => score)).toEqual([0, 0, 0]);
  });

  it('stays finite at the edge of float32', async () => {
    const most = 3.4028234663852886e38;
    for (const metric of metrics) {
      const stores = memory(metric).of('someone');
      await stores.add(vector('a', [most, most]));
      const [match] = (await stores.search(query([-most, -most]))).matches;
      expect(Number.isFinite(match?.score)).toBe(true);
    }
  });
});
