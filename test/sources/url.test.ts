import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createOpenUrl, type Network, openUrl, type UrlOptions } from '../../src/sources/url.ts';
import { certificate, privateKey } from '../support/fake-api/certificate.ts';
import { bytesOf, docx, pdf } from './sample-files.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const site = 'https://self-signed.test';

function options(more: Partial<UrlOptions> = {}): UrlOptions {
  const signal = new AbortController().signal;
  return { maxBytes: 100_000, signal, deadline: Date.now() + 20_000, useProxy: false, env: {}, ...more };
}

/** An https site on loopback, reached as if it were port 443 of a public address. */
async function serve(answer: Answer, more: Partial<Network> = {}) {
  const server = createServer({ cert: certificate, key: privateKey }, answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const port = (server.address() as AddressInfo).port;
  const network: Partial<Network> = {
    ...{ resolve: async () => ['127.0.0.1'], allowAddress: (address: string) => address === '127.0.0.1' },
    ...{ port, ca: certificate },
    ...more,
  };
  return { port, network, open: createOpenUrl(network) };
}

const send =
  (body: string | Buffer, headers: Record<string, string> = {}, status = 200): Answer =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
  };

const why = (opening: Promise<{ filename: string }>): Promise<string> =>
  opening.then(
    ({ filename }) => `opened ${filename}`,
    (error: Error) => {
      if (error.name !== 'Refusal') throw error;
      return error.message;
    },
  );

test('a document arrives whole and can be streamed again', async () => {
  const { open } = await serve(send(pdf, { 'content-type': 'application/pdf' }));
  const source = await open(`${site}/files/annual%20report.pdf?token=secret#page=3`, options());
  expect(source).toMatchObject({ filename: 'annual report.pdf', contentType: 'application/pdf' });
  expect((await bytesOf(source)).toString()).toBe(pdf);
  expect(await why(open(`${site}/a.pdf`, options({ filename: 'Lease' })))).toBe('opened Lease.pdf');
  expect((await bytesOf(source)).toString()).toBe(pdf);
});

describe('the type', () => {
  const page = '<!DOCTYPE html><html><p>Sign in</p></html>';
  test.each<[path: string, body: string | Buffer, headers: Record<string, string>, outcome: string | RegExp]>(
    [
      ['/a.md', '# A', { 'content-type': 'text/plain; charset=utf-8' }, 'opened a.md'],
      ['/a.csv', 'a,b', { 'content-type': 'application/octet-stream' }, 'opened a.csv'],
      ['/a.csv', 'a,b', {}, 'opened a.csv'],
      ['/', page, { 'content-type': 'text/html' }, 'opened self-signed.test.html'],
      ['/docs/intro', page, { 'content-type': 'text/html' }, 'opened intro.html'],
      ['/blob/README.md', page, { 'content-type': 'text/html' }, 'opened README.md.html'],
      ['/download', docx, { 'content-type': 'application/octet-stream' }, 'opened download.docx'],
      ['/download', pdf, { 'content-disposition': 'attachment; filename="../../etc/r.pdf"' }, 'opened r.pdf'],
      [
        '/d',
        pdf,
        { 'content-disposition': "attachment; filename*=UTF-8''gr%C3%B6%C3%9Fe.pdf" },
        'opened größe.pdf',
      ],
      ['/report.pdf', page, { 'content-type': 'text/html' }, /HTML page instead of a PDF.*login/],
      ['/report.pdf', 'oops', { 'content-type': 'application/pdf' }, /not a PDF.*plain text/],
      ['/a.png', '\x89PNG', { 'content-type': 'image/png' }, /image\/png, which cannot be ingested/],
      ['/a.json', '{}', { 'content-type': 'application/json' }, /application\/json, which cannot/],
      [
        '/key.txt',
        `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(64)}`,
        { 'content-type': 'text/plain' },
        /key material/,
      ],
      ['/empty.txt', '', { 'content-type': 'text/plain' }, /is empty/],
    ],
  )('of %s is decided', async (path, body, headers, outcome) => {
    const { open } = await serve(send(body, headers));
    const answer = await why(open(site + path, options()));
    if (typeof outcome === 'string') expect(answer).toBe(outcome);
    else expect(answer).toMatch(outcome);
  });

  test('text in another encoding becomes UTF-8', async () => {
    const { open } = await serve(
      send(Buffer.from('Größe', 'latin1'), { 'content-type': 'text/plain; charset=iso-8859-1' }),
    );
    expect((await bytesOf(await open(`${site}/a.txt`, options()))).toString()).toBe('Größe');
  });
});

