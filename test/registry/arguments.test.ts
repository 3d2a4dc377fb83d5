import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { repairArguments } from '../../src/registry/arguments.ts';
import { wireSchema } from '../../src/registry/schema.ts';
import { tool } from '../../src/tools/tool.ts';

const bound = tool<null>()({
  name: 'demo_find',
  title: 'Find',
  access: 'read',
  description: 'Find.',
  input: z.object({
    query: z.string().min(1).max(100),
    document_id: z.string().min(1).optional(),
    document_ids: z.array(z.string()).max(3).optional(),
    limit: z.int().min(1).max(50).default(10),
    ratio: z.number().min(0).max(1).optional(),
    deep: z.boolean().default(false),
    status: z.enum(['ready', 'failed']).optional(),
    options: z.record(z.string(), z.unknown()).optional(),
    path: z.string().optional(),
  }),
  output: z.object({}),
  example: { query: 'leave policy' },
  aliases: { q: 'query', question: 'query', top_k: 'limit' },
  hides: () => ['path'],
  run: async () => ({}),
  render: () => '',
}).bind(null);

const schema = wireSchema(bound.input, 'input', bound.hidden);
const repair = (given: unknown) => repairArguments(bound, schema, given);

describe('repairArguments', () => {
  it.each([
    ['an alias', { q: 'x' }, { query: 'x' }],
    ['camelCase', { query: 'x', documentIds: ['a'] }, { query: 'x', document_ids: ['a'] }],
    ['an alias in camelCase', { query: 'x', topK: 3 }, { query: 'x', limit: 3 }],
    ['an array as JSON text', { query: 'x', document_ids: '["a","b"]' }, { document_ids: ['a', 'b'] }],
    ['an array as a comma list', { query: 'x', document_ids: 'a, b' }, { document_ids: ['a', 'b'] }],
    ['a single value for an array', { query: 'x', document_ids: 'a' }, { document_ids: ['a'] }],
    ['an object as JSON text', { query: 'x', options: '{"k":1}' }, { options: { k: 1 } }],
    ['a number as text', { query: 'x', limit: '5' }, { limit: 5 }],
    ['a boolean as text', { query: 'x', deep: 'True' }, { deep: true }],
    ['an enum in capitals', { query: 'x', status: 'READY' }, { status: 'ready' }],
    ['a number where text is wanted', { query: 7 }, { query: '7' }],
    ['null for something optional', { query: 'x', status: null }, { query: 'x' }],
    ['an empty text for something optional', { query: 'x', status: '', limit: '', deep: '' }, { limit: 10 }],
    ['null as a text for something optional', { query: 'x', status: 'null', limit: 'null' }, { limit: 10 }],
    ['the word null where a text is needed', { query: 'null' }, { query: 'null' }],
    ['an empty text beside an alias', { query: '', q: 'x' }, { query: 'x' }],
    ['a list for one of many', { query: 'x', document_id: ['a', 'b'] }, { document_ids: ['a', 'b'] }],
    [
      'a list in JSON for one of many',
      { query: 'x', document_id: '["a","b"]' },
      { document_ids: ['a', 'b'] },
    ],
    ['nothing in place of a hidden argument', { query: 'x', path: '' }, { query: 'x' }],
    ['all arguments as JSON text', '{"query":"x"}', { query: 'x' }],
  ])('accepts %s', (_name, given, expected) => {
    const { args, notes } = repair(given);
    expect(args).toMatchObject(expected);
    expect(notes).toEqual([]);
  });

  it('lets the real name win over an alias', () => {
    expect(repair({ q: 'alias', query: 'real' }).args.query).toBe('real');
  });

  it.each([
    [0, 1],
    [-1, 1],
    [1e9, 50],
    [2.5, 2],
  ])('clamps a limit of %d to %d and says so', (given, used) => {
    const { args, notes } = repair({ query: 'x', limit: given });
    expect(args.limit).toBe(used);
    expect(notes).toEqual([`\`limit\` must be a whole number from 1 to 50; ${used} was used.`]);
  });

  it('notes an argument that does not exist', () => {
    expect(repair({ query: 'x', colour: 'red' }).notes).toEqual([
      'There is no argument `colour`; it was ignored.',
    ]);
  });

  it.each([
    ['nothing at all', undefined, '`query` is missing'],
    ['a list', [1], 'must be an object'],
    ['an empty query', { query: '' }, '`query` is empty'],
    ['an unknown enum value', { query: 'x', status: 'lost' }, '`status` must be one of "ready", "failed"'],
    ['a word for a number', { query: 'x', limit: 'many' }, '`limit` must be a whole number from 1 to 50'],
    ['a text without end', { query: 'x'.repeat(101) }, '`query` may have at most 100 characters; it has 101'],
    [
      'a list without end',
      { query: 'x', document_ids: 'a,b,c,d' },
      '`document_ids` may have at most 3 items; it has 4',
    ],
    ['an object for a text', { query: { text: 'x' } }, '`query` must be a text'],
    [
      'objects in a list of texts',
      { query: 'x', document_ids: [{ id: 'a' }] },
      '`document_ids` must be a list of texts',
    ],
    ['a word for a choice of two', { query: 'x', deep: 'maybe' }, '`deep` must be true or false'],
    ['an argument that is hidden here', { query: 'x', path: '/etc/passwd' }, '`path` is not available'],
  ])('refuses %s and shows a call that works', (_name, given, sentence) => {
    expect(() => repair(given)).toThrow(sentence);
    expect(() => repair(given)).toThrow('A call that works: demo_find {"query":"leave policy"}');
  });

  it('is not misled by names of Object.prototype', () => {
    const given = JSON.parse('{"query":"x","__proto__":{"limit":3},"constructor":1,"toString":2}');
    expect(repair(given).args).toEqual({ query: 'x', limit: 10, deep: false });
  });
});

describe('wireSchema', () => {
  it('sends only keywords that every client accepts', () => {
    const allowed = ['type', 'description', 'enum', 'items', 'properties', 'required', 'minimum', 'maximum'];
    const seen = new Set<string>();
    const visit = (node: object, isMap = false) => {
      for (const [key, child] of Object.entries(node)) {
        if (!isMap) seen.add(key);
        if (typeof child === 'object' && child !== null && !Array.isArray(child))
          visit(child, key === 'properties');
      }
    };
    visit(schema);
    expect([...seen].filter((key) => !allowed.includes(key))).toEqual([]);
  });

  it('leaves hidden arguments out', () => {
    expect(Object.keys(schema.properties)).not.toContain('path');
  });

  it('gives a tool without arguments an empty object', () => {
    expect(wireSchema(z.object({}), 'input')).toEqual({ type: 'object', properties: {} });
  });
});
