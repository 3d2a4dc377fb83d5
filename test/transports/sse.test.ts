import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { sseLimits } from '../../src/transports/sse.ts';
import { ask, callTool, initialize, rpc } from '../support/http-client.ts';
import {
  type Environment,
  type RunningService,
  startSmallService,
  tokenMode,
  until,
  withToken,
} from '../support/http-service.ts';
import { openSse, type SseClient } from '../support/sse-client.ts';

let service: RunningService | undefined;
const clients: SseClient[] = [];

async function start(env: Environment = {}, sse: Partial<typeof sseLimits> = {}): Promise<RunningService> {
  service = await startSmallService(
    { ...tokenMode, ...env },
    { limits: { sse: { ...sseLimits, ...sse }, drainMs: 10_000 } },
  );
  return service;
}
async function join(
  { url }: RunningService,
  headers: Record<string, string> = withToken,
): Promise<SseClient> {
  const client = await openSse(url, headers);
  clients.push(client);
  return client;
}
afterEach(async () => {
  for (const client of clients.splice(0)) client.leave();
  await service?.close();
});

const idOf = (message: object) => (message as { id: number }).id;
async function call(client: SseClient, message: object): Promise<string> {
  expect((await client.post(message)).status).toBe(202);
  const own = `"id":${idOf(message)}`;
  await until(() => client.messages.some((text) => text.includes(own)), 'the answer');
  return client.messages.find((text) => text.includes(own)) ?? '';
}

