/** Where things are kept, on systems other than the one that runs this. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { defaultDataDir, loadConfig } from '../src/config.ts';

test('the data folder of each system', () => {
  expect(defaultDataDir({}, 'linux', '/home/me')).toBe('/home/me/.local/share/vectorless');
  expect(defaultDataDir({ XDG_DATA_HOME: '/data' }, 'linux', '/home/me')).toBe('/data/vectorless');
  expect(defaultDataDir({ XDG_DATA_HOME: '/data' }, 'darwin', '/Users/me')).toBe(
    '/Users/me/Library/Application Support/vectorless',
  );
  expect(defaultDataDir({}, 'win32', 'C:\\Users\\me')).toBe('C:\\Users\\me\\AppData\\Local\\vectorless');
  expect(defaultDataDir({ LOCALAPPDATA: 'D:\\l' }, 'win32', 'C:\\Users\\me')).toBe('D:\\l\\vectorless');
});

test('an empty or relative variable never puts it into the working folder', () => {
  for (const set of ['', 'x', './x', '~/x']) {
    expect(defaultDataDir({ XDG_DATA_HOME: set }, 'linux', '/home/me')).toBe(
      '/home/me/.local/share/vectorless',
    );
    expect(defaultDataDir({ LOCALAPPDATA: set }, 'win32', 'C:\\Users\\me')).toBe(
      'C:\\Users\\me\\AppData\\Local\\vectorless',
    );
  }
});

test('a folder that was set is expanded as a shell would have done it', () => {
  const folders = (value: string) => {
    const { dataDir, vectorDir } = loadConfig([], {
      VECTORLESS_LOCAL_DIR: value,
      VECTORLESS_VECTOR_DIR: value,
    });
    return [dataDir, vectorDir];
  };
  expect(folders('~/vault')).toEqual(Array(2).fill(join(homedir(), 'vault')));
  expect(folders('~')).toEqual(Array(2).fill(homedir()));
  expect(folders('~vault')).toEqual(Array(2).fill(resolve('~vault')));
  expect(folders('/a/../b')).toEqual(['/b', '/b']);
  expect(loadConfig([], {}).vectorDir).toBeUndefined();
});
