import { Refusal } from '../refusal.ts';

/** Refuses a file's bytes or base64 in place of words. */
export function refusePastedFile(text: string, fileWays: string): void {
  const what = pastedFile(text);
  if (what === undefined) return;
  throw new Refusal(
    `text holds ${what}, not words. For a file use ${fileWays}; small base64 goes into content_base64 with a filename.`,
  );
}

function pastedFile(text: string): string | undefined {
  const start = text.trimStart().slice(0, 200);
  if (start.startsWith('%PDF-')) return 'the bytes of a PDF';
  if (start.startsWith('PK\x03\x04')) return 'the bytes of a zip or Office file';
  if (/^data:[^,]{0,150};base64,/i.test(start) || isBase64(text.trim())) return 'base64';
  if (text.includes('\0')) return 'binary data';
  return undefined;
}

/** One run of base64 letters, in lines of one length: no language is written so. */
function isBase64(run: string): boolean {
  if (run.length < 64 || !/^[A-Za-z0-9+/_\-\r\n]+={0,2}$/.test(run)) return false;
  const lines = run.split(/\r?\n/);
  const width = lines[0]?.length ?? 0;
  return width >= 60 && lines.slice(1, -1).every((line) => line.length === width);
}
