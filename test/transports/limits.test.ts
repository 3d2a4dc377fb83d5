import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, askUntilLeft, callTool, initialize } from '../support/http-client.ts';
import {
  type RunningService,
  startSmallService,
  tokenMode,
  until,
  withToken,
} from '../support/http-service.ts';

let service: RunningService;
/** Has no patience: only for clients that are meant to be too slow. */
let hasty: RunningService;
beforeAll(async () => {
  service = await startSmallService(
    {
      ...{ ...tokenMode, VECTORLESS_METRICS_PORT: '0' },
      ...{ VECTORLESS_MAX_CONCURRENCY: '3', VECTORLESS_MAX_CONCURRENCY_PER_CALLER: '2' },
    },
    { limits: { jsonBytes: 8 * 1024 * 1024 } },
  );
  hasty = await startSmallService(tokenMode, { limits: { headersMs: 400, jsonBodyMs: 400 } });
});
afterAll(() => Promise.all([service.close(), hasty.close()]));

const dial = ({ port } = service): { socket: Socket; received: () => string; closed: Promise<void> } => {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  socket.on('error', () => {});
  return {
    socket,
    received: () => text,
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
  };
};
const head = (more: string) =>
  `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer team-secret-one\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n${more}`;

describe('sockets', () => {
  it('closes one that never finishes its headers', async () => {
    const { socket, closed, received } = dial(hasty);
    socket.write('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n');
    const drip = setInterval(() => socket.write('X-A: b\r\n'), 50);
    await closed;
    clearInterval(drip);
    expect(received()).toContain('408');
  });

  it('closes one that says nothing at all', async () => {
    await dial(hasty).closed;
  });

  it('answers a body that comes too slowly, and goes on serving others', async () => {
    const { socket, received } = dial(hasty);
    socket.write(head('Content-Length: 1000\r\n\r\n{'));
    await until(() => received().includes('HTTP/1.1 408'), 'the refusal');
    socket.destroy();
    expect((await ask(`${hasty.url}/livez`)).status).toBe(200);
  });

  it('refuses giant headers', async () => {
    const { socket, received } = dial();
    socket.write(head(`X-Big: ${'a'.repeat(20_000)}\r\n\r\n`));
    await until(() => received().includes('HTTP/1.1 431'), 'the refusal');
  });

  it.each(['*', '//evil.example/mcp', 'http://evil.example/mcp', '/%zz', '/\\..\\mcp'])(
    'survives the target %s',
    async (target) => {
      const { socket, received } = dial();
      socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
      await until(() => /HTTP\/1\.1 4\d\d/.test(received()), 'an answer');
    },
  );

  it.each([
    ['TRACE', 'TRACE /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n'],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n'],
    ['two credentials', `${head('')}Authorization: Bearer other\r\nContent-Length: 0\r\n`],
  ])('refuses %s without a failure in the log', async (_what, lines) => {
    const { socket, received, closed } = dial();
    socket.write(`${lines}Connection: close\r\n\r\n`);
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 400/);
    expect(service.logged.filter((line) => line.includes('http_failed'))).toEqual([]);
  });

  it('are closed when the client says that it will not use them again', async () => {
    const body = JSON.stringify(callTool('vectorless_echo', { word: 'last' }));
    const { socket, received, closed } = dial();
    socket.write(`${head(`Connection: close\r\nContent-Length: ${body.length}\r\n`)}\r\n${body}`);
    await closed;
    expect(received()).toContain('last');
  });

  it('are kept open longer than load balancers keep theirs', async () => {
    const { socket, received } = dial();
    socket.write('GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await until(() => received().includes('ok'), 'the answer');
    const [, seconds] = /keep-alive: timeout=(\d+)/i.exec(received()) ?? [];
    expect(Number(seconds)).toBeGreaterThan(65);
    socket.destroy();
  });
});

