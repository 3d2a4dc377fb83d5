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
const anyAssignment = /^(?:export\s+)?[A-Za-z_][\w.-]*\s*=/;
const secretAssignment =
  /^[^=]*(?:secret|token|passw(?:or)?d|credential|(?:api|access|private)_?key)[^=]*=\s*\S/i;

/**
 * Refuses text that begins as a key file does: a PEM block, a PuTTY key, nothing but `NAME=value` lines, or nothing but
 * settings with a password or a key among them.
 */
export function refuseKeyFile(head: Uint8Array, filename: string): void {
  const start = plainBytes(Buffer.from(head.buffer, head.byteOffset, head.length))
    .toString('latin1')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '');
  if (anyPem.test(start) || otherKeys.test(start)) throw keyMaterial(filename);
  const lines = start
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:[#;]|\[[^\]]*\]$)/.test(line))
    .slice(0, 50);
  if (lines.length === 0) return;
  const isEnvironment = lines.every((line) => assignment.test(line));
  const areSettings = lines.every((line) => anyAssignment.test(line));
  if (isEnvironment || (areSettings && lines.some((line) => secretAssignment.test(line))))
    throw keyMaterial(filename);
}

/** UTF-16 puts a NUL beside each letter of a key; what is left without them is the key. */
function plainBytes(bytes: Buffer): Buffer {
  return bytes.includes(0) ? Buffer.from(bytes.filter((byte) => byte !== 0)) : bytes;
}

/** What a key's beginning can span: kept from each chunk, so that a key across two of them is seen. */
const overlap = 1024;

/** Takes a text chunk by chunk and refuses it at the first private key. */
export function keyScanner(filename: string): (chunk: Buffer) => void {
  let kept = Buffer.alloc(0);
  return (chunk) => {
    const plain = plainBytes(chunk);
    const piece = kept.length > 0 ? Buffer.concat([kept, plain]) : plain;
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
