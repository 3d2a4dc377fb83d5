/** Bytes to text: byte order mark, then what the file or its sender declares, then UTF-8, then Windows-1252. */
import { ParseError } from '../document.ts';

/** Throws `too_large` past `maxChars`: a string of that size would not fit in memory several times over. */
export function decodeText(bytes: Uint8Array, maxChars: number, declared?: string): string {
  // Every encoding here has at most four bytes a character, most have one.
  if (bytes.length > maxChars * 4) throw tooLong(maxChars);
  const text = decode(bytes, declared);
  if (text.length > maxChars) throw tooLong(maxChars);
  return text;
}

function decode(bytes: Uint8Array, declared: string | undefined): string {
  const marked = byteOrder(bytes) ?? unmarkedUtf16(bytes);
  if (marked) return new TextDecoder(marked).decode(bytes);
  if (declared && !/^utf-?8$/i.test(declared)) {
    try {
      const decoder = new TextDecoder(declared);
      return decoder.encoding === 'windows-1252' ? windows1252(bytes) : decoder.decode(bytes);
    } catch {
      // A name that nobody knows declares nothing.
    }
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return windows1252(bytes);
  }
}

/** What Windows-1252 has where Latin-1 has control characters, 0x80 to 0x9f. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Node decodes the label windows-1252 as Latin-1 (https://github.com/nodejs/node/issues/56542). */
function windows1252(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return text.replace(/[\u0080-\u009f]/g, (char) => WINDOWS_1252[char.charCodeAt(0) - 0x80] ?? char);
}

function byteOrder(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  return undefined;
}

/** UTF-16 without a mark shows as a zero in every other byte of Latin text. */
function unmarkedUtf16(bytes: Uint8Array): string | undefined {
  const sample = Math.min(bytes.length, 2_000) & ~1;
  if (sample < 4) return undefined;
  let even = 0;
  let odd = 0;
  for (let i = 0; i < sample; i += 2) {
    if (bytes[i] === 0) even++;
    if (bytes[i + 1] === 0) odd++;
  }
  const most = sample * 0.35;
  if (odd > most && even === 0) return 'utf-16le';
  if (even > most && odd === 0) return 'utf-16be';
  return undefined;
}

/** Whether the bytes cannot be text: zeros without the pattern of UTF-16. */
export function looksBinary(bytes: Uint8Array): boolean {
  if (byteOrder(bytes) || unmarkedUtf16(bytes)) return false;
  return bytes.subarray(0, 8_000).includes(0);
}

/** The charset of a content type such as `text/html; charset=iso-8859-1`. */
export function charsetOf(contentType: string | undefined): string | undefined {
  return /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType ?? '')?.[1];
}

function tooLong(maxChars: number): ParseError {
  const millions = Math.round(maxChars / 1e6);
  return new ParseError(
    'too_large',
    `This text is longer than ${millions} million characters. Split it into smaller files and ingest those.`,
  );
}
