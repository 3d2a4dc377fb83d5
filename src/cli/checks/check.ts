import type { Config } from '../../config.ts';

/** What was looked at, and how it is. */
export interface Finding {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** What puts it right. */
  readonly fix?: string | undefined;
}

/** Looks at one thing; never throws, never waits for more than ten seconds. */
export type Check = (config: Config) => Finding[] | Promise<Finding[]>;

export const ok = (name: string, detail: string): Finding => ({ name, status: 'ok', detail });
export const warn = (name: string, detail: string, fix?: string): Finding => ({
  name,
  status: 'warn',
  detail,
  fix,
});
export const fail = (name: string, detail: string, fix?: string): Finding => ({
  name,
  status: 'fail',
  detail,
  fix,
});
