/** What a model or a stranger can send: whatever it is, the answer is a value or a Refusal, soon. */
import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { Refusal } from '../src/refusal.ts';
import { repairArguments } from '../src/registry/arguments.ts';
import { openRegistry } from '../src/registry/registry.ts';
import { wireSchema } from '../src/registry/schema.ts';
import { localCaller } from '../src/tools/caller.ts';
import { openCursor, sealCursor } from '../src/tools/documents/list-cursor.ts';
import { createSealer } from '../src/transports/tickets.ts';
import { silentLog } from './support/documents.ts';

const env = { VECTORLESS_TOOLS: 'all', VECTORLESS_TOOLSETS: 'documents,vectors' };
const registry = await openRegistry({ config: loadConfig([], env), log: silentLog });
const tools = registry.bind(localCaller).tools.map((tool) => {
  return { tool, schema: wireSchema(tool.input, 'input', tool.hidden) };
});

/** Values as models send them, and as nobody would. */
const names = [...new Set(tools.flatMap(({ schema }) => Object.keys(schema.properties)))];
names.push('documentId', 'q', '__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'a'.repeat(500));
const words = [
  'true',
  'False',
  '[1,2]',
  '["a","b"]',
  '{"a":1}',
  'a, b,,',
  'NaN',
  '1e999',
  '-0',
  '0x10',
  '[[[',
  'null',
];
const scalar = fc.oneof(
  fc.constantFrom(...words),
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, undefined),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('any')),
    fc.dictionary(fc.constantFrom(...names), tie('any')),
  ),
})).any;
const call = fc.oneof(
  fc.dictionary(fc.constantFrom(...names), value),
  fc.dictionary(fc.constantFrom(...names), value).map((given) => JSON.stringify(given)),
  value,
);

const outcome = (run: () => unknown) => {
  try {
    return { value: run() };
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    return { refusal: (error as Refusal).message };
  }
};

test('arguments of any kind are repaired into what the tool accepts, or refused in a few words', () => {
  fc.assert(
    fc.property(fc.constantFrom(...tools), call, ({ tool, schema }, given) => {
      const before = structuredClone(given);
      const { value: repaired, refusal } = outcome(() => repairArguments(tool, schema, given));
      expect(given).toEqual(before);
      if (refusal !== undefined) {
        expect(refusal).toContain(tool.name);
        expect(refusal.length).toBeLessThan(1500);
        return;
      }
      const { args, notes } = repaired as ReturnType<typeof repairArguments>;
      expect(tool.input.safeParse(args).success).toBe(true);
      for (const hidden of tool.hidden) expect(Object.hasOwn(args, hidden)).toBe(false);
      expect(notes.join(' ').length).toBeLessThan(600);
    }),
    { numRuns: 2000 },
  );
  expect(Object.prototype).not.toHaveProperty('polluted');
});

test.each([
  ['deeply nested lists', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
  ['deeply nested objects', (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`],
  ['a list of commas', (depth: number) => ','.repeat(depth)],
  ['a long word', (depth: number) => 'a'.repeat(depth)],
])('%s are survived by every argument of every tool', (_name, make) => {
  const text = make(20_000);
  for (const { tool, schema } of tools) {
    for (const name of Object.keys(schema.properties)) {
      const parsed = text.startsWith('a') || text.startsWith(',') ? text : (JSON.parse(text) as unknown);
      outcome(() => repairArguments(tool, schema, { [name]: text }));
      outcome(() => repairArguments(tool, schema, { [name]: parsed }));
    }
    outcome(() => repairArguments(tool, schema, text));
  }
});

test('many unknown arguments are not listed one by one', () => {
  const [first] = tools.filter(({ tool }) => tool.name === 'vectorless_list_documents');
  if (first === undefined) throw new Error('no such tool');
  const given = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`unknown_${index}`, index]));
  expect(repairArguments(first.tool, first.schema, given).notes.length).toBeLessThanOrEqual(5);
});

const optionalText = fc.option(fc.string({ unit: 'binary' }), { nil: undefined });
const position = fc.record({
  upstream: optionalText,
  after: optionalText,
  at: optionalText,
  position: fc.option(fc.nat(), { nil: undefined }),
});
const wellFormed = (text: string | undefined) => text === undefined || Buffer.from(text).toString() === text;

test('a cursor opens as it was sealed, under its own filters alone', () => {
  fc.assert(
    fc.property(position, fc.string(), fc.string(), (at, filters, others) => {
      fc.pre([at.upstream, at.after, at.at].every(wellFormed));
      const sealed = sealCursor(at, filters);
      expect(sealed).toMatch(/^[\w-]+\.[\w-]+$/);
      expect(openCursor(sealed, filters)).toEqual(at);
      if (others !== filters)
        expect(outcome(() => openCursor(sealed, others)).refusal).toMatch(/^This cursor/);
    }),
  );
});

test('any other cursor is refused, one with a good checksum too', () => {
  const forged = (body: string) => {
    const sum = createHash('sha256').update(`x\n${body}`).digest('base64url').slice(0, 10);
    return `${Buffer.from(body).toString('base64url')}.${sum}`;
  };
  const wrong = fc.oneof(
    fc.string().filter((text) => !text.startsWith('{')),
    fc.constantFrom('null', '[]', '1', '{"p":-1}', '{"p":0.5}', '{"u":1}', '{"a":[]}', '{'),
  );
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json(), wrong.map(forged)), (cursor) => {
      expect(outcome(() => openCursor(cursor, 'x')).refusal).toMatch(/^This cursor/);
    }),
  );
});

test('nothing but a sealed ticket opens, and nothing throws', () => {
  const sealer = createSealer([randomBytes(32), randomBytes(32)], 'upload ticket');
  const sealed = sealer.seal({ name: 'a.pdf' });
  const changed = fc.tuple(fc.nat(sealed.length - 1), fc.string({ minLength: 1, maxLength: 3 }));
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.base64String({ maxLength: 400 }),
        fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
        changed.map(([at, text]) => sealed.slice(0, at) + text + sealed.slice(at + 1)),
      ),
      (text) => {
        if (text !== sealed) expect(sealer.open(text)).toBeUndefined();
      },
    ),
    { numRuns: 1000 },
  );
});
