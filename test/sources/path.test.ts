import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, open, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isSameFile, openPath, type PathOptions } from '../../src/sources/path.ts';
import { bytesOf, docx, pdf, temporaryFolder } from './sample-files.ts';

async function place(): Promise<{ docs: string; outside: string; options: PathOptions }> {
  const root = await temporaryFolder();
  const [docs, outside] = [join(root, 'docs'), join(root, 'outside')];
  await mkdir(docs);
  await mkdir(outside);
  const options = {
    ...{ allowedDirs: [docs], cwd: docs, home: root, maxBytes: 1_000_000 },
    signal: new AbortController().signal,
  };
  return { docs, outside, options };
}

async function read(given: string, options: PathOptions): Promise<{ filename: string; text: string }> {
  const source = await openPath(given, options);
  onTestFinished(() => source.close());
  return { filename: source.filename, text: (await bytesOf(source)).toString() };
}

const why = (given: string, options: PathOptions): Promise<string> =>
  openPath(given, options).then(
    async (source) => {
      await source.close();
      return `opened ${source.filename}`;
    },
    (error: Error) => {
      if (error.name !== 'Refusal') throw error;
      return error.message;
    },
  );

test('a file streams as often as wanted, with its size, digest and type', async () => {
  const { docs, options } = await place();
  const content = 'word '.repeat(100_000);
  await writeFile(join(docs, 'long.txt'), content);
  const source = await openPath(join(docs, 'long.txt'), options);
  expect(source).toMatchObject({ filename: 'long.txt', contentType: 'text/plain', byteSize: 500_000 });
  expect(source.sha256).toBe(createHash('sha256').update(content).digest('hex'));
  expect((await bytesOf(source)).toString()).toBe(content);
  expect((await bytesOf(source)).toString()).toBe(content);
  await source.close();
  await source.close();
});

test('a name that was given is used, with the extension of the type', async () => {
  const { docs, options } = await place();
  await writeFile(join(docs, 'scan0001.pdf'), pdf);
  expect(await why('scan0001.pdf', { ...options, filename: 'Lease 2027' })).toBe('opened Lease 2027.pdf');
  expect(await why('scan0001.pdf', { ...options, filename: '../x/Lease.PDF' })).toBe('opened Lease.PDF');
  expect(await why('scan0001.pdf', { ...options, filename: 'lease.txt' })).toBe('opened lease.txt.pdf');
});

