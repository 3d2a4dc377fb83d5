import fc from 'fast-check';
import { stringify as stringifyToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { stringify as stringifyYaml } from 'yaml';
import type { ConfigFormat } from '../../src/cli/clients/config-format.ts';
import { jsonFormat } from '../../src/cli/clients/json-format.ts';
import { tomlFormat } from '../../src/cli/clients/toml-format.ts';
import { yamlFormat } from '../../src/cli/clients/yaml-format.ts';

const entry = {
  command: '/opt/n o d e/bin/node',
  args: ['C:\\x "y"\\z.cjs', '--local'],
  env: { VECTORLESS_API_KEY: 'vls_äß\u007f', VECTORLESS_ALLOWED_DIRS: '/a b:/ç' },
};
const other = { command: 'npx', args: [], env: {} };

const json = jsonFormat('vectorless', () => ['mcpServers']);
const toml = tomlFormat('mcp_servers', 'vectorless');
const yaml = yamlFormat('mcpServers', 'vectorless', 'name: Mine\n');

const files: [kind: string, format: ConfigFormat, text: string][] = [
  ['empty object', json, '{}\n'],
  ['one line', json, '{"a":1,"mcpServers":{"x":{"command":"a"}}}'],
  ['no servers yet', json, '{\n  "theme": "dark"\n}\n'],
  ['no servers in it', json, '{\n  "theme": "dark",\n  "mcpServers": {}\n}\n'],
  ['servers with a line of nothing', json, '{\n  "mcpServers": {\n  }\n}\n'],
  [
    'tabs and CRLF',
    json,
    '{\r\n\t"a": [1,2],\r\n\t"mcpServers": {\r\n\t\t"x": { "command": "a" }\r\n\t}\r\n}\r\n',
  ],
  ['a byte-order mark', json, '\ufeff{ "a": 1 }'],
  [
    'comments everywhere',
    json,
    '// top\n{ // open\n  // about servers\n  "mcpServers": { /* one */\n    // about x\n    "x": {"command":"a"}, // trailing\n    // last\n  }, // comma\n}\n// end',
  ],
  ['a server with braces in a string', json, '{"mcpServers": {\n    "x": {"command": "{ // no comment"}\n}}'],
  ['empty', toml, ''],
  ['no end of line', toml, 'model = "o5"'],
  [
    'other tables',
    toml,
    '# top\nmodel = "o5" # best\n\n[mcp_servers.x]\ncommand = "a"\n# about y\n[tools]\nweb = true\n',
  ],
  [
    'multi-line values',
    toml,
    'a = """\n[mcp_servers.fake]\n"""\nb = [\n  [1],\n  [2]\n]\n\n[profiles.vectorless]\nx = 1\r\n',
  ],
  ['CRLF', toml, 'a = 1\r\n[b]\r\nc = 2\r\n'],
  [
    'no list yet',
    yaml,
    '# mine\nname: Local\nversion: 1.0.0\nmodels:\n  - name: a # fast\n    roles: [chat]\n',
  ],
  ['no end of line', yaml, 'name: Local'],
  ['an empty list', yaml, 'name: Local\nmcpServers: []\nmodels: []\n'],
  [
    'a list',
    yaml,
    'mcpServers: # all of them\n  # about x\n  - name: x\n    command: a\n    env: { A: "1" }\n# models\nmodels:\n- name: m\n',
  ],
  [
    'a list that is not indented',
    yaml,
    'mcpServers:\n- name: x\n  command: >-\n    a\n    b\n\nmodels: []\n',
  ],
  ['a list on one line', yaml, 'mcpServers: [{ name: x, command: a }]\nmodels: []\n'],
  ['CRLF', yaml, 'name: a\r\nmcpServers:\r\n  - name: x\r\n    command: a\r\n'],
];

describe.each(files)('%s', (_, format, text) => {
  test('gets the entry, keeps the rest, and loses the entry again', () => {
    const after = format.insert(text, entry);
    expect(format.find(format.parse(after))).toEqual(entry);
    expect(format.others(format.parse(after))).toEqual(format.others(format.parse(text)));
    expect(format.insert(after, entry)).toBe(after);

    // Nothing that was there is changed: the old text is what remains when the new parts are taken out.
    const gaps = [...text.replaceAll(/\s/g, '')];
    for (const letter of after.replaceAll(/\s/g, '')) if (letter === gaps[0]) gaps.shift();
    expect(gaps.join('').replace('[]', '')).toBe('');

    const changed = format.insert(after, other);
    expect(format.find(format.parse(changed))).toEqual(other);
    expect(format.others(format.parse(changed))).toEqual(format.others(format.parse(text)));

    const removed = format.remove(after);
    expect(format.find(format.parse(removed))).toBeUndefined();
    expect(format.others(format.parse(removed))).toEqual(format.others(format.parse(text)));
    expect(format.remove(removed)).toBe(removed);
  });
});

test('taking out leaves the text as it was, where the list was there before', () => {
  const kinds = [
    'no servers in it',
    'tabs and CRLF',
    'comments everywhere',
    'other tables',
    'a list',
    'CRLF',
  ];
  const before = files.filter(([kind]) => kinds.includes(kind));
  expect(before).toHaveLength(7);
  for (const [kind, format, text] of before) {
    expect(format.remove(format.insert(text, entry)), kind).toBe(text);
  }
});

test('an entry in the middle or at the end is taken out with its comma', () => {
  const text = '{"mcpServers": {"a": {}, /* b */ "vectorless": {"command": "x"}, "c": {}}}';
  expect(json.remove(text)).toBe('{"mcpServers": {"a": {}, /* b */ "c": {}}}');
  const last = '{"mcpServers": {\n  "a": {},\n  "vectorless": {"command": "x"} // mine\n}}';
  expect(json.parse(json.remove(last))).toEqual({ mcpServers: { a: {} } });
  expect(yaml.remove('mcpServers: [{name: a}, {name: vectorless}]\n')).toBe('mcpServers: [{name: a}]\n');
});

test('a TOML entry that another program wrote over several tables', () => {
  const text =
    '[mcp_servers."vectorless"]\ncommand = "x"\n\n[mcp_servers.vectorless.env]\nA = "1"\n\n# about the rest\n[rest]\nx = 1\n';
  expect(toml.find(toml.parse(text))).toEqual({ command: 'x', env: { A: '1' } });
  expect(toml.remove(text)).toBe('\n\n# about the rest\n[rest]\nx = 1\n');
});

test('what is not of the format is said, with where', () => {
  expect(() => json.parse('{\n  "a": \n}')).toThrow(/not valid JSON \(line 3\)/);
  expect(() => json.parse('[]')).toThrow('does not hold an object');
  expect(() => json.insert('{"mcpServers": []}', entry)).toThrow('mcpServers is not an object');
  expect(() => toml.parse('a = ')).toThrow('not valid TOML');
  expect(() => yaml.parse('a: [')).toThrow('not valid YAML');
  expect(() => yaml.parse('- a\n')).toThrow('plain keys');
});

describe('any file', () => {
  const name = fc.stringMatching(/^[a-z_][a-z0-9_-]{0,8}$/);
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string(), { maxLength: 3 }));
  const tree = fc.dictionary(name, fc.oneof(leaf, fc.dictionary(name, leaf, { maxKeys: 3 })), { maxKeys: 5 });
  const servers = fc.dictionary(
    name,
    fc.record({ command: fc.string(), env: fc.dictionary(name, fc.string(), { maxKeys: 2 }) }),
    { maxKeys: 3 },
  );
  const keeps = (format: ConfigFormat, text: string) => {
    const others = format.others(format.parse(text));
    const after = format.insert(text, entry);
    expect(format.find(format.parse(after))).toEqual(entry);
    expect(format.others(format.parse(after))).toEqual(others);
    expect(format.others(format.parse(format.remove(after)))).toEqual(others);
    expect(format.insert(after, entry)).toBe(after);
  };

  test('of JSON', () => {
    fc.assert(
      fc.property(
        tree,
        fc.option(servers),
        fc.constantFrom('', '  ', '\t'),
        fc.boolean(),
        (rest, mcpServers, indent, crlf) => {
          const text = JSON.stringify(mcpServers === null ? rest : { ...rest, mcpServers }, null, indent);
          keeps(json, crlf ? text.replaceAll('\n', '\r\n') : text);
        },
      ),
    );
  });

  test('of TOML', () => {
    fc.assert(
      fc.property(tree, fc.option(servers), (rest, mcp_servers) => {
        keeps(toml, stringifyToml(mcp_servers === null ? rest : { ...rest, mcp_servers }));
      }),
    );
  });

  test('of YAML', () => {
    const list = fc.array(fc.record({ name: fc.constantFrom('a', 'b'), command: fc.string() }), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(tree, fc.option(list), fc.boolean(), (rest, mcpServers, indentSeq) => {
        keeps(
          yaml,
          stringifyYaml(mcpServers === null ? { version: 1, ...rest } : { ...rest, mcpServers }, {
            indentSeq,
          }),
        );
      }),
    );
  });
});
