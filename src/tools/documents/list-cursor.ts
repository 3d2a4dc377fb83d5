import * as z from 'zod';
import { parseJson } from '../parse-json.ts';
import { Refusal } from '../tool.ts';

/** Where a listing goes on. Opaque to agents, and bound to the question it belongs to. */
export interface Position {
  /** The upstream's own cursor of the page to go on in; absent for the first page. */
  readonly upstream?: string | undefined;
  /** The last document of that page that was looked at. */
  readonly after?: string | undefined;
  /** When that document was created. */
  readonly at?: string | undefined;
  /** Index into a fixed list of documents. */
  readonly position?: number | undefined;
}

const sealed = z.object({
  u: z.string().optional(),
  a: z.string().optional(),
  t: z.string().optional(),
  p: z.int().min(0).optional(),
});

export function sealCursor(position: Position, filterKey: string): string {
  const body = JSON.stringify({
    u: position.upstream,
    a: position.after,
    t: position.at,
    p: position.position,
  });
  return `${Buffer.from(body).toString('base64url')}.${checksum(body, filterKey)}`;
}

/** @throws Refusal for a cursor that was damaged or belongs to another listing: it never starts over in silence. */
export function openCursor(cursor: string, filterKey: string): Position {
  const [encoded = '', sum] = cursor.trim().split('.');
  const body = Buffer.from(encoded, 'base64url').toString();
  if (sum !== checksum(body, filterKey)) throw foreign();
  // The checksum can be computed by anybody, so that what it covers may still be anything.
  const parsed = sealed.safeParse(parseJson(body));
  if (!parsed.success) throw foreign();
  return { upstream: parsed.data.u, after: parsed.data.a, at: parsed.data.t, position: parsed.data.p };
}

/** Not a secret: it tells a cursor that was copied wrong, or used with other filters, from a good one. */
function checksum(body: string, filterKey: string): string {
  return process
    .getBuiltinModule('node:crypto')
    .createHash('sha256')
    .update(`${filterKey}\n${body}`)
    .digest('base64url')
    .slice(0, 10);
}

function foreign(): Refusal {
  return new Refusal(
    'This cursor is damaged or belongs to a listing with other filters. Call vectorless_list_documents without cursor, or repeat the filters of the call that gave it.',
  );
}
