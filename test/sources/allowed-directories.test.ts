import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allowedDirectories } from '../../src/sources/allowed-directories.ts';
import { temporaryFolder } from './sample-files.ts';

const home = '/home/me';
const own = ['/home/me/Documents', '/home/me/Downloads', '/home/me/Desktop'];

test('what was set, and nothing else', () => {
  const set = (allowedDirs: string) => allowedDirectories({ allowedDirs }, '/projects', home, 'linux');
  expect(set('/tmp/a b:/tmp/ç')).toEqual(['/tmp/a b', '/tmp/ç']);
  expect(set(' "/data" ::~/papers:~:./here:/data/')).toEqual([
    '/data',
    '/home/me/papers',
    '/home/me',
    '/projects/here',
  ]);
  const windows = allowedDirectories({ allowedDirs: 'C:\\a b;"D:\\x"' }, 'C:\\w', 'C:\\Users\\me', 'win32');
  expect(windows).toEqual(['C:\\a b', 'D:\\x']);
});

test.each(['/home/me/project', '/projects/x', '/opt/app', '/tmp/x', '/usr/src/app'])(
  '%s as working folder counts',
  (cwd) => {
    expect(allowedDirectories({}, cwd, home, 'linux')).toEqual([cwd, ...own]);
  },
);

test.each([
  ...[
    '/',
    '/home',
    home,
    '/home/me/',
    '/home/other',
    '/Users/other',
    '/root',
    '/tmp',
    '/usr',
    '/usr/bin',
    '/etc/app',
  ],
  ...[
    '/home/me/.config/Claude',
    '/proc/self',
    '/var',
    '/Applications/Claude.app/Contents',
    '/System/Library',
  ],
])('%s as working folder does not', (cwd) => {
  expect(allowedDirectories({}, cwd, home, 'linux')).toEqual(own);
});

test.each([
  'C:\\',
  'C:\\Windows\\System32',
  'c:\\program files\\Claude',
  'C:\\Users',
  'C:\\Users\\me',
  'C:\\Users\\you',
])('%s as working folder does not count on Windows', (cwd) => {
  expect(allowedDirectories({}, cwd, 'C:\\Users\\me', 'win32')).not.toContain(cwd);
});

test('Linux desktops in another language', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, '.config'));
  await writeFile(
    join(folder, '.config', 'user-dirs.dirs'),
    'XDG_DOCUMENTS_DIR="$HOME/Dokumente"\nXDG_DOWNLOAD_DIR="$HOME/"\nXDG_DESKTOP_DIR="/etc"\nXDG_MUSIC_DIR="$HOME/Musik"\n',
  );
  const folders = allowedDirectories({}, '/', folder, 'linux');
  expect(folders.slice(3)).toEqual([join(folder, 'Dokumente')]);
});
