import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, callTool, initialize, modern, rpc } from '../support/http-client.ts';
import {
  type RunningService,
  startSmallService,
  tokenMode,
  until,
  withToken,
} from '../support/http-service.ts';

let service: RunningService;
let mcp: string;

beforeAll(async () => {
  service = await startSmallService(tokenMode);
  mcp = `${service.url}/mcp`;
});
afterAll(() => service.close());

const legacy = (message: object) => ({ body: message, headers: {} as Record<string, string> });
const legs = [
  ['2025', legacy],
  ['2026', modern],
] as const;

describe('Streamable HTTP', () => {
  it('speaks every handshake revision', async () => {
    for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      const answer = await ask(mcp, { headers: withToken, body: initialize(version) });
      expect(answer.json().result).toMatchObject({
        protocolVersion: version,
        serverInfo: { name: 'vectorless' },
      });
    }
  });

  it.each(legs)('lists and calls tools without a session (%s)', async (_leg, frame) => {
    const list = frame(rpc('tools/list'));
    const listed = await ask(mcp, { headers: { ...withToken, ...list.headers }, body: list.body });
    expect(JSON.stringify(listed.json().result)).toContain('vectorless_echo');
    expect(listed.headers['mcp-session-id']).toBeUndefined();
    const call = frame(callTool('vectorless_echo', { word: 'hello' }));
    const called = await ask(mcp, { headers: { ...withToken, ...call.headers }, body: call.body });
    expect(called.json().result).toMatchObject({ structuredContent: { owner: 'server', word: 'hello' } });
  });

  it('does not let a shared cache keep what depends on the caller', async () => {
    const list = modern(rpc('tools/list'));
    const listed = await ask(mcp, { headers: { ...withToken, ...list.headers }, body: list.body });
    expect(listed.json().result).toMatchObject({ cacheScope: 'private' });
  });

  it.each(['GET', 'DELETE', 'PUT', 'PATCH'])('answers %s with 405 and what is allowed', async (method) => {
    for (const headers of [withToken, {}]) {
      const answer = await ask(mcp, { method, headers });
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toBe('POST');
    }
  });

  it('takes a client that accepts anything, and refuses what is no JSON', async () => {
    const headers = { ...withToken, accept: '*/*', 'content-type': 'application/json' };
    expect((await ask(mcp, { headers, body: JSON.stringify(rpc('ping')) })).status).toBe(200);
    const broken = await ask(mcp, { headers, body: '{"jsonrpc":' });
    expect([broken.status, broken.json().error?.code]).toEqual([400, -32_700]);
    const plain = await ask(mcp, { headers: { ...headers, 'content-type': 'text/plain' }, body: '{}' });
    expect(plain.status).toBe(415);
  });

  it('accepts a notification without an answer, and a foreign session id', async () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const answer = await ask(mcp, { headers: { ...withToken, 'mcp-session-id': 'old' }, body: notification });
    expect([answer.status, answer.text]).toEqual([202, '']);
  });

  it('ends a subscription at once, since nothing here changes: no caller can hold places of others', async () => {
    const wanted = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    const { body, headers } = modern(rpc('subscriptions/listen', { notifications: wanted }));
    const answer = await ask(mcp, { headers: { ...withToken, ...headers }, body });
    expect(answer.text).toContain('"resultType":"complete"');
  });

  it('names the endpoint to whoever asks elsewhere', async () => {
    const answer = await ask(`${service.url}/api/mcp`, { headers: withToken, body: rpc('ping') });
    expect(answer.status).toBe(404);
    expect(answer.json().error?.message).toContain('/mcp');
  });
});

describe('progress', () => {
  it.each(legs)('reaches the client while the call runs (%s)', async (_leg, frame) => {
    const message = rpc('tools/call', {
      ...{ name: 'vectorless_slow', arguments: { name: 'progress', ms: 1_000 } },
      _meta: { progressToken: 'p1' },
    });
    const { body, headers } = frame(message);
    const response = await fetch(mcp, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        ...withToken,
        ...headers,
      },
      body: JSON.stringify(body),
    });
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const events: string[] = [];
    let firstBeforeEnd = false;
    for await (const chunk of response.body ?? []) {
      const text = Buffer.from(chunk).toString();
      if (events.length === 0) firstBeforeEnd = !text.includes('"result"');
      events.push(text);
    }
    const all = events.join('');
    expect(firstBeforeEnd).toBe(true);
    expect(all.match(/notifications\/progress/g)?.length).toBeGreaterThan(2);
    expect(all).toContain('progress is done');
  });
});

describe('a client that goes away', () => {
  /** Sends the request on a bare socket, so that closing it is exactly what a vanished client does. */
  const send = (body: object, headers: Record<string, string>) => {
    const socket = connect(service.port, '127.0.0.1');
    const text = JSON.stringify(body);
    const head = Object.entries({
      ...{ host: `127.0.0.1:${service.port}`, 'content-type': 'application/json' },
      ...{ accept: 'application/json, text/event-stream', 'content-length': Buffer.byteLength(text) },
      ...withToken,
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`);
    socket.write(`POST /mcp HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${text}`);
    return socket;
  };

  it.each(legs.flatMap(([leg, frame]) => [true, false].map((silent) => [leg, silent, frame] as const)))(
    'stops the work it asked for (%s, silent: %s)',
    // The bound is the promise; a busy machine gets another try at it.
    { retry: 2 },
    async (leg, silent, frame) => {
      const name = `gone-${leg}-${silent}-${Math.random()}`;
      const message = rpc('tools/call', {
        ...{ name: 'vectorless_slow', arguments: { name, ms: 15_000, silent } },
        ...(!silent && { _meta: { progressToken: name } }),
      });
      const { body, headers } = frame(message);
      const socket = send(body, headers);
      await until(() => service.seen.started.includes(name), 'the call runs');
      const left = Date.now();
      socket.destroy();
      await until(() => service.seen.aborted.includes(name), 'the call hears of it');
      expect(Date.now() - left).toBeLessThan(200);
    },
  );

  it('cannot be imitated by another: a posted cancellation is accepted and does nothing', async () => {
    const message = callTool('vectorless_slow', { name: 'kept', ms: 1_000 });
    const running = ask(mcp, { headers: withToken, body: message });
    await until(() => service.seen.started.includes('kept'), 'the call runs');
    const { id } = message as { id: number };
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } };
    expect((await ask(mcp, { headers: withToken, body: cancel })).status).toBe(202);
    expect((await running).text).toContain('kept is done');
    expect(service.seen.aborted).not.toContain('kept');
  });
});