describe('bodies', () => {
  const headers = {
    ...withToken,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };

  it('takes a large call and refuses one over 4 MiB, announced or not', async () => {
    const word = 'w'.repeat(3 * 1024 * 1024);
    expect(
      (await ask(`${service.url}/mcp`, { headers, body: callTool('vectorless_echo', { word }) })).status,
    ).toBe(200);
    const tooMuch = JSON.stringify(callTool('vectorless_echo', { word: word + word }));
    const announced = await ask(`${service.url}/mcp`, { headers, body: tooMuch });
    expect(announced.status).toBe(413);
    expect(announced.json().error?.message).toMatch(/4 MiB.*upload link/);
    const chunked = await fetch(`${service.url}/mcp`, {
      ...{ method: 'POST', headers, duplex: 'half' as const },
      body: new Blob([tooMuch]).stream(),
    });
    expect(chunked.status).toBe(413);
  });

  it('refuses a body that takes many times its size once it is parsed, and not a text that looks like one', async () => {
    const send = (args: string) =>
      ask(`${service.url}/mcp`, {
        headers,
        body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"vectorless_echo","arguments":${args}}}`,
      });
    const many = (value: string) => send(`{"word":"x","junk":[${`${value},`.repeat(600_000)}0]}`);
    for (const value of ['{}', '[]', '"a"', '1']) {
      const answer = await many(value);
      expect([value, answer.status]).toEqual([value, 413]);
      expect(answer.json().error?.message).toContain('fewer at a time');
    }
    // What was refused has given back its room; a list of vectors and a quoted text are no such thing.
    expect((await send(`{"word":"x","junk":[${'0.1234567,'.repeat(300_000)}0]}`)).status).toBe(200);
    const word = '{["\\",'.repeat(300_000);
    expect((await send(JSON.stringify({ word }))).status).toBe(200);
  });

  it('reads UTF-8 alone, with or without a byte order mark', async () => {
    const call = (word: string | Buffer) =>
      Buffer.concat([
        Buffer.from(
          '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"vectorless_echo","arguments":{"word":"',
        ),
        Buffer.from(word),
        Buffer.from('"}}}'),
      ]);
    const marked = Buffer.concat([Buffer.from('\uFEFF'), call('Öl')]);
    const answer = await ask(`${service.url}/mcp`, { headers, body: marked });
    expect(answer.json().result).toMatchObject({ structuredContent: { word: 'Öl' } });
    const latin = await ask(`${service.url}/mcp`, { headers, body: call(Buffer.from('Öl', 'latin1')) });
    expect([latin.status, latin.json().error?.code]).toEqual([400, -32_700]);
  });

  it('takes a hundred messages in a batch and no more', async () => {
    const batch = (count: number) =>
      Array.from({ length: count }, () => ({ jsonrpc: '2.0', method: 'notifications/x' }));
    const status = async (count: number) =>
      (await ask(`${service.url}/mcp`, { headers: withToken, body: batch(count) })).status;
    expect([await status(100), await status(101)]).toEqual([202, 400]);
  });

  it('holds back what all bodies together may take', async () => {
    const held = Array.from({ length: 3 }, () => {
      const connection = dial();
      connection.socket.write(head('Content-Length: 3500000\r\n\r\n'));
      connection.socket.write('x'.repeat(3_000_000));
      return connection;
    });
    await until(
      () => held.some(({ received }) => received().includes('HTTP/1.1 503')),
      'one is told to come back',
    );
    expect(held.map(({ received }) => received()).join()).toMatch(/retry-after: \d/i);
    for (const { socket } of held) socket.destroy();
    const body = callTool('vectorless_echo', { word: 'w'.repeat(3 * 1024 * 1024) });
    // As soon as the server has noticed that they are gone.
    const retried = async () => (await ask(`${service.url}/mcp`, { headers, body })).status;
    await expect.poll(retried, { timeout: 5_000 }).toBe(200);
  });
});

describe('calls at once', () => {
  const endless = (token: string, name: string) =>
    askUntilLeft(`${service.url}/mcp`, callTool('vectorless_slow', { name, ms: 60_000, silent: true }), {
      authorization: `Bearer ${token}`,
    });
  const echo = (token: string) =>
    ask(`${service.url}/mcp`, {
      headers: { authorization: `Bearer ${token}` },
      body: callTool('vectorless_echo', { word: 'x' }),
    });
  const gauge = async (name: string) =>
    Number(new RegExp(`\n${name} (\\d+)`).exec((await ask(service.metricsUrl ?? '')).text)?.[1]);

  it('are capped for one caller, with a queue, and then refused in words that say to retry', async () => {
    const running = [endless('team-secret-one', 'one'), endless('team-secret-one', 'two')];
    await until(
      () => service.seen.started.includes('one') && service.seen.started.includes('two'),
      'two run',
    );
    const waiting = [0, 1, 2, 3].map(() => echo('team-secret-one'));
    await expect.poll(() => gauge('vectorless_calls_queued'), { timeout: 4_000 }).toBe(4);
    const refused = await echo('team-secret-one');
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '2']);
    expect(refused.json()).toMatchObject({
      id: expect.any(Number),
      error: { message: expect.stringContaining('same call again') },
    });
    for (const { leave } of running) leave();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('leave room for others while one caller has too many', async () => {
    const busy = [0, 1, 2, 3].map((index) => endless('team-secret-one', `busy-${index}`));
    await expect.poll(() => gauge('vectorless_calls_queued'), { timeout: 4_000 }).toBe(2);
    expect((await echo('team-secret-two')).status).toBe(200);
    for (const { leave } of busy) leave();
    await expect.poll(() => gauge('vectorless_calls_in_flight'), { timeout: 5_000 }).toBe(0);
  });

  it('count each call of a batch', async () => {
    const batch = [1, 2, 3].map((id) => ({ ...callTool('vectorless_slow', { name: `b${id}`, ms: 1 }), id }));
    // More than may ever run: to wait and try again would not help.
    const refused = await ask(`${service.url}/mcp`, { headers: withToken, body: batch });
    expect([refused.status, refused.headers['retry-after']]).toEqual([400, undefined]);
    expect((await ask(`${service.url}/mcp`, { headers: withToken, body: batch.slice(0, 2) })).status).toBe(
      200,
    );
  });

  it('are freed by clients that go away', async () => {
    for (let round = 0; round < 5; round += 1) {
      const body = JSON.stringify(
        callTool('vectorless_slow', { name: `left-${round}`, ms: 60_000, silent: true }),
      );
      const { socket } = dial();
      socket.write(`${head(`Content-Length: ${body.length}`)}\r\n\r\n${body}`);
      await until(() => service.seen.started.includes(`left-${round}`), 'it runs');
      socket.destroy();
    }
  });
});

describe('memory', () => {
  it('does not grow with sessions that are never ended, nor with callers', async () => {
    const keyed = await startSmallService({ VECTORLESS_HTTP_AUTH: 'key' });
    const round = async (count: number) => {
      for (let done = 0; done < count; done += 50) {
        await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            fetch(`${keyed.url}/mcp`, {
              method: 'POST',
              headers: {
                ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
                ...{
                  authorization: `Bearer key-${done + index}`,
                  'mcp-session-id': `session-${done + index}`,
                },
              },
              body: JSON.stringify(initialize()),
            }).then((response) => response.arrayBuffer()),
          ),
        );
      }
    };
    await round(1_000);
    const before = heapAfterCollection();
    await round(2_000);
    expect(heapAfterCollection() - before).toBeLessThan(5 * 1024 * 1024);
    await keyed.close();
  }, 180_000);
});

/** V8's collector, without a flag on the command line of the whole suite. */
function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  for (let pass = 0; pass < 3; pass += 1) collect();
  return process.memoryUsage().heapUsed;
}
