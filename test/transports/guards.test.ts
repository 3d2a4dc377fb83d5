import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, initialize, rpc } from '../support/http-client.ts';
import { type RunningService, startSmallService, tokenMode, withToken } from '../support/http-service.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startSmallService({
    ...tokenMode,
    VECTORLESS_PUBLIC_URL: 'https://docs.example.com/vectorless/',
    VECTORLESS_ALLOWED_HOSTS: 'mcp.internal, 10.0.0.5:8080',
    VECTORLESS_ALLOWED_ORIGINS: 'https://app.example.com, http://tool.example.com:8080/',
  });
});
afterAll(() => service.close());

const paths = ['/', '/mcp', '/sse', '/messages', '/uploads/abc', '/nothing'];
const statusFor = async (path: string, headers: Record<string, string>) =>
  (
    await ask(`${service.url}${path}`, {
      headers: { ...withToken, ...headers },
      ...(path === '/sse' && { method: 'POST' }),
    })
  ).status;

describe('Host', () => {
  it.each([
    ...['localhost', '127.0.0.1', '127.0.0.1:3333', '[::1]:3333', '127.8.8.8', 'LOCALHOST:1'],
    ...['docs.example.com', 'docs.example.com:443', 'mcp.internal', 'mcp.internal:9', '10.0.0.5:8080'],
  ])('lets %s in', async (host) => {
    for (const path of paths)
      expect(await statusFor(path, { host })).not.toBe(403 - (path === '/uploads/abc' ? 1 : 0));
  });

  it.each([
    'evil.example',
    'docs.example.com.evil.example',
    '10.0.0.5:9',
    '10.0.0.6',
    'localhost.evil.example',
    '169.254.169.254',
  ])('keeps "%s" out of every route, and says what it saw and what to set', async (host) => {
    for (const path of paths) {
      const answer = await ask(`${service.url}${path}`, { headers: { ...withToken, host } });
      expect(answer.status).toBe(403);
      const message = answer.json().error?.message ?? '';
      expect(message).toContain(`"${host}"`);
      expect(message).toContain('VECTORLESS_ALLOWED_HOSTS');
    }
  });

  it('does not repeat what is no host name', async () => {
    const answer = await ask(service.url, { headers: { host: 'a"><script>x' } });
    expect([answer.status, answer.text.includes('<script')]).toEqual([403, false]);
  });

  it('is not asked of probes', async () => {
    for (const path of ['/livez', '/readyz'])
      expect(await statusFor(path, { host: '10.9.9.9:3333' })).toBe(200);
  });
});

describe('Origin', () => {
  it.each([
    ...['http://localhost:6274', 'http://127.0.0.1', 'http://[::1]:5173', 'https://docs.example.com'],
    ...['https://app.example.com', 'http://tool.example.com:8080', 'HTTPS://APP.example.com'],
  ])('lets %s in and lets it read the answer', async (origin) => {
    const answer = await ask(`${service.url}/mcp`, { headers: { ...withToken, origin }, body: rpc('ping') });
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe(origin);
    expect(answer.headers['access-control-expose-headers']).toMatch(/Mcp-Session-Id.*WWW-Authenticate/);
    expect(answer.headers.vary).toContain('Origin');
  });

  it.each([
    'https://evil.example',
    'null',
    'http://tool.example.com',
    'https://localhost.evil.example',
    'file://',
  ])('keeps %s out', async (origin) => {
    for (const path of paths) {
      const answer = await ask(`${service.url}${path}`, { headers: { ...withToken, origin } });
      expect(answer.status).toBe(403);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      expect(answer.json().error?.message).toContain('VECTORLESS_ALLOWED_ORIGINS');
    }
  });

  it('lets the server’s own pages send, on whatever host was allowed', async () => {
    const headers = { ...withToken, host: 'mcp.internal:3333', origin: 'http://mcp.internal:3333' };
    expect((await ask(`${service.url}/mcp`, { headers, body: rpc('ping') })).status).toBe(200);
  });

  it('lets a refused caller of an allowed origin see the challenge', async () => {
    const answer = await ask(`${service.url}/mcp`, {
      headers: { origin: 'https://app.example.com' },
      body: initialize(),
    });
    expect(answer.status).toBe(401);
    expect(answer.headers['access-control-allow-origin']).toBe('https://app.example.com');
  });
});

describe('preflight', () => {
  const mcpHeaders = [
    ...['authorization', 'content-type', 'accept', 'last-event-id', 'mcp-protocol-version', 'mcp-session-id'],
    ...['mcp-method', 'mcp-name'],
  ];
  it.each(['/mcp', '/sse', '/messages', '/uploads/abc'])('of %s needs no credential', async (path) => {
    const answer = await ask(`${service.url}${path}`, {
      method: 'OPTIONS',
      headers: {
        ...{ origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
        'access-control-request-headers': 'authorization, mcp-param-region, cookie',
      },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers['access-control-allow-origin']).toBe('https://app.example.com');
    const allowed = answer.headers['access-control-allow-headers']?.toLowerCase().split(', ') ?? [];
    expect(allowed).toEqual(expect.arrayContaining([...mcpHeaders, 'mcp-param-region']));
    expect(allowed).not.toContain('cookie');
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      expect(answer.headers['access-control-allow-methods']).toContain(method);
    }
  });

  it('is refused to other origins', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    expect((await ask(`${service.url}/mcp`, { method: 'OPTIONS', headers })).status).toBe(403);
  });
});
