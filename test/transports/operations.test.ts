import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { ask, askUntilLeft, callTool, rpc } from '../support/http-client.ts';
import {
  type Environment,
  type RunningService,
  startSmallService,
  tokenMode,
  until,
  withToken,
} from '../support/http-service.ts';

const open: RunningService[] = [];
async function start(env: Environment = {}, drainMs = 10_000): Promise<RunningService> {
  const service = await startSmallService({ ...tokenMode, ...env }, { limits: { drainMs } });
  open.push(service);
  return service;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close()));
});

const slow = (service: RunningService, name: string, ms: number) =>
  ask(`${service.url}/mcp`, {
    headers: withToken,
    body: callTool('vectorless_slow', { name, ms, silent: true }),
  });

describe('probes', () => {
  it('answer without a credential, to GET and HEAD', async () => {
    const service = await start();
    for (const path of ['/livez', '/readyz']) {
      expect((await ask(service.url + path)).text).toBe('ok\n');
      expect(await ask(service.url + path, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
      expect((await ask(service.url + path, { method: 'POST' })).status).toBe(405);
    }
  });

  it('tell starting from ready', async () => {
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const port = 20_000 + Math.floor(Math.random() * 20_000);
    const env = { ...tokenMode, VECTORLESS_HTTP_PORT: String(port) };
    const starting = startSmallService(env, { beforeReady: () => gate });
    const url = `http://127.0.0.1:${port}`;
    let answer: { status: number; text: string } | undefined;
    while (answer === undefined) answer = await ask(`${url}/readyz`).catch(() => undefined);
    expect(answer).toMatchObject({ status: 503, text: 'starting\n' });
    expect((await ask(`${url}/livez`)).status).toBe(200);
    const early = await ask(`${url}/mcp`, { headers: withToken, body: rpc('ping') });
    expect([early.status, early.headers['retry-after']]).toEqual([503, '2']);
    go();
    open.push(await starting);
    expect((await ask(`${url}/readyz`)).status).toBe(200);
  });
});

describe('closing', () => {
  it('lets calls in flight finish, takes no new ones, and says so to the probe', async () => {
    const service = await start();
    const running = slow(service, 'last', 2_000);
    await until(() => service.seen.started.includes('last'), 'it runs');
    let closed = false;
    const closing = service.close().then(() => {
      closed = true;
    });
    expect(await ask(`${service.url}/readyz`)).toMatchObject({ status: 503, text: 'draining\n' });
    expect((await ask(`${service.url}/livez`)).status).toBe(200);
    expect((await slow(service, 'late', 1)).status).toBe(503);
    expect(closed).toBe(false);
    expect((await running).text).toContain('last is done');
    await closing;
    await expect(ask(`${service.url}/livez`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('waits for a call whose body is still coming in', async () => {
    const service = await start();
    const body = JSON.stringify(callTool('vectorless_echo', { word: 'half' }));
    const socket = connect(service.port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    const ended = new Promise((resolve) => socket.once('close', resolve));
    const head = Object.entries({ ...withToken, host: '127.0.0.1', 'content-type': 'application/json' });
    const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(
      `POST /mcp HTTP/1.1\r\n${lines}Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    await until(() => received.includes('100 Continue'), 'the body is asked for');
    socket.write(body.slice(0, 20));
    await sleep(50);
    const closing = service.close();
    await sleep(50);
    socket.write(body.slice(20));
    await closing;
    await ended;
    expect(received).toContain('"word":"half"');
  });

  it('does not wait for ever', async () => {
    const service = await start({}, 200);
    const running = slow(service, 'endless', 60_000).catch((error: Error) => error);
    await until(() => service.seen.started.includes('endless'), 'it runs');
    const started = Date.now();
    await service.close();
    expect(Date.now() - started).toBeLessThan(8_000);
    expect(await running).toBeInstanceOf(Error);
    await until(() => service.seen.aborted.includes('endless'), 'the call is stopped');
  });

  it('is quick when nothing runs, whatever connections are kept', async () => {
    const service = await start();
    await fetch(`${service.url}/livez`);
    const started = Date.now();
    await service.close();
    expect(Date.now() - started).toBeLessThan(8_000);
  });
});

describe('metrics', () => {
  it('are on a port of their own, in Prometheus text, and name no caller', async () => {
    const service = await start({ VECTORLESS_METRICS_PORT: '0', VECTORLESS_MAX_CONCURRENCY: '1' });
    await ask(`${service.url}/mcp`, { headers: withToken, body: callTool('vectorless_echo', { word: 'x' }) });
    await ask(`${service.url}/mcp`, { headers: withToken, body: callTool('vectorless_echo', {}) });
    const held = ['a', 'b'].map((name) =>
      askUntilLeft(`${service.url}/mcp`, callTool('vectorless_slow', { name, ms: 60_000 }), withToken),
    );
    const scrape = () => ask(service.metricsUrl ?? '');
    await expect.poll(async () => (await scrape()).text).toContain('\nvectorless_calls_queued 1\n');
    const { text, headers } = await scrape();
    expect(headers['content-type']).toContain('version=0.0.4');
    expect(text).toContain('vectorless_tool_calls_total{tool="vectorless_echo"} 2\n');
    expect(text).toContain('vectorless_tool_errors_total{tool="vectorless_echo"} 1\n');
    expect(text).toContain('vectorless_tool_duration_seconds_bucket{tool="vectorless_echo",le="+Inf"} 2\n');
    expect(text).toContain('vectorless_tool_duration_seconds_count{tool="vectorless_echo"} 2\n');
    expect(text).toContain('\nvectorless_calls_in_flight 1\n');
    for (const line of text.trim().split('\n')) {
      expect(line).toMatch(/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? [\d.]+)$/);
    }
    expect(text).not.toMatch(/secret|caller_id|token/);
    for (const { leave } of held) leave();
    expect((await ask(`${service.url}/metrics`, { headers: withToken })).status).toBe(404);
  });

  it('want a port that is free', async () => {
    const other = await start();
    const env = { ...tokenMode, VECTORLESS_METRICS_PORT: String(other.port) };
    await expect(startSmallService(env)).rejects.toThrow(
      /something else listens there.*VECTORLESS_METRICS_PORT/,
    );
  });

  it('are off unless asked for', async () => {
    expect((await start()).metricsUrl).toBeUndefined();
  });
});
