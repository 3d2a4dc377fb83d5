import type { IncomingHttpHeaders } from 'node:http';
import { failure, type Reply } from './reply.ts';
import type { Dialect, Lifecycle, World } from './world.ts';

/** How `/v1/query/stream` of S behaves; the server's own default cannot stream. */
export type Streaming = 'streams' | 'single-error' | 'cut-short' | 'unsupported';

/** What tests may change while the fake runs. */
export interface Behaviour {
  lifecycle: Lifecycle;
  streaming: Streaming;
  /** Bytes of a request body that S accepts; E has no limit. */
  maxBodyBytes: number;
  /** No language model configured: `/v1/answer` is 501. */
  answers: boolean;
}

/** A request that got past authentication. */
export interface Exchange {
  readonly world: World;
  readonly dialect: Dialect;
  readonly behaviour: Behaviour;
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly org: string;
  /** Of `X-Vectorless-Store` on S; undefined: not sent. */
  readonly store: string | undefined;
  /** The whole body; a string instead says why the server gave up reading: too large, or cut short. */
  readBody(): Promise<Uint8Array | string>;
}

export type Handler = (exchange: Exchange, id: string) => Reply | Promise<Reply>;

export type Fields = Readonly<Record<string, unknown>>;

/** Decodes a JSON body as the Go server does; a string is the message of its 400. */
export async function readFields(exchange: Exchange): Promise<Fields | Reply> {
  const body = await exchange.readBody();
  if (typeof body === 'string') return failure(400, `invalid json: ${body}`);
  const text = new TextDecoder().decode(body);
  if (text.trim() === '') return failure(400, 'invalid json: EOF');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const first = text.trim()[0] ?? '';
    return failure(400, `invalid json: invalid character '${first}' looking for beginning of value`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return failure(400, 'invalid json: json: cannot unmarshal value into Go value of type api.request');
  }
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field]));
}

export const isReply = (value: Fields | Reply): value is Reply =>
  typeof value.status === 'number' && 'body' in value;

export const text = (fields: Fields, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
};

/** Zero, negative and absent mean "the default". */
export const count = (fields: Fields, name: string): number | undefined => {
  const value = fields[name];
  return typeof value === 'number' && value > 0 ? value : undefined;
};

/** The first field of a wrong type, as the 400 that the decoder makes of it. */
export function mistyped(
  fields: Fields,
  types: Readonly<Record<string, 'string' | 'int'>>,
): Reply | undefined {
  for (const [name, type] of Object.entries(types)) {
    const value = fields[name];
    if (value === undefined || value === null) continue;
    const fits = type === 'int' ? Number.isInteger(value) : typeof value === type;
    if (fits) continue;
    const shown = typeof value === 'number' ? `number ${type === 'int' ? value : ''}`.trim() : typeof value;
    return failure(
      400,
      `invalid json: json: cannot unmarshal ${shown} into Go struct field .${name} of type ${type}`,
    );
  }
  return undefined;
}