describe('what people write', () => {
  test('absolute, home, URI, relative, quoted, with strays, escaped', async () => {
    const { docs, options } = await place();
    await mkdir(join(docs, 'sub'));
    await writeFile(join(docs, 'sub', 'a b#1.md'), '# A');
    const absolute = join(docs, 'sub', 'a b#1.md');
    const forms = [
      absolute,
      '~/docs/sub/a b#1.md',
      '$HOME/docs/sub/a b#1.md',
      pathToFileURL(absolute).href,
      `file://localhost${pathToFileURL(absolute).pathname}`,
      `file://${absolute}`,
      'sub/a b#1.md',
      './sub/../sub/a b#1.md',
      `"${absolute}"`,
      `'${absolute}'`,
      `“${absolute}”`,
      `\`${absolute}\``,
      `  ${absolute} \n`,
      `" ${absolute}"\r\n`,
      absolute.replaceAll(' ', '\\ '),
      absolute.replaceAll(' ', '%20').replaceAll('#', '%23'),
    ];
    for (const form of forms) expect(await why(form, options), form).toBe('opened a b#1.md');
  });

  test('relative to each allowed folder, when it is not in the working folder', async () => {
    const { docs, outside, options } = await place();
    await writeFile(join(outside, 'x.md'), 'x');
    expect(await why('x.md', options)).toMatch(`${docs}/x.md does not exist`);
    expect(await why('x.md', { ...options, allowedDirs: [docs, outside] })).toBe('opened x.md');
  });

  test('accents composed or not, spaces of macOS, in files and in folders', async () => {
    const { docs, options } = await place();
    const folder = join(docs, 'Übungen'.normalize('NFD'));
    await mkdir(folder);
    await writeFile(join(folder, 'Größe.txt'.normalize('NFD')), 'decomposed');
    await writeFile(join(docs, 'Screenshot at 9.41.07\u202fAM.pdf'), pdf);
    expect(await read(join(docs, 'Übungen', 'Größe.txt').normalize('NFC'), options)).toEqual({
      filename: 'Größe.txt'.normalize('NFC'),
      text: 'decomposed',
    });
    expect(await why('Screenshot at 9.41.07 AM.pdf', options)).toBe('opened Screenshot at 9.41.07 AM.pdf');
    await writeFile(join(docs, 'é.txt'.normalize('NFC')), 'composed');
    expect((await read(join(docs, 'é.txt'.normalize('NFD')), options)).text).toBe('composed');
  });

  test('a folder that is a link: both the path through it and the real path', async () => {
    const { docs, outside, options } = await place();
    await writeFile(join(docs, 'Übersicht.pdf'), pdf);
    const alias = join(outside, 'alias');
    await symlink(docs, alias);
    for (const allowedDirs of [[alias], [docs]]) {
      for (const folder of [alias, docs]) {
        expect(await why(join(folder, 'Übersicht.pdf'), { ...options, allowedDirs })).toBe(
          'opened Übersicht.pdf',
        );
      }
    }
  });

  test.runIf(process.platform !== 'win32')('Windows paths, explained where there is no Windows', async () => {
    const { options } = await place();
    expect(await why('C:\\Users\\me\\a.pdf', options)).toMatch(
      'C:\\Users\\me\\a.pdf (/mnt/c/Users/me/a.pdf here) is not in a folder',
    );
    expect(await why('file:///C:/a%20b.pdf', options)).toMatch(
      'file:///C:/a%20b.pdf (/mnt/c/a b.pdf here) is not in a folder',
    );
    expect(await why('\\\\server\\share\\a.pdf', options)).toMatch('Windows network path');
  });

  test('a mention, a Markdown link, a slash too many', async () => {
    const { docs, options } = await place();
    await writeFile(join(docs, 'a (1).md'), '# A');
    for (const form of ['@a (1).md', '[A](a (1).md)', `[A](<${join(docs, 'a (1).md')}>)`, 'a (1).md/']) {
      expect(await why(form, options), form).toBe('opened a (1).md');
    }
    await writeFile(join(docs, '@me.md'), '# Me');
    expect(await why('@me.md', options)).toBe('opened @me.md');
  });

  test('an allowed folder itself', async () => {
    const { docs, options } = await place();
    for (const form of [docs, `${docs}/`, '.', `${docs}/../docs`]) {
      expect(await why(form, options), form).toBe(`${docs} is a folder; give the path of one file in it.`);
    }
  });

  test('a name that is nearly right', async () => {
    const { docs, options } = await place();
    await writeFile(join(docs, 'Annual_Report 2018.PDF'), pdf);
    await writeFile(join(docs, '.annual report 2018.md'), 'x');
    const message = await why('annual-report-2018.docx', options);
    expect(message).toMatch(`does not exist. Did you mean ${join(docs, 'Annual_Report 2018.PDF')}? Allowed`);
    expect(message).not.toMatch('.md');
    expect(await why('another.pdf', options)).not.toMatch('Did you mean');
  });

  test('what is no path at all', async () => {
    const { options } = await place();
    expect(await why('https://example.com/a.pdf', options)).toMatch('use url');
    expect(await why('', options)).toMatch('path is empty');
    expect(await why('a\0.pdf', options)).toMatch('NUL');
    expect(await why('file:///a%00.pdf', options)).toMatch('not the address of a file');
    expect(await why('file://elsewhere/a.pdf', options)).toMatch('not the address of a file');
  });

  test.each([
    '/mnt/user-data/uploads/a.pdf',
    '/home/claude/a.pdf',
    '/mnt/data/a.pdf',
    'sandbox:/mnt/data/a.pdf',
  ])('%s is explained as a sandbox path', async (path) => {
    const { docs, options } = await place();
    expect(await why(path, options)).toMatch(
      new RegExp(`^${path} is a path inside the chat's own sandbox.*cannot see`),
    );
    expect(await why(path, options)).toMatch(docs);
  });
});

