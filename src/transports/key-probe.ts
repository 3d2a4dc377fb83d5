import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { VectorlessError } from '@vectorless/sdk';
import type { Log } from '../log.ts';
import { StartupError } from './startup.ts';

/** Makes one cheap read from the upstream with this key. */
export type TryKey = (apiKey: string) => Promise<void>;

/**
 * Asks the upstream once with a key that cannot exist. In `key` mode the upstream is the only one that checks callers,
 * so one that lets this key in would let everyone in. Waits for an upstream that cannot be reached.
 * @throws {StartupError} when the upstream checks no keys.
 */
export async function requireKeyCheck(tryKey: TryKey, log: Log, pauseMs = 2_000): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const verdict = await probe(tryKey);
    if (verdict === 'checked') return;
    if (verdict === 'open') {
      throw new StartupError(
        'The upstream let in a random key, so it does not check keys: with VECTORLESS_HTTP_AUTH=key everyone who reaches ' +
          'this port would read every document. Use token or jwt, or pass --allow-unauthenticated if that is intended.',
      );
    }
    log.warn('waiting_for_upstream', { reason: verdict });
    await sleep(Math.min(pauseMs * 2 ** attempt, 30_000));
  }
}

/** `checked` and `open` are answers; anything else says why there is none yet. */
async function probe(tryKey: TryKey): Promise<string> {
  try {
    await tryKey(`vls_live_probe${randomBytes(24).toString('hex')}`);
    return 'open';
  } catch (error) {
    if (!(error instanceof VectorlessError)) return 'unknown';
    if (error.code === 'unauthorized' || error.code === 'forbidden') return 'checked';
    // Validation comes after authentication: a complaint about the request means that the key was accepted.
    if (error.code === 'invalid_request' || error.code === 'payment_required') return 'open';
    return error.code;
  }
}
