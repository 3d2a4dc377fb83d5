import { Refused } from './answers.ts';

/** Reads a request's body, giving up as soon as it is longer than `limit` bytes. */
export async function readBody(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = new Refused(
    413,
    `request body too large: at most ${Math.floor(limit / 2 ** 20)} MiB are accepted`,
  );
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > limit) throw tooLarge;
    chunks.push(chunk);
  }
  const body = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** The body as a JSON object. `null` counts as absent in it, as the API has it. */
export async function readJson(request: Request, limit: number): Promise<JsonObject> {
  const text = new TextDecoder().decode(await readBody(request, limit));
  if (!text.trim()) throw new Refused(400, 'invalid json: EOF');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Refused(400, `invalid json: ${error instanceof Error ? error.message : 'syntax'}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refused(400, 'invalid json: an object is expected');
  }
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

/** Empty when absent; a value of another type is refused. */
export function stringField(body: JsonObject, name: string): string {
  const value = body[name] ?? '';
  if (typeof value !== 'string') throw new Refused(400, `invalid json: "${name}" must be a string`);
  return value;
}

/** 0 when absent. */
export function integerField(body: JsonObject, name: string): number {
  const value = body[name] ?? 0;
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw new Refused(400, `invalid json: "${name}" must be an integer`);
  }
  return value;
}

export function stringsField(body: JsonObject, name: string): string[] {
  const value = body[name] ?? [];
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw new Refused(400, `invalid json: "${name}" must be an array of strings`);
  }
  return value;
}
