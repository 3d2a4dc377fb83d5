import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { DocumentSource } from '../../src/sources/document-source.ts';

/** A folder for one test, gone when it ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'sources-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export const pdf = `%PDF-1.7\n${'1 0 obj <<>> endobj\n'.repeat(30)}startxref\n9\n%%EOF\n`;

/** A zip whose directory names these entries; nothing is in them. */
export function zip(...names: string[]): Buffer {
  const entry = (name: string, signature: string, fixed: number, nameLengthAt: number) => {
    const header = Buffer.alloc(fixed);
    header.write(signature, 'latin1');
    header.writeUInt16LE(name.length, nameLengthAt);
    return Buffer.concat([header, Buffer.from(name)]);
  };
  const files = Buffer.concat(names.map((name) => entry(name, 'PK\x03\x04', 30, 26)));
  const directory = Buffer.concat(names.map((name) => entry(name, 'PK\x01\x02', 46, 28)));
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(files.length, 16);
  return Buffer.concat([files, directory, end]);
}

export const docx = zip('[Content_Types].xml', 'word/document.xml');

export async function bytesOf(source: DocumentSource): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source.body.stream()) chunks.push(chunk);
  return Buffer.concat(chunks);
}
