import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openPath } from '../../src/sources/path.ts';
import { pathCandidates } from '../../src/sources/path-forms.ts';
import { webAddress } from '../../src/sources/web-address.ts';
import { bytesOf, temporaryFolder } from './sample-files.ts';

const pieces = [
  ...[
    '..',
    '.',
    '/',
    '//',
    '\\',
    '~',
    '~root',
    '$HOME',
    'docs',
    'alias',
    'out',
    'outside',
    'link.txt',
    'a.txt',
    'ü.txt',
  ],
  ...[
    'secret.txt',
    'folder',
    '.hidden',
    'file://',
    'file:///',
    '%2e%2e',
    '%2f',
    '%00',
    '"',
    "'",
    ' ',
    '\n',
    '\u202f',
  ],
  ...[
    'C:',
    'CON',
    '/proc/self/fd/',
    '/proc/self/root',
    '/dev/fd/0',
    'localhost',
    '\\\\?\\',
    ':stream',
    '…',
    '\ud800',
  ],
];

test('no spelling of a path escapes from the allowed folders, crashes or hangs', async () => {
  const root = await temporaryFolder();
  const [docs, outside] = [join(root, 'docs'), join(root, 'outside')];
  await mkdir(join(docs, '.hidden'), { recursive: true });
  await mkdir(join(docs, 'folder'));
  await mkdir(outside);
  for (const folder of [docs, join(docs, 'folder')]) await writeFile(join(folder, 'a.txt'), 'public');
  await writeFile(join(docs, 'ü.txt'), 'public');
  for (const folder of [outside, root, join(docs, '.hidden')]) {
    for (const name of ['a.txt', 'secret.txt', 'ü.txt']) await writeFile(join(folder, name), 'secret');
  }
  await symlink(outside, join(docs, 'out'));
  await symlink(docs, join(outside, 'alias'));
  await symlink(join(outside, 'secret.txt'), join(docs, 'link.txt'));

  const signal = AbortSignal.timeout(60_000);
  const options = { allowedDirs: [docs], cwd: docs, home: root, maxBytes: 1000, signal };
  const spelling = fc
    .tuple(
      fc.constantFrom('', docs, outside, root, `file://${docs}`),
      fc.array(fc.constantFrom(...pieces), { maxLength: 7 }),
    )
    .chain(([start, parts]) => fc.constantFrom([start, ...parts].join('/'), start + parts.join('')));
  // Steps that exist, so that most walks arrive somewhere: without a defence some of them arrive at a secret.
  const step = fc.constantFrom('..', 'docs', 'outside', 'out', 'alias', 'folder', '.hidden', '.');
  const file = fc.constantFrom('a.txt', 'secret.txt', 'ü.txt', 'link.txt');
  const walk = fc
    .tuple(
      fc.constantFrom(docs, docs, outside, root, 'out', '.hidden', '..'),
      fc.array(step, { maxLength: 3 }),
      file,
    )
    .map(([start, steps, last]) => [start, ...steps, last].join('/'));
  let opened = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        { weight: 5, arbitrary: walk },
        { weight: 5, arbitrary: spelling },
        { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
      ),
      async (given) => {
        try {
          const source = await openPath(given, options);
          opened += 1;
          const content = (await bytesOf(source)).toString();
          await source.close();
          expect(content).toBe('public');
        } catch (error) {
          expect((error as Error).name, String(error)).toBe('Refusal');
          if (/not in a folder that may be read|is hidden|symbolic link/.test(String(error))) refused += 1;
        }
      },
    ),
    { numRuns: 3000, examples: [[join(docs, 'a.txt')], [join(outside, 'alias', 'a.txt')], ['folder/a.txt']] },
  );
  // It was no walk through nothing.
  expect(opened).toBeGreaterThan(20);
  expect(refused).toBeGreaterThan(200);
});

