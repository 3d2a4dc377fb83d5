import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyMetadata, type Metadata } from '../../../src/stores/vectors/metadata.ts';
import { metrics, type NewVector, type Search } from '../../../src/stores/vectors/vector-stores.ts';
import { NaiveStores } from './reference.ts';
import { adapters, durable, query, withFolder } from './stores.ts';

/** Each namespace has a dimension of its own, so that a store holds vectors that cannot be compared. */
const dimensions: Readonly<Record<string, number>> = { default: 2, 'chapter 1': 2, 'chapter-2': 9, ünï: 9 };
const namespace = fc.constantFrom(...Object.keys(dimensions));
const store = fc.oneof(
  { weight: 4, arbitrary: fc.constant('default') },
  { weight: 1, arbitrary: fc.constantFrom('project/embeddings', '__proto__') },
);
const id = fc.constantFrom('a', 'b', 'c', '__proto__', 'd\ud800', '🚀', ...'efghijklmnop');

/** Few small whole numbers make ties common; the others any float32. */
const number = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 0, max: 1 }) },
  { weight: 2, arbitrary: fc.integer({ min: -3, max: 3 }) },
  { weight: 1, arbitrary: fc.float({ noNaN: true, noDefaultInfinity: true }) },
);
const numbers = (length: number) => fc.array(number, { minLength: length, maxLength: length });
const value = fc.oneof(
  fc.constantFrom<unknown[]>(1, '1', true, null, 0, '', [1, 2], [2, 1], { a: 1 }, { a: 1, b: [{}] }, {}),
  fc.jsonValue({ maxDepth: 2 }),
);
const metadata = fc
  .dictionary(fc.constantFrom('source', 'year', 'a.b', '__proto__', 'constructor'), value, { maxKeys: 3 })
  .map((record) => copyMetadata(record as Metadata));
const filter = fc.oneof({ weight: 2, arbitrary: fc.constant<Metadata>({}) }, metadata);

const add = fc
  .record({ store, namespace, id, metadata })
  .chain((place) => numbers(dimensions[place.namespace] ?? 1).map((embedding) => ({ ...place, embedding })))
  .map(({ embedding, ...rest }): NewVector => ({ ...rest, embedding: Float32Array.from(embedding) }));
const search = fc
  .record({
    store,
    k: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 12 })),
    filter,
    namespace: fc.option(namespace, { nil: undefined }),
  })
  .chain((asked) =>
    numbers(asked.namespace === undefined ? 2 : (dimensions[asked.namespace] ?? 1)).map((query) => ({
      ...asked,
      query: Float32Array.from(query),
    })),
  );

type Step =
  | { readonly do: 'add'; readonly vector: NewVector }
  | { readonly do: 'delete'; readonly place: { store: string; namespace: string; id: string } }
  | { readonly do: 'search'; readonly asked: Omit<Search, 'signal'> }
  | { readonly do: 'count'; readonly place: { store: string; namespace: string | undefined } };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: add.map((vector): Step => ({ do: 'add', vector })) },
  {
    weight: 2,
    arbitrary: fc.record({ store, namespace, id }).map((place): Step => ({ do: 'delete', place })),
  },
  { weight: 3, arbitrary: search.map((asked): Step => ({ do: 'search', asked })) },
  {
    weight: 1,
    arbitrary: fc
      .record({ store, namespace: fc.option(namespace, { nil: undefined }) })
      .map((place): Step => ({ do: 'count', place })),
  },
);

describe.each(metrics)('by %s', (metric) => {
  it.each(adapters)('the %s adapter answers as a naive reference does', async (name, withStores) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 80 }), async (steps) => {
        await withStores(metric, {}, async (stores) => {
          const reference = new NaiveStores(metric);
          for (const each of steps) await compare(stores.of('someone'), reference, each);
          expect(await stores.of('someone else').count({ store: 'default' })).toBe(0);
        });
      }),
      { numRuns: name === 'memory' ? 150 : 25 },
    );
  });
});

it('the durable adapter answers the same after every restart', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) =>
      withFolder(async (dir) => {
        const reference = new NaiveStores('dot');
        for (const each of steps)
          await compare(durable(dir, { metric: 'dot' }).of('someone'), reference, each);
      }),
    ),
    { numRuns: 25 },
  );
});

async function compare(
  stores: ReturnType<ReturnType<typeof durable>['of']>,
  reference: NaiveStores,
  each: Step,
): Promise<void> {
  if (each.do === 'add') return expect(await stores.add(each.vector)).toBe(reference.add(each.vector));
  if (each.do === 'delete') {
    const { store, namespace, id } = each.place;
    return expect(await stores.delete(each.place)).toBe(reference.delete(store, namespace, id));
  }
  if (each.do === 'count') {
    return expect(await stores.count(each.place)).toBe(
      reference.count(each.place.store, each.place.namespace),
    );
  }
  const asked = { ...each.asked, query: [...each.asked.query] };
  const { store, namespace } = each.asked;
  // Where nothing can be compared the store refuses; that has tests of its own.
  const comparable = Object.keys(dimensions).filter(
    (name) => reference.dimension(store, name) === asked.query.length && (namespace ?? name) === name,
  );
  if (comparable.length === 0 && reference.count(store, namespace) > 0) return;
  const { matches, searched } = await stores.search(query(asked.query, each.asked));
  expect({ matches, searched }).toEqual(reference.search(asked));
}
