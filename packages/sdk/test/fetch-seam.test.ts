import { Vectorless } from '@vectorless/sdk';
import { expect, it } from 'vitest';
import { runProgram } from './support/child.ts';
import { failureOf } from './support/failure.ts';
import { until } from './support/server.ts';

const clientOf = (fetch: (request: Request) => Promise<Response>, maxRetries = 2) =>
  new Vectorless({ fetch, maxRetries });

it('gives every request to `fetch` as a standard Request', async () => {
  const seen: Request[] = [];
  const client = new Vectorless({
    ...{ baseUrl: 'http://engine.local', apiKey: 'k', org: 'o' },
    fetch: async (request) => {
      seen.push(request);
      return Response.json({ document_id: 'd', query: 'q', sections: [] });
    },
  });
  await client.query({ documentId: 'd', query: 'q' });
  const [request] = seen;
  expect(request?.method).toBe('POST');
  expect(request?.url).toBe('http://engine.local/v1/query');
  expect(request?.redirect).toBe('manual');
  expect(request?.headers.get('authorization')).toBe('Bearer k');
  expect(await request?.json()).toEqual({ document_id: 'd', query: 'q' });
});

it('asks the hosted service when no address is given', async () => {
  let url = '';
  const client = clientOf(async (request) => {
    url = request.url;
    return Response.json({});
  });
  await client.health();
  expect(url).toBe('https://api.vectorless.dev/v1/health');
});

it('streams an upload into it, no faster than it is read', async () => {
  let pulled = 0;
  const chunk = new Uint8Array(65_536);
  const content = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (++pulled > 64) controller.close();
        else controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
  let pulledAhead = 0;
  const client = clientOf(async (request) => {
    const reader = request.body?.getReader();
    await reader?.read();
    await reader?.read();
    await new Promise((resolve) => setTimeout(resolve, 100));
    pulledAhead = pulled;
    let size = 0;
    for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) {
      size += step.value.length;
    }
    return Response.json(
      { document_id: `doc_${size > 60 * chunk.length}`, status: 'pending' },
      { status: 202 },
    );
  });
  const receipt = await client.documents.ingest({
    content,
    filename: 'a.pdf',
    contentType: 'application/pdf',
  });
  expect(receipt.documentId).toBe('doc_true');
  expect(pulledAhead).toBeLessThan(8);
});

it('understands multipart with an engine that parses it by the standard', async () => {
  const client = clientOf(async (request) => {
    const file = (await request.formData()).get('file');
    const name = file instanceof File ? `${file.name} ${file.type} ${await file.text()}` : 'no file';
    return Response.json({ document_id: name, status: 'pending' });
  });
  const document = { content: 'hi', filename: 'ü "x".md', contentType: 'text/markdown' };
  expect((await client.documents.ingest(document)).documentId).toBe("ü 'x'.md text/markdown hi");
});

it('never lets an upload that was cut off look complete', async () => {
  const controller = new AbortController();
  let read: Promise<unknown> | undefined;
  const client = clientOf((request) => {
    // An engine that reads on after the abort.
    read = request.arrayBuffer().then(
      () => 'complete',
      () => 'cut off',
    );
    return new Promise(() => {});
  });
  let pulls = 0;
  const content = new ReadableStream<Uint8Array>({
    pull(stream) {
      if (pulls++ > 0) return new Promise(() => {});
      stream.enqueue(new Uint8Array(9));
      setTimeout(() => controller.abort(), 50);
    },
  });
  const document = { content, filename: 'a.txt', contentType: 'text/plain' };
  await failureOf(client.documents.ingest(document, { signal: controller.signal }));
  expect(await read).toBe('cut off');
});

it('maps errors and retries as over the network', async () => {
  let calls = 0;
  const client = clientOf(async () => {
    if (++calls < 3) return Response.json({ error: 'busy' }, { status: 503 });
    return Response.json({ error: 'section not found' }, { status: 404 });
  });
  expect((await failureOf(client.sections.get('sec_1'))).code).toBe('not_found');
  expect(calls).toBe(3);
  const broken = clientOf(() => Promise.reject(new Error('store is gone')), 0);
  expect(await failureOf(broken.health())).toMatchObject({
    ...{ code: 'connection', cause: expect.objectContaining({ message: 'store is gone' }) },
  });
});

it('holds a deadline against an engine that ignores the signal', async () => {
  const client = clientOf(() => new Promise(() => {}));
  expect((await failureOf(client.health({ timeoutMs: 50 }))).code).toBe('timeout');
  const halfway = clientOf(
    async () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) })),
  );
  expect((await failureOf(halfway.health({ timeoutMs: 50 }))).code).toBe('timeout');
});

it('hands the signal on', async () => {
  const controller = new AbortController();
  let reason: unknown;
  const client = clientOf(
    (request) =>
      new Promise((_resolve, reject) => {
        request.signal.addEventListener('abort', () => {
          reason = request.signal.reason;
          reject(reason);
        });
      }),
  );
  setTimeout(() => controller.abort(), 10);
  expect((await failureOf(client.health({ signal: controller.signal }))).code).toBe('aborted');
  await until(() => reason !== undefined, 'abort seen');
});

it('streams a source and events', async () => {
  const events = 'data: {"type":"started"}\r\n\r\ndata: {"type":"completed"}\r\n\r\n';
  const client = clientOf(async (request) =>
    request.url.endsWith('/stream')
      ? new Response(events, { headers: { 'content-type': 'text/event-stream' } })
      : new Response('bytes', { headers: { 'content-type': 'text/plain' } }),
  );
  expect(await (await client.documents.source('d')).text()).toBe('bytes');
  const types: string[] = [];
  for await (const { type } of client.queryStream({ documentId: 'd', query: 'q' })) types.push(type);
  expect(types).toEqual(['started', 'completed']);
});

it('never loads undici, which the first call over the network does', async () => {
  const loaded = await runProgram(`
    import { createRequire } from 'node:module';
    import { Vectorless } from '@vectorless/sdk';
    const modules = () => Object.keys(createRequire(import.meta.url).cache);
    const hasUndici = () => modules().some((path) => path.includes('undici'));
    await new Vectorless({ fetch: async () => Response.json({}) }).health();
    const network = new Vectorless({ baseUrl: 'http://127.0.0.1:1', maxRetries: 0 });
    const before = hasUndici();
    await network.health().catch(() => {});
    console.log(JSON.stringify([before, hasUndici()]));`);
  expect(loaded).toEqual([false, true]);
});
