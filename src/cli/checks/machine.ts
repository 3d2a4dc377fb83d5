import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { homeFolder } from '../../config.ts';
import { makeFolder } from '../../make-folder.ts';
import { allowedDirectories } from '../../sources/allowed-directories.ts';
import { type Check, type Finding, fail, ok, warn } from './check.ts';

export const checkNode: Check = () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const detail = `${process.version} at ${process.execPath}`;
  if (major > 20 || (major === 20 && minor >= 19)) return [ok('Node', detail)];
  return [
    fail('Node', `${detail} is too old.`, 'Install Node 20.19 or newer, and start the server with it.'),
  ];
};

/** The embedded engine has to be able to keep its documents. */
export const checkDataFolder: Check = async (config) => {
  const name = 'Data folder';
  if (!config.local) return [ok(name, 'not used: documents are kept by the server')];
  const probe = join(config.dataDir, `.doctor-${process.pid}`);
  try {
    // As the engine does it: readable by the user alone, and not without end below /proc.
    makeFolder(config.dataDir);
    await writeFile(probe, 'x');
    return [ok(name, config.dataDir)];
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code;
    return [
      fail(
        name,
        `${config.dataDir} cannot be written to (${reason}).`,
        'Set VECTORLESS_LOCAL_DIR to a folder of yours.',
      ),
    ];
  } finally {
    await rm(probe, { force: true }).catch(() => {});
  }
};

/** Folders that `path` may read: that there are some, and that they are not everything. */
export const checkAllowedFolders: Check = async (config) => {
  const name = 'Allowed folders';
  if (config.http && config.allowedDirs === undefined)
    return [ok(name, 'none: over HTTP files come by upload')];
  const home = homeFolder();
  const folders = allowedDirectories(config, process.cwd(), home);
  const states = await Promise.all(
    folders.map(async (folder) => {
      const found = await stat(folder).catch(() => undefined);
      return { folder, exists: found?.isDirectory() ?? false };
    }),
  );
  const existing = states.filter(({ exists }) => exists).map(({ folder }) => folder);
  if (existing.length === 0) {
    return [
      warn(
        name,
        `none of ${folders.join(', ')} exists; no file can be read.`,
        'Set VECTORLESS_ALLOWED_DIRS to folders that exist.',
      ),
    ];
  }
  const found: Finding[] = [ok(name, existing.join(', '))];
  const missing = states.filter(({ exists }) => !exists).map(({ folder }) => folder);
  if (config.allowedDirs !== undefined && missing.length > 0) {
    found.push(warn(name, `${missing.join(', ')} does not exist.`, 'Correct VECTORLESS_ALLOWED_DIRS.'));
  }
  const wide = existing.filter((folder) => folder === home || join(folder, '..') === folder);
  if (wide.length > 0) {
    found.push(
      warn(
        name,
        `${wide.join(', ')} lets agents read almost everything.`,
        'Name the folders with documents only.',
      ),
    );
  }
  return found;
};

/** A proxy's address must be one, and a certificate file must be there: Node passes over both in silence. */
export const checkProxy: Check = async ({ environment }) => {
  const found: Finding[] = [];
  const variable = ['https_proxy', 'HTTPS_PROXY'].find((each) => environment[each]);
  const address = variable === undefined ? '' : (environment[variable] ?? '');
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  if (variable === undefined) found.push(ok('Proxy', 'none'));
  else if (/^https?:$/.test(proxy?.protocol ?? '')) found.push(ok('Proxy', `${variable}: ${proxy?.host}`));
  else found.push(fail('Proxy', `${variable} is not an http address.`, 'Write it as http://host:port.'));

  const file = environment.NODE_EXTRA_CA_CERTS;
  if (file === undefined || file === '') return found;
  const pem = await readFile(file, 'utf8').catch(() => undefined);
  const isPem = pem?.includes('-----BEGIN CERTIFICATE-----') ?? false;
  const problem = pem === undefined ? 'cannot be read' : 'holds no PEM certificate';
  found.push(
    isPem
      ? ok('Certificates', `NODE_EXTRA_CA_CERTS: ${file}`)
      : fail(
          'Certificates',
          `NODE_EXTRA_CA_CERTS: ${file} ${problem}.`,
          'Point it to the PEM file of your proxy or CA.',
        ),
  );
  return found;
};
