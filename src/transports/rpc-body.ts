import { type BodyFailure, type ByteBudget, declaredLength, once, readBody } from './bodies.ts';
import { type Exchange, rpcRefusal } from './exchange.ts';
import { jsonWeight } from './json-weight.ts';

/** Larger files go through upload links. */
export const maxJsonBytes = 4 * 1024 * 1024;

/** What a body may grow by when it is parsed: half a million numbers, or a hundred thousand objects. */
const maxJsonWeight = 8 * 1024 * 1024;

/** JSON is UTF-8 (RFC 8259 §8.1). Anything else would turn into other words without a sound; a BOM is passed over. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

export type JsonRead =
  | { readonly value: unknown; readonly release: () => void }
  | { readonly refusal: Response };

/** Reads and parses a JSON body, or says why not. `release` must be called when the request has been answered. */
export async function readJson(exchange: Exchange, budget: ByteBudget, timeoutMs: number): Promise<JsonRead> {
  const limits = { maxBytes: maxJsonBytes, timeoutMs, budget };
  const read = await readBody(exchange.openBody(), declaredLength(exchange.request.headers), limits);
  if ('failure' in read) return { refusal: refusals[read.failure]() };
  const weight = jsonWeight(read.bytes);
  const room = weight > maxJsonWeight ? 'too_many' : budget.take(weight) ? undefined : 'no_room';
  if (room !== undefined) {
    read.release();
    return { refusal: refusals[room]() };
  }
  const release = () => {
    budget.give(weight);
    read.release();
  };
  try {
    return { value: JSON.parse(utf8.decode(read.bytes)), release: once(release) };
  } catch {
    release();
    return {
      refusal: rpcRefusal(400, 'Parse error: the request body is not valid JSON in UTF-8.', {
        code: -32_700,
      }),
    };
  }
}

/** The id to answer under: of a single request whose id can be read. */
export function requestId(message: unknown): string | number | null {
  if (typeof message !== 'object' || message === null || !('id' in message)) return null;
  return typeof message.id === 'string' || typeof message.id === 'number' ? message.id : null;
}

const refusals: Readonly<Record<BodyFailure | 'too_many', () => Response>> = {
  too_large: () =>
    rpcRefusal(
      413,
      'The request is larger than 4 MiB. Send larger files through an upload link: call the ingest tool with a filename and no content.',
    ),
  too_many: () =>
    rpcRefusal(
      413,
      'The request holds more values than one call may: about 500,000 numbers or 100,000 objects. Send fewer at a time.',
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
