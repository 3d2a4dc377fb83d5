import { Refusal } from '../refusal.ts';

/** `data:application/pdf;base64,…` → its type and what follows. */
export function splitDataUri(data: string): { readonly contentType?: string; readonly data: string } {
  const prefix = /^\s*data:([^,;]{0,200})(?:;[^,;]{0,200}){0,8},/i.exec(data.slice(0, 3000));
  if (!prefix) return { data };
  if (!/;base64,$/i.test(prefix[0])) {
    throw new Refusal('content_base64 holds a data: URI that is not base64; pass its words as text.');
  }
  const contentType = prefix[1]?.trim();
  return { ...(contentType ? { contentType } : {}), data: data.slice(prefix[0].length) };
}

/**
 * Decodes base64 that came through a model, strictly: white space and the URL-safe alphabet are fine, anything else
 * that is not base64 is a sign of damage. Padding may be missing only where `mayLackPadding` or the URL-safe alphabet
 * says that this is no truncation. `fileWays` is how a file can be given instead.
 * @throws {Refusal} naming what is wrong and where.
 */
export function decodeBase64(
  given: string,
  maxBytes: number,
  mayLackPadding: boolean,
  fileWays: string,
): Uint8Array<ArrayBuffer> {
  const advice = `Send it again whole, or use ${fileWays}, which cannot be damaged on the way.`;
  const text = given.replace(/\s+/g, '');
  if (text === '') throw new Refusal('content_base64 is empty; there is nothing to ingest.');
  const estimate = Math.floor((text.length * 3) / 4);
  if (estimate > maxBytes + 3) {
    throw new Refusal(
      `content_base64 decodes to ${estimate} bytes; the limit is ${maxBytes} (VECTORLESS_MAX_FILE_MB).`,
    );
  }
  const body = text.replace(/={1,2}$/, '');
  const stray = body.search(/[^A-Za-z0-9+/_-]/);
  if (stray >= 0) {
    throw new Refusal(
      `content_base64 is not base64: ${JSON.stringify(body[stray])} at character ${stray + 1} does not belong there. ${advice}`,
    );
  }
  const isUrlSafe = /[-_]/.test(body);
  const isPadded = text.length > body.length;
  const isCut =
    body.length % 4 === 1 || (text.length % 4 !== 0 && (isPadded || !(isUrlSafe || mayLackPadding)));
  if (isCut) {
    throw new Refusal(
      `content_base64 was cut short: its ${text.length} characters are not a multiple of 4. ${advice}`,
    );
  }
  const bytes = Buffer.from(body, 'base64');
  // Bits beyond the last byte must be zero: a changed last character may leave some.
  const group = body
    .slice(-(body.length % 4 || 4))
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  const again = bytes.subarray(bytes.length - (bytes.length % 3 || 3)).toString('base64');
  if (again.replace(/=+$/, '') !== group) {
    throw new Refusal(`content_base64 was damaged: its last characters do not fit together. ${advice}`);
  }
  return new Uint8Array(bytes);
}
