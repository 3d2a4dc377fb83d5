import { type BodyFailure, type ByteBudget, declaredLength, readBody } from './bodies.ts';
import { type Exchange, rpcRefusal } from './exchange.ts';

/** Larger files go through upload links. */
export const maxJsonBytes = 4 * 1024 * 1024;

export type JsonRead =
  | { readonly value: unknown; readonly release: () => void }
  | { readonly refusal: Response };

/** Reads and parses a JSON body, or says why not. `release` must be called when the request has been answered. */
export async function readJson(exchange: Exchange, budget: ByteBudget, timeoutMs: number): Promise<JsonRead> {
  const limits = { maxBytes: maxJsonBytes, timeoutMs, budget };
  const read = await readBody(exchange.openBody(), declaredLength(exchange.request.headers), limits);
  if ('failure' in read) return { refusal: refusals[read.failure]() };
  try {
    return { value: JSON.parse(read.text), release: read.release };
  } catch {
    read.release();
    return {
      refusal: rpcRefusal(400, 'Parse error: the request body is not valid JSON.', { code: -32_700 }),
    };
  }
}

/** The id to answer under: of a single request whose id can be read. */
export function requestId(message: unknown): string | number | null {
  if (typeof message !== 'object' || message === null || !('id' in message)) return null;
  return typeof message.id === 'string' || typeof message.id === 'number' ? message.id : null;
}

const refusals: Readonly<Record<BodyFailure, () => Response>> = {
  too_large: () =>
    rpcRefusal(
      413,
      'The request is larger than 4 MiB. Send larger files through an upload link: call the ingest tool with a filename and no content.',
    ),
  too_slow: () =>
    rpcRefusal(408, 'The request body did not arrive in time.', { headers: { connection: 'close' } }),
  no_room: () =>
    rpcRefusal(503, 'The server is receiving too much at once. Wait a few seconds and try again.', {
      headers: { 'retry-after': '3' },
    }),
  // Nobody is there to read it.
  aborted: () => rpcRefusal(400, 'The connection was closed before the request was complete.'),
};
