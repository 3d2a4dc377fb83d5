import type { Log } from '../log.ts';
import type { Completer } from '../tools/toolset.ts';
import { limitCall } from './call-limit.ts';
import { describeFailure } from './failure.ts';

/** A person is waiting with a half-typed word. */
const completeWithinMs = 5_000;

/** What everything that is published for one caller shares. */
export interface Surroundings {
  readonly log: Log;
  /** `Date.now()` when the one request that is served came in. */
  readonly arrivedAt?: number | undefined;
  /** Aborts when the client goes away. */
  readonly gone?: AbortSignal | undefined;
}

type Complete = (typed: string, context?: { arguments?: Record<string, string> }) => Promise<string[]>;

/**
 * The SDK's completion callbacks; one that fails offers nothing, since there is nobody to tell. The SDK does not say
 * when a client cancels one, so `gone` does: it aborts when the client goes away.
 */
export function completers(
  given: Readonly<Record<string, Completer>> | undefined,
  { log, gone }: Surroundings,
): Record<string, Complete> {
  const entries = Object.entries(given ?? {}).map(([name, complete]) => {
    const callback: Complete = async (typed, context) => {
      const limit = limitCall({ cancelled: gone, withinMs: completeWithinMs });
      try {
        return [...(await limit.within(complete(typed, context?.arguments ?? {}, limit)))];
      } catch (error) {
        log.debug('completion_failed', { argument: name, status: describeFailure(error, name).facts.code });
        return [];
      } finally {
        limit.end();
      }
    };
    return [name, callback] as const;
  });
  return Object.fromEntries(entries);
}
