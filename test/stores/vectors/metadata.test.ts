import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  copyMetadata,
  heapCost,
  isTooDeep,
  type Metadata,
  metadataTest,
} from '../../../src/stores/vectors/metadata.ts';

const parse = (json: string) => JSON.parse(json) as Metadata;
const passes = (filter: string, metadata: string) => metadataTest(parse(filter))?.(parse(metadata)) ?? true;

it.each([
  ['{}', '{"a":1}', true],
  ['{"a":1}', '{"a":1,"b":2}', true],
  ['{"a":1}', '{"a":"1"}', false],
  ['{"a":1}', '{"a":true}', false],
  ['{"a":null}', '{}', false],
  ['{"a":null}', '{"a":null}', true],
  ['{"a":0}', '{"a":false}', false],
  ['{"a.b":1}', '{"a":{"b":1}}', false],
  ['{"a.b":1}', '{"a.b":1}', true],
  ['{"a":{"b":1,"c":2}}', '{"a":{"c":2,"b":1}}', true],
  ['{"a":{"b":1}}', '{"a":{"b":1,"c":2}}', false],
  ['{"a":[1,2]}', '{"a":[2,1]}', false],
  ['{"a":[1]}', '{"a":{"0":1}}', false],
  ['{"a":{"length":1}}', '{"a":[1]}', false],
  ['{"__proto__":{"x":1}}', '{"__proto__":{"x":1}}', true],
  ['{"__proto__":{}}', '{}', false],
  ['{"constructor":{}}', '{}', false],
  ['{"toString":null}', '{"a":1}', false],
])('filter %s on %s: %s', (filter, metadata, expected) => {
  expect(passes(filter, metadata)).toBe(expected);
});

it('everything equals a copy of itself', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (record) => {
      const metadata = copyMetadata(record as Metadata);
      expect(metadataTest(metadata)?.(copyMetadata(metadata)) ?? true).toBe(true);
    }),
  );
});

it('a copy keeps __proto__ a plain key and shares nothing', () => {
  const original = parse('{"__proto__":{"polluted":true},"list":[{"a":1}]}');
  const copy = copyMetadata(original);
  expect(JSON.stringify(copy)).toBe(JSON.stringify(original));
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  expect(copy.list).not.toBe(original.list);
});

it('sees nesting that would exhaust the stack without walking it', () => {
  const deep = (levels: number) => parse(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`);
  expect(isTooDeep(deep(31))).toBe(false);
  expect(isTooDeep(deep(32))).toBe(true);
  expect(isTooDeep(deep(100_000))).toBe(true);
});

it('never takes metadata for smaller than V8 does', () => {
  const samples: ((i: number) => string)[] = [
    (i) => `{"source":"arxiv","title":"Attention ${i}","year":${2000 + (i % 30)}}`,
    (i) => `{${Array.from({ length: 20 }, (_, key) => `"${i}-${key}":${key}`).join()}}`,
    (i) => `{"a":[${'[],'.repeat(20)}${i}]}`,
    (i) => `{"a":[${'{},'.repeat(20)}${i}]}`,
    (i) => `{"ü${i}":"${'世'.repeat(50)}"}`,
    (i) => `{"a":[${Array.from({ length: 30 }, (_, n) => i + n + 0.5).join()}]}`,
  ];
  for (const sample of samples) {
    const texts = Array.from({ length: 4000 }, (_, i) => sample(i));
    const estimated = texts.reduce((sum, text) => sum + heapCost(parse(text)), 0);
    const before = collectedHeap();
    const kept = texts.map(parse);
    expect(collectedHeap() - before, sample(1)).toBeLessThanOrEqual(estimated);
    expect(kept.length).toBe(4000);
  }
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function collectedHeap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
