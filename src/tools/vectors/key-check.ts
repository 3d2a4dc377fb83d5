import { VectorlessError } from '@vectorless/sdk';
import type { Caller } from '../caller.ts';
import type { Call } from '../tool.ts';
import type { OpenContext } from '../toolset.ts';
import { upstreamClient } from '../upstream.ts';
import { withinCall } from '../within-call.ts';
import { refuse } from './refuse.ts';

/** Refuses a caller for whom nothing may be kept. */
export type Admit = (call: Pick<Call, 'signal' | 'deadline'>) => Promise<void>;

const goodForMs = 10 * 60_000;
const mostKnown = 10_000;
const checkWithinMs = 15_000;

/**
 * Callers who bring their own API key are known to the upstream alone: without asking it, anyone could make up keys
 * until the limits that all callers share are used up.
 */
export function createKeyCheck(context: Pick<OpenContext, 'config' | 'upstream'>): (caller: Caller) => Admit {
  /** Until when a caller's key counts as good; the oldest first. */
  const known = new Map<string, number>();
  return ({ id, credential }) =>
    async (call) => {
      if (credential.kind !== 'own' || context.config.allowUnauthenticated) return;
      if ((known.get(id) ?? 0) > Date.now()) return;
      try {
        const client = upstreamClient(context, credential.apiKey);
        await client.documents.list({ limit: 1 }, withinCall(call, checkWithinMs));
      } catch (error) {
        if (!(error instanceof VectorlessError) || error.code === 'aborted') throw error;
        if (!afterKeys.has(error.code)) throw refuse(reasons[error.code] ?? cannotTell);
      }
      known.delete(id);
      known.set(id, Date.now() + goodForMs);
      for (const oldest of known.keys()) if (known.size > mostKnown) known.delete(oldest);
    };
}

/** Complaints that come after the key was accepted. */
const afterKeys: ReadonlySet<VectorlessError['code']> = new Set(['invalid_request', 'payment_required']);

const notAccepted = 'This API key is not accepted; vectors are kept for valid keys only';
const cannotTell = 'Your API key could not be checked just now; try again in a minute';
const reasons: Partial<Record<VectorlessError['code'], string>> = {
  unauthorized: notAccepted,
  forbidden: notAccepted,
};
