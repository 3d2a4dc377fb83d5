import { Refusal } from '../refusal.ts';

/** Names under which keys and passwords are kept, whatever the folder. */
const secretName = /^(?:\.env(?:\..*)?|id_.*|.*\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx|asc|gpg))$/i;

export function isSecretName(filename: string): boolean {
  return secretName.test(filename);
}

const anyPem = /^\s*-----BEGIN [A-Z0-9 ]{2,60}-----/;
/** A private key with real content; `\n` may be spelled out, as in a JSON service account. */
const privateKey =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nr]){1,8}(?:[\w-]{1,40}: [^\n]{0,200}\s{1,4}){0,8}[A-Za-z0-9+/=]{24}/;
const otherKeys = /^\s*(?:PuTTY-User-Key-File-\d|AGE-SECRET-KEY-1)/;
const assignment = /^(?:export\s+)?[A-Z][A-Z0-9_]*\s*=/;

/** Refuses text that begins as a key file does: a PEM block, a PuTTY key, nothing but `NAME=value` lines. */
export function refuseKeyFile(head: Uint8Array, filename: string): void {
  const start = Buffer.from(head.buffer, head.byteOffset, head.length)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '');
  if (anyPem.test(start) || otherKeys.test(start)) throw keyMaterial(filename);
  const lines = start
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (lines.length > 0 && lines.slice(0, 50).every((line) => assignment.test(line)))
    throw keyMaterial(filename);
}

/** What a key's beginning can span: kept from each chunk, so that a key across two of them is seen. */
const overlap = 1024;

/** Takes a text chunk by chunk and refuses it at the first private key. */
export function keyScanner(filename: string): (chunk: Buffer) => void {
  let kept = Buffer.alloc(0);
  return (chunk) => {
    const piece = kept.length > 0 ? Buffer.concat([kept, chunk]) : chunk;
    if (piece.includes('PRIVATE KEY') && privateKey.test(piece.toString('latin1')))
      throw keyMaterial(filename);
    kept = Buffer.from(piece.subarray(-overlap));
  };
}

/** Both checks on a text that is in memory. */
export function refuseKeys(text: Uint8Array<ArrayBuffer>, filename: string): void {
  refuseKeyFile(text.subarray(0, 4096), filename);
  keyScanner(filename)(Buffer.from(text.buffer, text.byteOffset, text.length));
}

function keyMaterial(filename: string): Refusal {
  return new Refusal(
    `${filename} holds key material (a private key, a certificate or environment secrets). It is never ingested.`,
  );
}
