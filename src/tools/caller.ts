import type { Access } from './tool.ts';

/** Who is calling. Over stdio there is one caller; over HTTP every request has its own. */
export interface Caller {
  /** Opaque, and the same while the process runs: tells callers apart. Never logged, never a secret itself. */
  readonly id: string;
  /**
   * Under what the caller's own data is kept: opaque, the same after a restart, and shared by callers who share their
   * data. `id` where absent.
   */
  readonly owner?: string | undefined;
  /** `own`: this caller's key goes upstream and no other. `server`: the key in the server's environment does. */
  readonly credential: { readonly kind: 'own'; readonly apiKey: string } | { readonly kind: 'server' };
  /** What the caller may do. A tool, resource, prompt or upload outside of it does not exist for them. */
  readonly grants: ReadonlySet<Access>;
}

/** The person who started the process. */
export const localCaller: Caller = {
  id: 'local',
  credential: { kind: 'server' },
  grants: new Set<Access>(['read', 'write', 'delete']),
};
