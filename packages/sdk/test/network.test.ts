import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Vectorless } from '@vectorless/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificate, privateKey } from './support/certificate.ts';
import { runProgram } from './support/child.ts';
import { failureOf } from './support/failure.ts';
import { serveProxy } from './support/proxy.ts';
import { json, listen, serve } from './support/server.ts';

let folder: string;
let authority: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vectorless-sdk-'));
  authority = join(folder, 'ca.pem');
  await writeFile(authority, certificate);
});
afterAll(() => rm(folder, { recursive: true }));

const serveTls = () =>
  listen(
    createServer({ cert: certificate, key: privateKey }, (_request, response) => {
      response.setHeader('content-type', 'application/json').end('{"version":"secure"}');
    }),
  );

/** The version that a client in a process of its own reads, or the code and message of its error. */
const versionOf = (options: object, env: Readonly<Record<string, string>>, ending = '') =>
  runProgram(
    `import { Vectorless } from '@vectorless/sdk';
    const client = new Vectorless(${JSON.stringify({ maxRetries: 0, timeoutMs: 10_000, ...options })});
    const answer = await client.version().catch(({ code, message }) => ({ code, message }));
    console.log(JSON.stringify(answer));${ending}`,
    env,
  );

describe('connections', () => {
  it('are kept, and shared by every client of the process', async () => {
    const api = await serve(json({ version: '1' }));
    for (let call = 0; call < 10; call++) await new Vectorless({ baseUrl: api.url }).version();
    // Two take turns where one call follows another at once: undici rests a connection for a turn of the event loop.
    expect(api.connections()).toBeLessThanOrEqual(2);
  });

  it('are kept after errors and deletions, whose bodies nobody asked for', async () => {
    const api = await serve(json({ error: 'document not found' }, 404), (_request, response) => {
      response.writeHead(204).end();
    });
    const client = new Vectorless({ baseUrl: api.url });
    await failureOf(client.documents.get('doc_1'));
    for (let call = 0; call < 5; call++) await client.documents.delete('doc_1');
    expect(api.connections()).toBeLessThanOrEqual(2);
  });

  it('do not keep a process alive', async () => {
    const api = await serve(json({ version: '1' }));
    expect(await versionOf({ baseUrl: api.url }, {})).toBe('1');
  });

  it('that cannot be made name the address and the reason', async () => {
    const client = new Vectorless({ baseUrl: 'https://no-such-host.invalid', maxRetries: 0 });
    const failure = await failureOf(client.health());
    expect(failure).toMatchObject({
      code: 'connection',
      message: expect.stringContaining('no-such-host.invalid'),
    });
  });
});

describe('certificates', () => {
  it('that nobody vouches for are `tls`, with the variable that helps', async () => {
    const client = new Vectorless({ baseUrl: `https://localhost:${await serveTls()}` });
    const failure = await failureOf(client.health());
    expect(failure).toMatchObject({
      ...{ code: 'tls', requestId: expect.any(String) },
      message: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
  });

  it('of NODE_EXTRA_CA_CERTS are accepted', async () => {
    const baseUrl = `https://localhost:${await serveTls()}`;
    expect(await versionOf({ baseUrl }, { NODE_EXTRA_CA_CERTS: authority })).toBe('secure');
  });

  it('are not the trouble when the other side speaks plain http', async () => {
    const api = await serve(json({}));
    const client = new Vectorless({ baseUrl: `https://localhost:${api.port}` });
    expect((await failureOf(client.health())).code).toBe('tls');
  });
});

describe('a proxy', () => {
  it.each(['HTTPS_PROXY', 'https_proxy'])('from %s carries https in a tunnel', async (name) => {
    const [proxy, port] = await Promise.all([serveProxy(), serveTls()]);
    const options = { baseUrl: `https://api.test:${port}`, apiKey: 'k' };
    expect(await versionOf(options, { [name]: proxy.url, NODE_EXTRA_CA_CERTS: authority })).toBe('secure');
    expect(proxy.seen).toEqual([`CONNECT api.test:${port}`]);
    const untrusted = await versionOf(options, { [name]: proxy.url });
    expect(untrusted).toMatchObject({ code: 'tls', message: expect.stringContaining('NODE_EXTRA_CA_CERTS') });
  });

  it.each(['HTTP_PROXY', 'http_proxy'])(
    'from %s carries plain http, and gets its own credentials',
    async (name) => {
      const [proxy, api] = await Promise.all([serveProxy(), serve(json({ version: '1' }))]);
      const env = { [name]: proxy.url.replace('//', '//user:pass@') };
      expect(await versionOf({ baseUrl: `http://api.test:${api.port}` }, env)).toBe('1');
      expect(proxy.seen).toEqual([`GET http://api.test:${api.port}/v1/version`]);
      expect(proxy.authorizations).toEqual([`Basic ${Buffer.from('user:pass').toString('base64')}`]);
      expect(api.seen[0]?.headers.host).toBe(`api.test:${api.port}`);
    },
  );

  it.each(['NO_PROXY', 'no_proxy'])('is left out for what %s names', async (name) => {
    const [proxy, api] = await Promise.all([serveProxy(), serve(json({ version: '1' }))]);
    const env = { HTTP_PROXY: proxy.url, [name]: 'example.com,127.0.0.1' };
    expect(await versionOf({ baseUrl: api.url }, env)).toBe('1');
    expect(proxy.seen).toEqual([]);
  });

  it('that refuses or never answers ends in an error', async () => {
    const options = { baseUrl: 'https://api.test' };
    const refusing = await serveProxy(403);
    const refused = await versionOf(options, { HTTPS_PROXY: refusing.url });
    expect(refused).toMatchObject({ code: 'connection', message: expect.stringContaining('403') });
    const silent = await serveProxy(0);
    const soon = { ...options, timeoutMs: 700 };
    // The tunnel itself is only given up after ten seconds.
    const timedOut = await versionOf(soon, { HTTPS_PROXY: silent.url }, 'process.exit()');
    expect(timedOut).toMatchObject({ code: 'timeout' });
    const nonsense = await versionOf(options, { HTTPS_PROXY: 'not a proxy' });
    expect(nonsense).toMatchObject({ code: 'connection' });
  });

  it('carries uploads', async () => {
    const receipt = json({ document_id: 'doc_1', status: 'pending' }, 202);
    const [proxy, api] = await Promise.all([serveProxy(), serve(receipt)]);
    const document = `{ content: new Uint8Array(900_000), filename: 'a.pdf', contentType: 'application/pdf' }`;
    const answer = await runProgram(
      `import { Vectorless } from '@vectorless/sdk';
      const client = new Vectorless({ baseUrl: 'http://api.test:${api.port}' });
      console.log(JSON.stringify(await client.documents.ingest(${document})));`,
      { HTTP_PROXY: proxy.url },
    );
    expect(answer).toMatchObject({ documentId: 'doc_1' });
    expect(api.seen[0]?.body.length).toBeGreaterThan(900_000);
  });
});
