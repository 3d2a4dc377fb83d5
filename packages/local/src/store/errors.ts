/** A stored file is not what was written: cut short, altered, or of another kind. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
  /** Of the file, where whoever found it knew. */
  readonly path: string | undefined;

  constructor(message: string, path?: string, options?: ErrorOptions) {
    super(message, options);
    this.path = path;
  }
}

/** The folder cannot take what was to be written; the old state stands. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly reason: 'full' | 'read_only' | 'other';

  constructor(cause: unknown) {
    const code = errorCode(cause);
    const reason = REASONS[code] ?? 'other';
    super(SENTENCES[reason].replace('%', code || 'unknown error'), { cause });
    this.reason = reason;
  }
}

const REASONS: Readonly<Record<string, StorageError['reason']>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EROFS: 'read_only',
  EACCES: 'read_only',
  EPERM: 'read_only',
};
const SENTENCES: Readonly<Record<StorageError['reason'], string>> = {
  full: 'the disk that holds the document folder is full; free some space and try again',
  read_only: 'the document folder is not writable; change its permissions or choose another folder',
  other: 'the document folder could not be written (%)',
};

/** The system's name for an error, such as `ENOENT`; empty when it has none. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}

/** The file that an error is about, if it says so. */
export function errorPath(error: unknown): string | undefined {
  return error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : undefined;
}
