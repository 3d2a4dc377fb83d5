import { readFileSync } from 'node:fs';
import { posix, win32 } from 'node:path';

/** Folders of the system and everything in them: nobody's documents. */
const systemTrees = {
  posix:
    /^\/(?:bin|boot|dev|etc|lib\w*|proc|run|sbin|sys|System|Library|Applications|private\/etc|usr\/(?!local\/|src\/)\w+)(?:\/|$)/,
  win32: /^[A-Za-z]:\\(?:Windows|Program Files(?: \(x86\))?|ProgramData)(?:\\|$)/i,
};
/** Folders that hold other people's folders. */
const systemRoots = {
  posix:
    /^\/(?:home|Users|root|opt|usr|usr\/local|usr\/src|var|tmp|mnt|media|srv|Volumes|private|private\/tmp|private\/var)?$/,
  win32: /^(?:[A-Za-z]:|\\\\[^\\]+(?:\\[^\\]+)?)\\?$|^[A-Za-z]:\\Users$/i,
};
const homes = { posix: /^\/(?:home|Users)\/[^/]+$/, win32: /^[A-Za-z]:\\Users\\[^\\]+$/i };

/**
 * The folders that `path` may read: those that were set, else the working folder (unless it is a system's, a home
 * or hidden) and the user's Documents, Downloads and Desktop. They need not exist.
 */
export function allowedDirectories(
  config: { readonly allowedDirs?: string | undefined },
  cwd: string,
  home: string,
  platform: NodeJS.Platform = process.platform,
): string[] {
  const path = platform === 'win32' ? win32 : posix;
  const set = (config.allowedDirs ?? '')
    .split(path.delimiter)
    .map((entry) => entry.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .filter((entry) => entry !== '')
    .map((entry) =>
      path.resolve(
        cwd,
        entry.replace(/^~(?=[\\/]|$)/, () => home),
      ),
    );
  if (set.length > 0) return [...new Set(set)];
  const own = ['Documents', 'Downloads', 'Desktop'].map((name) => path.join(home, name));
  const working = isOrdinary(cwd, home, platform) ? [path.resolve(cwd)] : [];
  return [...new Set([...working, ...own, ...(platform === 'linux' ? localisedFolders(home) : [])])];
}

function isOrdinary(folder: string, home: string, platform: NodeJS.Platform): boolean {
  const [path, kind] = platform === 'win32' ? ([win32, 'win32'] as const) : ([posix, 'posix'] as const);
  const clean = path.resolve(folder);
  const holdsHome = !path.relative(clean, path.resolve(home)).startsWith('..');
  const isHidden = clean.split(path.sep).some((part) => part.startsWith('.'));
  const isSystem = [systemTrees, systemRoots, homes].some((pattern) => pattern[kind].test(clean));
  return !holdsHome && !isHidden && !isSystem;
}

/** Linux desktops name these folders in the user's language and write down where they are. */
function localisedFolders(home: string): string[] {
  try {
    const text = readFileSync(posix.join(home, '.config', 'user-dirs.dirs'), 'utf8').slice(0, 10_000);
    return [...text.matchAll(/^XDG_(?:DOCUMENTS|DOWNLOAD|DESKTOP)_DIR="\$HOME\/([^"\n]+)"/gm)]
      .map((line) => posix.join(home, line[1] ?? ''))
      .filter((folder) => folder !== posix.resolve(home) && posix.dirname(folder).startsWith(home));
  } catch {
    return [];
  }
}