describe('what may not be read', () => {
  test('outside the allowed folders: the same answer whether it exists or not', async () => {
    const { docs, outside, options } = await place();
    await writeFile(join(outside, 'there.txt'), 'x');
    for (const name of ['there.txt', 'missing.txt']) {
      const path = join(outside, name);
      const message = await why(path, options);
      expect(message).toBe((await why(join(docs, '..', 'outside', name), options)).trim());
      expect(message).toMatch(`${path} is not in a folder that may be read. Allowed folders: ${docs}.`);
    }
    expect(await why('../../etc/passwd', options)).toMatch('not in a folder');
    expect(await why('/proc/self/environ', { ...options, allowedDirs: ['/'] })).toMatch('not in a folder');
    expect(await why('/dev/zero', { ...options, allowedDirs: ['/'] })).not.toMatch('opened');
  });

  test('a link as the last step, and a folder link that leads out', async () => {
    const { docs, outside, options } = await place();
    await writeFile(join(outside, 'secret.txt'), 'x');
    await symlink(join(outside, 'secret.txt'), join(docs, 'innocent.txt'));
    await symlink(outside, join(docs, 'folder'));
    expect(await why('innocent.txt', options)).toMatch('is a symbolic link');
    expect(await why('folder/secret.txt', options)).toMatch('not in a folder');
    expect(await why('folder/missing.txt', options)).toMatch('not in a folder');
  });

  test('a hard link is what it is', async () => {
    const { docs, options } = await place();
    await writeFile(join(docs, 'a.txt'), 'words');
    await link(join(docs, 'a.txt'), join(docs, 'b.txt'));
    expect(await why('b.txt', options)).toBe('opened b.txt');
  });

  test('folders, pipes, sockets', async () => {
    const { docs, options } = await place();
    await mkdir(join(docs, 'folder.pdf'));
    execFileSync('mkfifo', [join(docs, 'pipe.pdf')]);
    const socket = createServer().listen(join(docs, 'socket.pdf'));
    onTestFinished(() => void socket.close());
    expect(await why('folder.pdf', options)).toMatch('is a folder');
    expect(await why('pipe.pdf', options)).toMatch('not a regular file');
    expect(await why('socket.pdf', options)).toMatch('not a regular file');
  });

  test('hidden files and folders, unless the folder itself was allowed', async () => {
    const { docs, options } = await place();
    await mkdir(join(docs, '.git'));
    await writeFile(join(docs, '.git', 'a.txt'), 'x');
    await writeFile(join(docs, '.notes.txt'), 'x');
    expect(await why('.git/a.txt', options)).toMatch('hidden');
    expect(await why('.notes.txt', options)).toMatch('hidden');
    expect(await why('.git/a.txt', { ...options, allowedDirs: [docs, join(docs, '.git')] })).toBe(
      'opened a.txt',
    );
  });

  test('keys, whatever the name says', async () => {
    const { docs, options } = await place();
    const key = `-----BEGIN OPENSSH PRIVATE KEY-----\n${'b3BlbnNzaC1rZXktdjEA'.repeat(4)}\n`;
    const cases: Record<string, string | Buffer> = {
      'notes.txt': key,
      'deep.md': `# Setup\n${'words and words\n'.repeat(20_000)}${key}`,
      'account.txt': `{"private_key": "${key.replaceAll('\n', '\\n')}"}`,
      'certificate.txt': '-----BEGIN CERTIFICATE-----\nMIIB\n',
      'settings.txt': '# local\nAPI_KEY=abc\nexport DB_PASSWORD="x"\n',
      'putty.txt': 'PuTTY-User-Key-File-3: ssh-ed25519\n',
      'id_ed25519.txt': 'x',
      'aws.txt': '[default]\naws_access_key_id = AKIAIOSFODNN7\naws_secret_access_key = wJalrXUtnFEMI\n',
      'wide.txt': Buffer.from(`\ufeff${key}`, 'utf16le'),
      'wide-deep.txt': Buffer.from(`\ufeff${'words '.repeat(30_000)}\n${key}`, 'utf16le'),
    };
    for (const [name, content] of Object.entries(cases)) {
      await writeFile(join(docs, name), content);
      expect(await why(name, options), name).toMatch(/key/);
    }
    await writeFile(join(docs, 'tutorial.md'), 'Paste it after `-----BEGIN PRIVATE KEY-----`, then save.\n');
    await writeFile(join(docs, 'id_card.pdf'), pdf);
    await writeFile(join(docs, 'plan.txt'), 'owner = Ann\nbudget = 400\n');
    expect(await why('tutorial.md', options)).toBe('opened tutorial.md');
    expect(await why('plan.txt', options)).toBe('opened plan.txt');
    expect(await why('id_card.pdf', options)).toBe('opened id_card.pdf');
  });

  test('empty, too large, not parseable, not what the name says, not what was announced', async () => {
    const { docs, options } = await place();
    const cases: Record<string, [content: string | Buffer, expected: RegExp]> = {
      'empty.pdf': ['', /is empty/],
      'large.txt': ['x'.repeat(1_000_001), /0\.95 MB; the limit is 0\.95 MB/],
      'image.png': ['\x89PNG', /\.png file cannot be ingested.*\.pdf, \.docx/],
      README: ['x', /without an extension/],
      'slides.pptx': [docx, /only the embedded engine/],
      'a.pdf': ['just words', /not a PDF: its first bytes are those of plain text/],
      'b.docx': [pdf, /not a Word document: its first bytes are those of a PDF/],
      'c.xlsx': [docx, /it is a Word document/],
      'd.txt': [pdf, /not a text file.*those of a PDF/],
      'e.csv': [Buffer.from('a,b\0,c'), /binary data/],
    };
    for (const [name, [content, expected]] of Object.entries(cases)) {
      await writeFile(join(docs, name), content);
      expect(await why(name, options), name).toMatch(expected);
    }
    await writeFile(join(docs, 'fine.txt'), 'fine');
    expect(await why('fine.txt', { ...options, sha256: 'a'.repeat(64) })).toMatch('does not have the sha256');
  });
});

