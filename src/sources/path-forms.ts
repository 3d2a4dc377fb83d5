import { posix, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Refusal } from '../refusal.ts';

export interface Place {
  readonly cwd: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** Folders of chat clients' sandboxes, which this process never sees. */
const sandbox =
  /^(?:sandbox:|attachment:|file-service:|\/mnt\/(?:user-data|data|session|skills)\/|\/home\/(?:claude|oai|sandbox)\/)/i;
const windowsForm = /^(?:[A-Za-z]:[\\/]|\\\\)/;
const markdownLink = /^\[[^\]]*\]\(<?(.+?)>?\)$/s;
const quotes: readonly (readonly [string, string])[] = [
  ["'", "'"],
  ['"', '"'],
  ['`', '`'],
  ['“', '”'],
  ['‘', '’'],
  ['«', '»'],
  ['<', '>'],
];

export function isSandboxPath(given: string): boolean {
  return sandbox.test(unquoted(given));
}

/** A path of Windows, on a machine that is none: where it was looked for says little without it. */
export function isForeignDrive(given: string, platform: NodeJS.Platform): boolean {
  return platform !== 'win32' && /^(?:file:\/+)?[A-Za-z]:[\\/]/i.test(unquoted(given));
}

/** Without the strays that come with a pasted path: white space, line ends, quotes, a Markdown link around it. */
export function unquoted(given: string): string {
  let path = given.trim();
  for (;;) {
    const pair = quotes.find(
      ([open, close]) => path.length > 2 && path.startsWith(open) && path.endsWith(close),
    );
    if (pair !== undefined) path = path.slice(1, -1).trim();
    else return markdownLink.exec(path)?.[1] ?? path;
  }
}

/**
 * The absolute paths that what was written may mean, likeliest first; a relative one is tried in the working folder
 * and then in each of `folders`. Nothing is looked up on disk.
 * @throws {Refusal} when it cannot be a path here: an address, a foreign file URI, a device.
 */
export function pathCandidates(given: string, folders: readonly string[], place: Place): string[] {
  if (given.includes('\0')) throw new Refusal('path holds a NUL character; give a plain file path.');
  if (given.length > 4096) throw new Refusal('path is longer than 4,096 characters; give a plain file path.');
  const clean = unquoted(given);
  if (clean === '') throw new Refusal('path is empty; give the path of a file.');
  if (/^(?:https?|ftp):/i.test(clean)) {
    throw new Refusal(
      `path takes a file on this computer, and ${clean.slice(0, 80)} is an address: use url.`,
    );
  }
  const forms = new Set<string>();
  if (/^file:/i.test(clean)) forms.add(fromFileUri(clean, place.platform));
  else {
    for (const form of [given, clean]) forms.add(form);
    if (place.platform !== 'win32') forms.add(clean.replace(/\\(?=[ ()[\]&'"!$#,;])/g, ''));
    // Chat clients write a mention of a file so.
    if (clean.startsWith('@')) forms.add(clean.slice(1));
    if (/%[0-9a-f]{2}/i.test(clean)) forms.add(percentDecoded(clean));
  }
  return [...new Set([...forms].flatMap((form) => absolutes(form, folders, place)))];
}

function absolutes(form: string, folders: readonly string[], place: Place): string[] {
  const path = expandHome(form, place.home).replace(/(?<=[^/])\/+$/, '');
  if (place.platform === 'win32') return windowsAbsolutes(path, folders, place.cwd);
  const drive = /^\/?([A-Za-z]):[\\/](.*)$/s.exec(path);
  if (drive) {
    // Inside WSL a Windows drive is mounted here; elsewhere the refusal names a path that does not exist.
    return [posix.join('/mnt', (drive[1] ?? '').toLowerCase(), (drive[2] ?? '').replaceAll('\\', '/'))];
  }
  if (windowsForm.test(path)) {
    throw new Refusal(
      `${path} is a Windows network path; this server runs on ${place.platform}. Give a path of this computer.`,
    );
  }
  if (posix.isAbsolute(path)) return [posix.normalize(path)];
  return [place.cwd, ...folders].map((folder) => posix.join(folder, path));
}

function windowsAbsolutes(path: string, folders: readonly string[], cwd: string): string[] {
  const native = path.replace(/^\/([A-Za-z]:)/, '$1').replaceAll('/', '\\');
  const isDevice =
    /^\\\\[.?]/.test(native) || /(?:^|\\)(?:con|nul|prn|aux|com\d|lpt\d)(?:\.[^\\]*)?$/i.test(native);
  const hasStream = native.replace(/^[A-Za-z]:/, '').includes(':');
  if (isDevice || hasStream)
    throw new Refusal(`${path} is a device or a stream, not a file; give the path of a file.`);
  if (win32.isAbsolute(native)) return [win32.resolve(cwd, native)];
  return [cwd, ...folders].map((folder) => win32.resolve(folder, native));
}

function expandHome(path: string, home: string): string {
  return path.replace(/^(?:~|\$HOME|\$\{HOME\}|%USERPROFILE%)(?=[\\/]|$)/i, () => home);
}

function fromFileUri(uri: string, platform: NodeJS.Platform): string {
  const local = uri.replace(/^file:\/\/localhost(?=\/)/i, 'file://').replaceAll('\\', '/');
  // A person types spaces and '#' as they are in the file's name; a URI would end at the '#'.
  const encoded = local.replaceAll('#', '%23').replaceAll('?', '%3F');
  try {
    const path = fileURLToPath(encoded, { windows: platform === 'win32' });
    if (!path.includes('\0')) return path;
  } catch {
    // said below
  }
  throw new Refusal(`${uri.slice(0, 200)} is not the address of a file on this computer; give a plain path.`);
}

function percentDecoded(path: string): string {
  try {
    const decoded = decodeURIComponent(path);
    return decoded.includes('\0') ? path : decoded;
  } catch {
    return path;
  }
}