describe('where it may go', () => {
  test.each([
    ['http://example.com/a.pdf', /Only https/],
    ['ftp://example.com/a.pdf', /Only https/],
    ['file:///etc/passwd', /takes a web address; for a file give the file itself/],
    ['https://example.com:8443/a.pdf', /Only port 443/],
    ['https://me:secret@example.com/a.pdf', /user name or password/],
    ['https://127.0.0.1/a.pdf', /not on the public internet/],
    ['https://2130706433/a.pdf', /not on the public internet/],
    ['https://0177.0.0.1/a.pdf', /not on the public internet/],
    ['https://0x7f.1/a.pdf', /not on the public internet/],
    ['https://[::1]/a.pdf', /not on the public internet/],
    ['https://[::ffff:127.0.0.1]/a.pdf', /not on the public internet/],
    ['https://169.254.169.254/latest/meta-data', /not on the public internet/],
    ['https://localhost/a.pdf', /not on the public internet/],
    ['https://LOCALHOST./a.pdf', /not on the public internet/],
    ['https://metadata.google.internal/a.pdf', /not on the public internet/],
    ['not an address', /whole https/],
    ['', /whole https/],
  ])('%s is refused', async (address, expected) => {
    expect(await why(openUrl(address, options()))).toMatch(expected);
    expect(await why(openUrl(address, options({ useProxy: true })))).toMatch(expected);
  });

  test('a name that resolves to a private address is never connected to', async () => {
    let connections = 0;
    const trap = createTcpServer(() => {
      connections += 1;
    }).listen(0, '127.0.0.1');
    await once(trap, 'listening');
    onTestFinished(() => void trap.close());
    const port = (trap.address() as AddressInfo).port;
    const open = createOpenUrl({ resolve: async () => ['127.0.0.1', '10.0.0.1', '::1'], port });
    expect(await why(open('https://rebound.test/a.pdf', options()))).toMatch(
      'rebound.test is not on the public internet',
    );
    expect(connections).toBe(0);
  });

  test('the socket that is used is checked, whatever the lookup said', async () => {
    let asked = 0;
    let requests = 0;
    const { open } = await serve(
      (_, response) => {
        requests += 1;
        response.end(pdf);
      },
      {
        allowAddress: () => {
          asked += 1;
          return asked === 1;
        },
      },
    );
    expect(await why(open(`${site}/a.pdf`, options()))).toMatch('not on the public internet');
    expect([asked, requests]).toEqual([2, 0]);
  });

  test('redirects are followed, five at most, and each is checked', async () => {
    const { open } = await serve((request, response) => {
      const [, left = '0', target = ''] = request.url?.split('/') ?? [];
      if (left === 'to') response.writeHead(302, { location: decodeURIComponent(target) }).end();
      else if (Number(left) > 0) response.writeHead(301, { location: `/${Number(left) - 1}/x.pdf` }).end();
      else response.end(pdf);
    });
    expect(await why(open(`${site}/5/x.pdf`, options()))).toBe('opened x.pdf');
    expect(await why(open(`${site}/6/x.pdf`, options()))).toMatch('redirects more than 5 times');
    const targets = [
      'https://169.254.169.254/',
      'http://self-signed.test/',
      'https://[::1]/',
      'file:///etc/passwd',
      '//10.0.0.1/',
    ];
    for (const target of targets) {
      const answer = await why(open(`${site}/to/${encodeURIComponent(target)}`, options()));
      expect(answer).toMatch(/redirected from https:\/\/self-signed\.test/);
    }
  });

  test('a redirect to a name that resolves elsewhere is looked up anew', async () => {
    const resolve = async (name: string) => (name === 'self-signed.test' ? ['127.0.0.1'] : ['192.168.0.1']);
    const { open } = await serve(
      (_, response) => void response.writeHead(302, { location: 'https://inside.test/' }).end(),
      { resolve },
    );
    expect(await why(open(`${site}/`, options()))).toMatch('inside.test is not on the public internet');
  });
});

