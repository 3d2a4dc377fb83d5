import type { Log } from '../log.ts';
import type { Completer } from '../tools/toolset.ts';
import { describeFailure } from './failure.ts';

/** A person is waiting with a half-typed word. */
const completeWithinMs = 5_000;

type Complete = (typed: string, context?: { arguments?: Record<string, string> }) => Promise<string[]>;

/** The SDK's completion callbacks; one that fails offers nothing, since there is nobody to tell. */
export function completers(
  given: Readonly<Record<string, Completer>> | undefined,
  log: Log,
): Record<string, Complete> {
  const entries = Object.entries(given ?? {}).map(([name, complete]) => {
    const callback: Complete = async (typed, context) => {
      const call = { signal: AbortSignal.timeout(completeWithinMs), deadline: Date.now() + completeWithinMs };
      try {
        return [...(await complete(typed, context?.arguments ?? {}, call))];
      } catch (error) {
        log.debug('completion_failed', { argument: name, status: describeFailure(error, name).facts.code });
        return [];
      }
    };
    return [name, callback] as const;
  });
  return Object.fromEntries(entries);
}