describe('what changes meanwhile', () => {
  test('a file that grows, shrinks or is rewritten never arrives whole', async () => {
    const { docs, options } = await place();
    const path = join(docs, 'live.txt');
    const content = 'a'.repeat(600_000);
    const changes: [string, () => Promise<void>][] = [
      ['grown', () => writeFile(path, 'more', { flag: 'a' })],
      ['shrunk', () => writeFile(path, 'less')],
      [
        'rewritten in place, with its times put back',
        async () => {
          const file = await open(path, 'r+');
          await file.write('b', 300_000);
          await file.close();
          await utimes(path, 1000, 1000);
        },
      ],
    ];
    for (const [name, change] of changes) {
      await writeFile(path, content);
      await utimes(path, 1000, 1000);
      const source = await openPath(path, options);
      let received = 0;
      const streaming = (async () => {
        for await (const chunk of source.body.stream()) {
          if (received === 0) await change();
          received += chunk.length;
        }
      })();
      await expect(streaming, name).rejects.toThrow('changed while it was read');
      expect(received, name).toBeLessThan(content.length);
      await source.close();
    }
  });

  test('swapping a file or its folder for a link to a secret, again and again, never yields the secret', async () => {
    const { docs, outside, options } = await place();
    const [folder, aside] = [join(docs, 'sub'), join(docs, 'aside')];
    await mkdir(folder);
    for (const name of ['file.txt', 'sub.txt']) await writeFile(join(outside, name), 'secret');
    await writeFile(join(folder, 'sub.txt'), 'public');
    // Another process, so that it swaps between any two steps here.
    const swaps = `const { renameSync, symlinkSync, unlinkSync, writeFileSync } = require('node:fs');
      const [docs, outside, folder, aside] = process.argv.slice(1);
      for (;;) {
        writeFileSync(docs + '/next', 'public');
        renameSync(docs + '/next', docs + '/file.txt');
        symlinkSync(outside + '/file.txt', docs + '/next');
        renameSync(docs + '/next', docs + '/file.txt');
        for (let round = 0; round < 20; round += 1) {
          renameSync(folder, aside);
          symlinkSync(outside, folder);
          unlinkSync(folder);
          renameSync(aside, folder);
        }
      }`;
    const swapper = spawn(process.execPath, ['-e', swaps, docs, outside, folder, aside], { stdio: 'ignore' });
    onTestFinished(() => void swapper.kill('SIGKILL'));
    await expect.poll(() => existsSync(join(docs, 'file.txt'))).toBe(true);
    const seen = new Set<string>();
    for (let round = 0; round < 1500; round += 1) {
      const given = round % 2 === 0 ? 'file.txt' : 'sub/sub.txt';
      const outcome = await openPath(given, options).then(
        async (source) => {
          const content = (await bytesOf(source).catch((error: Error) => error.name)).toString();
          await source.close();
          return content;
        },
        (error: Error) => error.name,
      );
      seen.add(outcome);
    }
    expect([...seen].sort()).toEqual(['Refusal', 'public']);
  });

  test('an abort stops the reading', async () => {
    const { docs, options } = await place();
    await writeFile(join(docs, 'a.txt'), 'x');
    await expect(
      openPath('a.txt', { ...options, signal: AbortSignal.abort(new Error('gone')) }),
    ).rejects.toThrow('gone');
  });
});

test('one file by handle and by path, also where Windows names two volumes for it', () => {
  const opened = { ino: 7n, dev: 5n, birthtimeNs: 100n, size: 3n };
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    expect(isSameFile(opened, { ...opened }, platform)).toBe(true);
    expect(isSameFile(opened, { ...opened, ino: 8n }, platform)).toBe(false);
    expect(isSameFile(opened, { ...opened, dev: 0n }, platform)).toBe(platform === 'win32');
  }
  expect(isSameFile(opened, { ...opened, birthtimeNs: 101n }, 'win32')).toBe(false);
  expect(isSameFile(opened, { ...opened, size: 4n }, 'win32')).toBe(false);
});