describe('bounds', () => {
  test('size by header, by bytes that come, and after decompression', async () => {
    const large = 'x'.repeat(100_001);
    const text = { 'content-type': 'text/plain' };
    const announced = await serve(send(large, text));
    expect(await why(announced.open(`${site}/a.txt`, options()))).toMatch('larger than the limit');
    const endless = await serve((_, response) => {
      response.writeHead(200, text);
      const timer = setInterval(() => response.write(large), 1);
      response.on('close', () => clearInterval(timer));
    });
    expect(await why(endless.open(`${site}/a.txt`, options()))).toMatch('larger than the limit');
    const bombs = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
    for (const [coding, compress] of Object.entries(bombs)) {
      const bomb = await serve(
        send(compress(Buffer.alloc(50_000_000, 'x')), { ...text, 'content-encoding': coding }),
      );
      expect(await why(bomb.open(`${site}/a.txt`, options())), coding).toMatch('larger than the limit');
      const fine = await serve(send(compress('words'), { ...text, 'content-encoding': coding }));
      expect(await why(fine.open(`${site}/a.txt`, options())), coding).toBe('opened a.txt');
    }
    const nested = await serve(send(gzipSync(gzipSync('x')), { ...text, 'content-encoding': 'gzip, gzip' }));
    expect(await why(nested.open(`${site}/a.txt`, options()))).toMatch('compressed in a way');
  });

  test('time: a site that stalls is left at the deadline, and at once when the call is cancelled', async () => {
    let closed = 0;
    const { open } = await serve((request, response) => {
      request.socket.on('close', () => {
        closed += 1;
      });
      response.writeHead(200, { 'content-type': 'text/plain' }).write('a');
    });
    const started = Date.now();
    expect(await why(open(`${site}/a.txt`, options({ deadline: Date.now() + 300 })))).toMatch(
      'did not arrive in time',
    );
    const cancelled = new AbortController();
    setTimeout(() => cancelled.abort(new Error('cancelled')), 200);
    await expect(open(`${site}/a.txt`, options({ signal: cancelled.signal }))).rejects.toThrow('cancelled');
    expect(Date.now() - started).toBeLessThan(10_000);
    await expect.poll(() => closed).toBe(2);
  });

  test('what goes wrong is named', async () => {
    for (const [status, expected] of [
      [404, /no such document/],
      [403, /wants a login/],
      [503, /Try again later/],
    ] as const) {
      const { open } = await serve(send('', {}, status));
      expect(await why(open(`${site}/a.pdf?token=secret`, options()))).toMatch(expected);
    }
    const broken = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '1000', 'content-type': 'text/plain' }).write('half');
      setTimeout(() => response.destroy(), 50);
    });
    const message = await why(broken.open(`${site}/a.txt?token=secret`, options()));
    expect(message).toMatch('could not be fetched');
    expect(message).not.toMatch('secret');
    const untrusted = createOpenUrl({ ...broken.network, ca: '' });
    expect(await why(untrusted(`${site}/a.txt`, options()))).toMatch('NODE_EXTRA_CA_CERTS');
    const unknown = createOpenUrl({
      resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
    });
    expect(await why(unknown('https://nowhere.test/', options()))).toMatch('nowhere.test was not found');
    expect(await why(broken.open(`${site}/a.txt`, options({ sha256: 'a'.repeat(64) })))).not.toMatch(
      'opened',
    );
  });
});

describe('a proxy from the environment', () => {
  async function startProxy() {
    const tunnels: string[] = [];
    const { port, network } = await serve(send(pdf, { 'content-type': 'application/pdf' }));
    const proxy = createTcpServer((client) => {
      client.on('error', () => {});
      client.once('data', (head) => {
        tunnels.push(head.toString().split(' ')[1] ?? '');
        const far = connect(port, '127.0.0.1');
        far.on('error', () => client.destroy());
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        client.pipe(far).pipe(client);
      });
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    onTestFinished(() => void proxy.close());
    const env = { HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
    return { tunnels, network, env };
  }

  test('is used only when asked for', async () => {
    const { tunnels, network, env } = await startProxy();
    const open = createOpenUrl(network);
    expect(await why(open(`${site}/a.pdf`, options({ env })))).toBe('opened a.pdf');
    expect(tunnels).toEqual([]);
    expect(await why(open(`${site}/a.pdf`, options({ env, useProxy: true })))).toBe('opened a.pdf');
    expect(tunnels).toEqual(['self-signed.test:443']);
    const direct = options({ env: { ...env, NO_PROXY: 'self-signed.test' }, useProxy: true });
    expect(await why(open(`${site}/a.pdf`, direct))).toBe('opened a.pdf');
    expect(tunnels).toHaveLength(1);
  });
});