describe('HTTP+SSE', () => {
  it('answers on the stream what is posted beside it', async () => {
    const client = await join(await start());
    expect(client.endpoint).toMatch(/^\/messages\?sessionId=[\w-]{20,}$/);
    expect(await call(client, initialize('2024-11-05'))).toContain('2024-11-05');
    expect(await call(client, rpc('tools/list'))).toContain('vectorless_echo');
    expect(await call(client, callTool('vectorless_echo', { word: 'hi' }))).toContain('server: hi');
  });

  it('announces the address as callers see it, behind a proxy’s path', async () => {
    const client = await join(await start({ VECTORLESS_PUBLIC_URL: 'http://127.0.0.1/team/' }));
    expect(client.endpoint).toMatch(/^\/team\/messages\?/);
  });

  it('tells of progress while a call runs', async () => {
    const client = await join(await start());
    const message = rpc('tools/call', {
      ...{ name: 'vectorless_slow', arguments: { name: 'p', ms: 200 }, _meta: { progressToken: 7 } },
    });
    await call(client, message);
    expect(client.messages[0]).toContain('notifications/progress');
  });

  it('stops a call whose client closes the stream, or cancels it', { retry: 2 }, async () => {
    const running = await start();
    const [leaving, staying] = [await join(running), await join(running)];
    await leaving.post(callTool('vectorless_slow', { name: 'left', ms: 20_000 }));
    const cancelled = callTool('vectorless_slow', { name: 'cancelled', ms: 20_000 });
    await staying.post(cancelled);
    await until(() => running.seen.started.length === 2, 'both run');
    const started = Date.now();
    leaving.leave();
    await staying.post({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: idOf(cancelled) },
    });
    await until(() => running.seen.aborted.length === 2, 'both stop');
    expect(Date.now() - started).toBeLessThan(200);
  });

  it('belongs to the caller that opened it', async () => {
    const running = await start();
    const client = await join(running);
    const other = { authorization: 'Bearer team-secret-two' };
    expect((await client.post(rpc('ping'), other)).status).toBe(404);
    expect((await client.post(rpc('ping'), { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await client.post(rpc('ping'))).status).toBe(202);
    const unknown = await fetch(`${running.url}/messages?sessionId=${'x'.repeat(24)}`, {
      method: 'POST',
      headers: withToken,
      body: '{}',
    });
    expect(unknown.status).toBe(404);
  });

  it('refuses what is not one JSON-RPC message, and an id that is in use', async () => {
    const client = await join(await start());
    expect((await client.post([rpc('ping')])).status).toBe(400);
    expect((await client.post({ hello: 1 })).status).toBe(400);
    const slow = callTool('vectorless_slow', { name: 'a', ms: 20_000 });
    expect((await client.post(slow)).status).toBe(202);
    expect((await client.post(slow)).status).toBe(400);
  });

  it('counts its calls like all others', async () => {
    const running = await start({ VECTORLESS_MAX_CONCURRENCY: '1' });
    const client = await join(running);
    const first = callTool('vectorless_slow', { name: 'first', ms: 20_000 });
    expect((await client.post(first)).status).toBe(202);
    // Nothing gets free within the second that the queue waits.
    expect((await client.post(rpc('ping'))).status).toBe(503);
    const waiting = client.post(rpc('ping'));
    await client.post({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: idOf(first) },
    });
    expect((await waiting).status).toBe(202);
  });

  it('does not begin what was still waiting when the client left', async () => {
    const running = await start({ VECTORLESS_MAX_CONCURRENCY: '1' });
    const client = await join(running);
    await client.post(callTool('vectorless_slow', { name: 'first', ms: 20_000 }));
    const waiting = client.post(callTool('vectorless_slow', { name: 'second', ms: 1 }));
    await sleep(100);
    client.leave();
    await waiting;
    await until(() => running.seen.aborted.includes('first'), 'the first stops');
    await sleep(100);
    expect(running.seen.started).toEqual(['first']);
  });

  it('is pinged, and closed when nothing is asked of it', async () => {
    const client = await join(await start({}, { pingMs: 50, idleMs: 2_000 }));
    await call(client, rpc('ping'));
    await until(() => client.raw().includes(': ping'), 'a ping');
    await until(() => client.closed(), 'it is closed');
  });

  it('is open as often as allowed and no more, for one caller and for all', async () => {
    const running = await start({}, { maxStreams: 3, maxStreamsPerCaller: 2 });
    const other = { authorization: 'Bearer team-secret-two' };
    const [first] = [await join(running), await join(running)];
    expect((await join(running)).status).toBe(503);
    expect((await join(running, other)).status).toBe(200);
    expect((await join(running, other)).status).toBe(503);
    first.leave();
    await expect.poll(async () => (await join(running)).status, { timeout: 5_000 }).toBe(200);
  });

  it('holds a thousand open, refuses one more, and serves calls beside them', async () => {
    const running = await start(
      { VECTORLESS_METRICS_PORT: '0' },
      { maxStreams: 1_000, maxStreamsPerCaller: 1_000 },
    );
    for (let open = 0; open < 1_000; open += 50) {
      await Promise.all(Array.from({ length: 50 }, () => join(running)));
    }
    const gauge = async () =>
      /vectorless_sse_streams (\d+)/.exec((await ask(running.metricsUrl ?? '')).text)?.[1];
    expect(await gauge()).toBe('1000');
    expect((await join(running)).status).toBe(503);
    expect((await ask(`${running.url}/mcp`, { headers: withToken, body: rpc('ping') })).status).toBe(200);
    for (const client of clients) client.leave();
    await expect.poll(gauge, { timeout: 5_000 }).toBe('0');
  }, 60_000);

  it('loses a client that does not read', async () => {
    const running = await start();
    const socket = connect(running.port, '127.0.0.1');
    socket.on('error', () => {});
    const opened = new Promise<string>((resolve) => {
      socket.on('data', (chunk) => {
        const endpoint = /data: (\S+)/.exec(chunk.toString())?.[1];
        if (endpoint === undefined) return;
        socket.pause();
        resolve(endpoint);
      });
    });
    socket.write(`GET /sse HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${withToken.authorization}\r\n\r\n`);
    const endpoint = await opened;
    const post = async () => {
      const body = JSON.stringify(callTool('vectorless_echo', { word: 'w'.repeat(1_000_000) }));
      const headers = { ...withToken, 'content-type': 'application/json' };
      return (await fetch(running.url + endpoint, { method: 'POST', headers, body })).status;
    };
    let statuses: number[] = [];
    for (let calls = 0; calls < 60 && !statuses.includes(404); calls += 1) {
      statuses = [...statuses, await post()];
      await sleep(10);
    }
    expect(statuses.at(-1)).toBe(404);
    socket.destroy();
  });

  it('ends with the service: at once when idle, after its call when not', async () => {
    const running = await start();
    const [idle, busy] = [await join(running), await join(running)];
    await busy.post(callTool('vectorless_slow', { name: 'last', ms: 1_500 }));
    await until(() => running.seen.started.includes('last'), 'it runs');
    const closing = running.close();
    await until(() => idle.closed(), 'the idle one is closed');
    expect((await busy.post(rpc('ping'))).status).toBe(503);
    await closing;
    // The server is through; what it sent may still be on its way to the client.
    await until(() => busy.closed(), 'the busy one is closed');
    expect(busy.messages.join()).toContain('last is done');
  });
});
