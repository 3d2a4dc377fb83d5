import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { openRegistry } from '../../src/registry/registry.ts';
import { serveHttp } from '../../src/transports/http.ts';
import { type FakeApi, startFakeApi } from '../support/fake-api.ts';
import { until } from '../support/http-service.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(cleanups.splice(0).map((cleanup) => cleanup()));
});

async function start(api: FakeApi, args: string[] = []) {
  cleanups.push(() => api.close());
  const env = { VECTORLESS_HTTP: 'true', VECTORLESS_HTTP_PORT: '0', VECTORLESS_BASE_URL: api.url };
  const config = loadConfig(args, {
    ...env,
    VECTORLESS_API_KEY: 'vls_server_key',
    VECTORLESS_ORG: 'org_test',
  });
  const logged: string[] = [];
  const log = createLog('debug', (line) => logged.push(line));
  const service = await serveHttp({ config, log, registry: await openRegistry({ config, log }) });
  cleanups.push(() => service.close());
  return { service, logged };
}

describe('the question that key mode asks before it serves', () => {
  it('starts on an upstream that turns a random key away', async () => {
    const api = await startFakeApi({ dialect: 'S', apiKey: 'vls_real_key' });
    await start(api);
    const asked = api.requests('GET /v1/documents');
    expect(asked).toHaveLength(1);
    expect(asked[0]?.headers.authorization).toMatch(/^Bearer \S{20,}$/);
    expect(asked[0]?.headers.authorization).not.toContain('vls_server_key');
  });

  it.each(['S', 'E'] as const)('refuses to start on one that lets it in (%s)', async (dialect) => {
    const api = await startFakeApi({ dialect });
    await expect(start(api)).rejects.toMatchObject({
      name: 'StartupError',
      message: expect.stringMatching(/does not check keys.*--allow-unauthenticated/),
    });
  });

  it('starts there all the same when told to, without asking', async () => {
    const api = await startFakeApi({ dialect: 'E' });
    await start(api, ['--allow-unauthenticated']);
    expect(api.requests()).toHaveLength(0);
  });

  it('waits for an upstream that is not up yet', async () => {
    const api = await startFakeApi({ dialect: 'S', apiKey: 'vls_real_key' });
    api.faults.fail('GET /v1/documents', { status: 503 });
    let started = false;
    const starting = start(api).then(() => {
      started = true;
    });
    await until(() => api.requests('GET /v1/documents').length > 0, 'it asked');
    expect(started).toBe(false);
    await starting;
    expect(api.requests('GET /v1/documents')).toHaveLength(2);
  });
});