test.each(['win32', 'darwin', 'linux'] as const)(
  'what was written becomes absolute paths or a refusal (%s)',
  (platform) => {
    const place =
      platform === 'win32' ? { cwd: 'C:\\w', home: 'C:\\Users\\me' } : { cwd: '/w', home: '/home/me' };
    const written = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...pieces)).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(written, (given) => {
        let found: string[] = [];
        try {
          found = pathCandidates(given, [], { ...place, platform });
        } catch (error) {
          expect((error as Error).name).toBe('Refusal');
        }
        for (const path of found) {
          expect(path).toMatch(platform === 'win32' ? /^(?:[A-Za-z]:)?\\/ : /^\//);
          expect(path.split(/[\\/]/), path).not.toContain(platform === 'win32' ? '..' : '\0');
        }
      }),
      { numRuns: 1000 },
    );
  },
);

test('Windows forms, on Windows', () => {
  const place = { cwd: 'C:\\work', home: 'C:\\Users\\me', platform: 'win32' as const };
  const first = (given: string) => pathCandidates(given, ['D:\\docs'], place)[0];
  expect(first('C:\\Users\\me\\a b.pdf')).toBe('C:\\Users\\me\\a b.pdf');
  expect(first('C:/Users/me/a.pdf')).toBe('C:\\Users\\me\\a.pdf');
  expect(first('/C:/Users/me/a.pdf')).toBe('C:\\Users\\me\\a.pdf');
  expect(first('file:///C:/a%20b.pdf')).toBe('C:\\a b.pdf');
  expect(first('~\\a.pdf')).toBe('C:\\Users\\me\\a.pdf');
  expect(first('%USERPROFILE%\\a.pdf')).toBe('C:\\Users\\me\\a.pdf');
  expect(first('\\\\server\\share\\a.pdf')).toBe('\\\\server\\share\\a.pdf');
  expect(pathCandidates('x\\a.pdf', ['D:\\docs'], place)).toEqual([
    'C:\\work\\x\\a.pdf',
    'D:\\docs\\x\\a.pdf',
  ]);
  for (const device of ['\\\\.\\pipe\\x', '\\\\?\\C:\\a.pdf', 'C:\\a.pdf:stream', 'CON', 'docs\\nul.pdf']) {
    expect(() => first(device), device).toThrow('device or a stream');
  }
});

test('no spelling of an address gets to a private one', () => {
  const host = fc.oneof(
    fc.constantFrom(
      '127.0.0.1',
      '127.1',
      '0',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '[::1]',
      '[::ffff:7f00:1]',
    ),
    fc.constantFrom(
      'localhost',
      'a.localhost',
      '１２７.0.0.1',
      '127。0。0。1',
      '169.254.169.254',
      '[fd00:ec2::254]',
      '%31%32%37.0.0.1',
    ),
    fc.constantFrom(
      '10.0.0.1',
      '192.168.0.1.',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      'printer.local',
      'localhost.',
      'nas.home.arpa.',
      '0.0.0.0',
    ),
  );
  const part = fc.constantFrom(
    '',
    'x',
    '/x.pdf',
    '?a=b',
    '#c',
    '\\',
    '/',
    '@example.com/',
    ':443',
    ':443/x',
    ' ',
    '\t',
  );
  const scheme = fc.constantFrom(
    'https://',
    'HTTPS://',
    'https:',
    'https:/',
    'https:\\\\',
    ' https://',
    'https:////',
  );
  fc.assert(
    fc.property(scheme, host, part, part, (start, name, one, two) => {
      const given = start + name + one + two;
      let reached: string | undefined;
      try {
        reached = webAddress(given, () => false).hostname;
      } catch (error) {
        expect((error as Error).name).toBe('Refusal');
      }
      // Only where the host became another: a name to be looked up and checked then.
      if (reached !== undefined) expect(reached, given).toMatch(/x|com/);
    }),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(fc.oneof(fc.webUrl(), fc.string({ unit: 'binary' })), (given) => {
      try {
        expect(webAddress(given, () => false)).toMatchObject({
          protocol: 'https:',
          port: '',
          username: '',
          password: '',
        });
      } catch (error) {
        expect((error as Error).name).toBe('Refusal');
      }
    }),
  );
});
