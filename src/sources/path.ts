import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { Refusal } from '../refusal.ts';
import { type DocumentSource, refuseDigest, refuseSize, type SourceLimits } from './document-source.ts';
import { digestFile, fileBody, type OpenFile, readAt } from './file-body.ts';
import { plainName, withSuffix } from './filename.ts';
import { findFile, openRoots, partsBelow, type Root } from './find-file.ts';
import { checkBytes, headBytes, requireParseable, tailBytes } from './inspect.ts';
import { isForeignDrive, isSandboxPath, pathCandidates, unquoted } from './path-forms.ts';
import { isSecretName, keyScanner, refuseKeyFile } from './secrets.ts';
import { type DocumentType, mimeOf, typeByExtension } from './types.ts';

export interface PathOptions extends SourceLimits {
  readonly allowedDirs: readonly string[];
  readonly cwd: string;
  readonly home: string;
  readonly signal: AbortSignal;
}

/**
 * Opens a file of this computer, and checks what was opened: where it really is, that it is a regular file, that
 * its bytes are of a type that can be parsed and hold no keys. The file is hashed by streaming it once.
 * @throws {Refusal} naming the path it resolved and the allowed folders.
 */
export async function openPath(given: string, options: PathOptions): Promise<DocumentSource> {
  const { signal } = options;
  signal.throwIfAborted();
  const opening = findAndOpen(given, options);
  let leave = () => {};
  // A network folder that does not answer would hold the call beyond its deadline.
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([opening, left]);
  } catch (error) {
    opening.then(
      (late) => late.close(),
      () => {},
    );
    throw error;
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

async function findAndOpen(given: string, options: PathOptions): Promise<DocumentSource> {
  const { allowedDirs, cwd, home } = options;
  const roots = await openRoots(allowedDirs);
  const candidates = pathCandidates(given, allowedDirs, { cwd, home, platform: process.platform });
  let near: readonly string[] | undefined;
  for (const candidate of candidates) {
    const found = await findFile(candidate, roots);
    if (found === 'outside') continue;
    if (found === 'folder') throw notAFile(candidate, true);
    if ('path' in found) return openFound(found.path, roots, options);
    near = [...(near ?? []), ...found.near];
  }
  const plain = unquoted(given).slice(0, 300);
  const tried = candidates[0] ?? plain;
  const resolved = isForeignDrive(given, process.platform) ? `${plain} (${tried} here)` : tried;
  const folders = foldersSentence(allowedDirs);
  if (isSandboxPath(given)) {
    throw new Refusal(
      `${plain} is a path inside the chat's own sandbox, which this server cannot see. Ask the user to save the file on this computer, or pass its words as text. ${folders}`,
    );
  }
  if (near !== undefined) {
    const guess = near.length > 0 ? ` Did you mean ${near.slice(0, 3).join(' or ')}?` : '';
    throw new Refusal(`${resolved} does not exist.${guess} ${folders}`);
  }
  throw outside(resolved, folders);
}

async function openFound(
  path: string,
  roots: readonly Root[],
  options: PathOptions,
): Promise<DocumentSource> {
  const folders = foldersSentence(options.allowedDirs);
  const handle = await openFile(path);
  try {
    const stat = await handle.stat({ bigint: true });
    const real = await realPathOf(handle, path);
    const below = roots.map((root) => partsBelow(root.real, real)).filter((parts) => parts !== undefined);
    if (below.length === 0 || /^\/(?:proc|sys|dev)\//.test(real)) throw outside(real, folders);
    if (!stat.isFile()) throw notAFile(real, stat.isDirectory());
    if (below.every((parts) => parts.some((part) => part.startsWith('.')))) {
      throw new Refusal(`${real} is hidden, or in a hidden folder; such files are never ingested.`);
    }
    const ownName = basename(real).normalize('NFC').replaceAll('\u202f', ' ');
    const type = requireParseable(typeByExtension(ownName), real, options.local ?? false);
    const filename = options.filename === undefined ? ownName : withSuffix(plainName(options.filename), type);
    // The bytes of the other types prove that they are not a key.
    if (type.container === 'text' && isSecretName(ownName)) {
      throw new Refusal(`${real} is named like a key; such files are never ingested.`);
    }
    refuseSize(real, Number(stat.size), options.maxBytes);
    return await inspected({ handle, filename, stat }, type, real, options);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function inspected(
  file: OpenFile,
  type: DocumentType,
  real: string,
  { sha256: expected, signal }: PathOptions,
): Promise<DocumentSource> {
  const byteSize = Number(file.stat.size);
  const head = await readAt(file.handle, 0, headBytes);
  const tail =
    type.container === 'zip'
      ? await readAt(file.handle, Math.max(0, byteSize - tailBytes), tailBytes)
      : new Uint8Array();
  checkBytes(type, head, tail, real);
  if (type.container === 'text') refuseKeyFile(head, real);
  const scan = type.container === 'text' ? keyScanner(real) : () => {};
  const sha256 = await digestFile(file, scan, signal);
  refuseDigest(real, { sha256, byteSize }, expected);
  let isOpen = true;
  return {
    ...{ filename: file.filename, contentType: mimeOf(type), byteSize, sha256, body: fileBody(file, sha256) },
    async close() {
      if (isOpen) {
        isOpen = false;
        await file.handle.close();
      }
    },
  };
}

async function openFile(path: string): Promise<FileHandle> {
  // Opening a device can already do something to it. What counts is checked again on what was opened.
  const seen = await lstat(path).catch(() => undefined);
  if (seen && !seen.isFile() && !seen.isSymbolicLink()) throw notAFile(path, seen.isDirectory());
  // Windows knows neither flag: there the real path of the file tells a link.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  try {
    return await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    throw new Refusal(`${path} ${openFailure((error as NodeJS.ErrnoException).code)}`);
  }
}

function openFailure(code: string | undefined): string {
  if (code === 'ELOOP' || code === 'EMLINK')
    return 'is a symbolic link; give the path of the file that it leads to.';
  if (code === 'EACCES' || code === 'EPERM') {
    const mac =
      process.platform === 'darwin'
        ? ' On macOS, allow the app in Privacy & Security → Files and Folders.'
        : '';
    return `cannot be read: permission denied.${mac}`;
  }
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist any more.';
  return `cannot be opened (${code ?? 'unknown reason'}).`;
}

/** Of the descriptor where the system can say it; else of the path, if it still leads to the file that was opened. */
async function realPathOf(handle: FileHandle, path: string): Promise<string> {
  const stat = await handle.stat({ bigint: true });
  if (process.platform === 'linux') {
    const link = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
    // What is removed at this very moment gets a mark at the end of its name.
    if (link?.startsWith('/') && stat.nlink > 0n && !link.endsWith(' (deleted)')) return link;
  }
  const real = await realpath(path).catch(() => undefined);
  const there = real === undefined ? undefined : await lstat(real, { bigint: true }).catch(() => undefined);
  if (real !== undefined && there !== undefined && isSameFile(stat, there)) return real;
  throw new Refusal(
    `${path} was replaced while it was opened; ingest it again when nothing else changes it.`,
  );
}

/**
 * Whether a handle and a path lead to one file. On Windows some versions of Node (22.12 to 22.16, 24.0 and 24.1) give
 * another volume for a path than for a handle (https://github.com/libuv/libuv/pull/4698): there the file's number and
 * what else is known of it have to do.
 */
export function isSameFile(
  opened: Identity,
  named: Identity,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (opened.ino !== named.ino) return false;
  if (platform !== 'win32') return opened.dev === named.dev;
  return opened.birthtimeNs === named.birthtimeNs && opened.size === named.size;
}

type Identity = Pick<BigIntStats, 'ino' | 'dev' | 'birthtimeNs' | 'size'>;

function notAFile(path: string, isDirectory: boolean): Refusal {
  if (isDirectory) return new Refusal(`${path} is a folder; give the path of one file in it.`);
  return new Refusal(`${path} is not a regular file (a device, pipe or socket); give the path of a file.`);
}

function outside(path: string, folders: string): Refusal {
  return new Refusal(
    `${path} is not in a folder that may be read. ${folders} The user can move the file there, or add its folder to VECTORLESS_ALLOWED_DIRS.`,
  );
}

function foldersSentence(allowedDirs: readonly string[]): string {
  if (allowedDirs.length === 0) return 'No folder may be read: VECTORLESS_ALLOWED_DIRS is to be set.';
  const shown = allowedDirs.slice(0, 10).join(', ');
  return `Allowed folders: ${shown}${allowedDirs.length > 10 ? ', …' : ''}.`;
}
