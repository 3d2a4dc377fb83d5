import { expect, it } from 'vitest';
import { runProgram } from './support/child.ts';
import { serve } from './support/server.ts';

// Buffers that wait for the garbage collector come to some 60 MB whatever the size: only a larger file tells.
const megabytes = 150;

/** Uploads in a process of its own after a small one has warmed it up; prints by how many MB its memory grew. */
const growthOf = (content: string, url: string) =>
  runProgram(`
    import { mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs';
    import { tmpdir } from 'node:os';
    import { Vectorless } from '@vectorless/sdk';
    const folder = mkdtempSync(tmpdir() + '/vectorless-sdk-');
    const file = folder + '/big.pdf';
    for (let part = 0; part < ${megabytes}; part++) writeFileSync(file, Buffer.alloc(1 << 20, 'x'), { flag: 'a' });
    const stream = () => {
      let sent = 0;
      return new ReadableStream({
        pull(controller) {
          if (sent++ < ${megabytes} * 16) controller.enqueue(new Uint8Array(65_536));
          else controller.close();
        },
      });
    };
    const client = new Vectorless({ baseUrl: '${url}' });
    const ingest = (content) => client.documents.ingest({ content, filename: 'a.pdf', contentType: 'application/pdf' });
    await ingest('warm');
    await ingest(new Blob(['x'.repeat(500_000)]));
    const rss = () => process.memoryUsage.rss();
    const before = rss();
    let peak = before;
    const timer = setInterval(() => { peak = Math.max(peak, rss()); }, 2);
    await ingest(${content});
    clearInterval(timer);
    rmSync(folder, { recursive: true });
    console.log(Math.round((Math.max(peak, rss()) - before) / 2 ** 20));`);

it.each([
  ['a file', 'await openAsBlob(file)'],
  ['a stream', 'stream()'],
])(`uploads ${megabytes} MB from %s without holding them`, async (_from, content) => {
  const received: number[] = [];
  const api = await serve((request, response) => {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on('end', () => {
      received.push(bytes);
      response.writeHead(202, { 'content-type': 'application/json' });
      response.end('{"document_id":"doc_1","status":"pending"}');
    });
  });
  const growth = await growthOf(content, api.url);
  expect(received.at(-1)).toBeGreaterThan(megabytes << 20);
  expect(growth).toBeLessThan(megabytes * 0.7);
});
