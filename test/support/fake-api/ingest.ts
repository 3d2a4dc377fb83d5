import { type Exchange, type Handler, isReply, readFields, text } from './exchange.ts';
import { failure, json, type Reply } from './reply.ts';
import { guessType } from './types.ts';
import { noStore, progressOf } from './world.ts';

/** The idempotency cache of S: what a POST to `/v1/documents` came to is given again, errors just as well. */
export async function remembering(exchange: Exchange, handle: () => Reply | Promise<Reply>): Promise<Reply> {
  const key = memoryKey(exchange);
  if (key === undefined) return handle();
  const { outcomes } = exchange.world;
  const known = outcomes.get(key);
  if (known !== undefined) return replayed(known);
  const reply = await handle();
  outcomes.set(key, reply);
  return reply;
}

/** The store is no part of the key; undefined where nothing is remembered. */
function memoryKey({ dialect, method, url, org, headers }: Exchange): string | undefined {
  const key = idempotencyKey(headers);
  if (dialect !== 'S' || key === '' || method !== 'POST') return undefined;
  return [method, url.pathname, org, key].join('|');
}

/** Same status and body, but the content type is lost: Go sniffs plain text. */
function replayed({ status, body }: Reply): Reply {
  return {
    status,
    ...(body === undefined ? {} : { body }),
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-idempotency-replayed': 'true' },
  };
}

/** `POST /v1/documents`. In the database a key belongs to its document for as long as that exists. */
export const ingest: Handler = async (exchange) => {
  const { world, org, store, behaviour } = exchange;
  const key = idempotencyKey(exchange.headers);
  const file = await readFile(exchange);
  if ('status' in file) return file;
  const known = [...world.documents.values()].find(
    (document) => key !== '' && document.idempotencyKey === key && document.org === org,
  );
  if (known !== undefined) {
    return json(202, { document_id: known.id, status: progressOf(known).status });
  }
  const created = world.add({
    ...file,
    ...{ org, store: store ?? noStore, idempotencyKey: key, lifecycle: behaviour.lifecycle },
  });
  return json(202, { document_id: created.id, status: 'pending' });
};

interface File {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

async function readFile(exchange: Exchange): Promise<File | Reply> {
  const type = exchange.headers['content-type'] ?? '';
  if (type.startsWith('multipart/form-data')) return readMultipart(exchange, type);
  if (!type.startsWith('application/json')) {
    return failure(415, 'use multipart/form-data (file) or application/json (content)');
  }
  const fields = await readFields(exchange);
  if (isReply(fields)) return fields;
  const content = text(fields, 'content');
  if (content === '') return failure(400, '"content" is required');
  const filename = text(fields, 'filename');
  return {
    filename,
    contentType: text(fields, 'content_type') || guessType(filename, exchange.dialect),
    bytes: new TextEncoder().encode(content),
  };
}

async function readMultipart(exchange: Exchange, type: string): Promise<File | Reply> {
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1];
  if (boundary === undefined) {
    return failure(400, 'invalid multipart body: no multipart boundary param in Content-Type');
  }
  const body = await exchange.readBody();
  if (typeof body === 'string') return failure(400, `invalid multipart body: multipart: NextPart: ${body}`);
  const parts = splitParts(Buffer.from(body.buffer, body.byteOffset, body.byteLength), boundary);
  if (parts === undefined) return failure(400, 'invalid multipart body: multipart: NextPart: EOF');
  for (const part of parts) {
    const name = /\bname="([^"]*)"/i.exec(part.head)?.[1];
    const filename = /\bfilename="([^"]*)"/i.exec(part.head)?.[1];
    if (name !== 'file' || filename === undefined) continue;
    const given = /^content-type: *(.+)$/im.exec(part.head)?.[1]?.trim() ?? '';
    const base = filename.split(/[\\/]/).at(-1) ?? '';
    return { filename: base, contentType: given || guessType(base, exchange.dialect), bytes: part.content };
  }
  return failure(400, 'missing form field "file"');
}

/** Undefined when the closing boundary is missing. */
function splitParts(body: Buffer, boundary: string): { head: string; content: Uint8Array }[] | undefined {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter may lack its line break.
  const whole = Buffer.concat([Buffer.from('\r\n'), body]);
  const parts: { head: string; content: Uint8Array }[] = [];
  let at = whole.indexOf(delimiter);
  while (at !== -1) {
    const start = at + delimiter.length;
    if (whole.subarray(start, start + 2).toString('latin1') === '--') return parts;
    const end = whole.indexOf(delimiter, start);
    const headEnd = whole.indexOf('\r\n\r\n', start);
    if (end === -1 || headEnd === -1) return undefined;
    parts.push({
      head: whole.subarray(start, headEnd).toString('utf8'),
      content: whole.subarray(headEnd + 4, end),
    });
    at = end;
  }
  return undefined;
}

function idempotencyKey(headers: Exchange['headers']): string {
  const value = headers['idempotency-key'];
  return typeof value === 'string' ? value : '';
}
