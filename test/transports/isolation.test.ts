import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localCaller } from '../../src/tools/caller.ts';
import { ask, callTool, modern, rpc } from '../support/http-client.ts';
import { type RunningService, startSmallService } from '../support/http-service.ts';
import { openSse, type SseClient } from '../support/sse-client.ts';

const tenants = ['tenant-alice-key', 'tenant-bob-key'] as const;
const rounds = 1_000;
let service: RunningService;

beforeAll(async () => {
  service = await startSmallService({
    ...{ VECTORLESS_HTTP_AUTH: 'key', VECTORLESS_API_KEY: 'key-of-the-server' },
    ...{ VECTORLESS_MAX_CONCURRENCY: '64', VECTORLESS_MAX_CONCURRENCY_PER_CALLER: '32' },
  });
  service.seen.latencyMs = 8;
});
afterAll(() => service.close());

const bearer = (tenant: string) => ({ authorization: `Bearer ${tenant}` });

/** Every tenant uses the same ids, words and progress tokens: only the credential tells them apart. */
async function inParallel(
  width: number,
  work: (tenant: string, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < rounds * 2) {
      const index = next++;
      await work(tenants[index % 2] ?? '', Math.floor(index / 2));
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
}

function belongsTo(tenant: string, text: string): void {
  const others = [...tenants.filter((each) => each !== tenant), 'key-of-the-server', '"server"'];
  expect(text).toContain(tenant);
  for (const other of others) expect(text).not.toContain(other);
}

describe('two tenants at once', () => {
  it('get their own answers and progress from tools, on both revisions', async () => {
    await inParallel(40, async (tenant, index) => {
      const message = rpc('tools/call', {
        ...{ name: 'vectorless_echo', arguments: { word: `word-${index}` }, _meta: { progressToken: index } },
      });
      const { body, headers } =
        index % 3 === 0
          ? modern({ ...message, id: index })
          : { body: { ...message, id: index }, headers: {} };
      const answer = await ask(`${service.url}/mcp`, { headers: { ...bearer(tenant), ...headers }, body });
      expect(answer.status).toBe(200);
      belongsTo(tenant, answer.text);
      expect(answer.text).toContain(`${tenant}: word-${index}`);
      expect(answer.text).toContain(`${tenant} said word-${index}`);
    });
  }, 180_000);

  it('get their own resources', async () => {
    await inParallel(40, async (tenant, index) => {
      const body = { ...rpc('resources/read', { uri: 'vectorless://whoami' }), id: index };
      const answer = await ask(`${service.url}/mcp`, { headers: bearer(tenant), body });
      belongsTo(tenant, answer.text);
    });
  }, 180_000);

  it('get their own answers on event streams', async () => {
    const clients = new Map<string, SseClient>();
    for (const tenant of tenants) clients.set(tenant, await openSse(service.url, bearer(tenant)));
    const posted = { [tenants[0]]: 0, [tenants[1]]: 0 };
    await inParallel(20, async (tenant, index) => {
      const response = await clients
        .get(tenant)
        ?.post({ ...callTool('vectorless_echo', { word: `w${index}` }), id: index });
      if (response?.status === 202) posted[tenant as keyof typeof posted] += 1;
      await response?.arrayBuffer();
    });
    for (const tenant of tenants) {
      const client = clients.get(tenant);
      const answers = () => client?.messages.filter((text) => text.includes('"result"')) ?? [];
      await expect.poll(() => answers().length, { timeout: 10_000 }).toBe(posted[tenant]);
      expect(posted[tenant]).toBe(rounds);
      for (const text of client?.messages ?? []) belongsTo(tenant, text);
      client?.leave();
    }
  }, 180_000);

  it('put their own files into their own accounts', async () => {
    await inParallel(30, async (tenant, index) => {
      const caller = { ...localCaller, id: tenant, credential: { kind: 'own', apiKey: tenant } as const };
      const link = service.links?.issue(caller, {
        filename: 'f.txt',
        contentType: 'text/plain',
        maxBytes: 1_000,
      });
      const answer = await ask(link?.url ?? '', { method: 'PUT', body: `${tenant} ${index}` });
      expect(answer.status).toBe(201);
    });
    expect(service.seen.uploads).toHaveLength(rounds * 2);
    for (const { caller, text } of service.seen.uploads) {
      expect(caller.credential).toEqual({ kind: 'own', apiKey: text.split(' ')[0] });
    }
    expect(new Set(service.seen.uploads.map(({ upload }) => upload.idempotencyKey)).size).toBe(rounds * 2);
  }, 180_000);

  it('leave nothing of themselves in the log', () => {
    const log = service.logged.join('\n');
    expect(log.length).toBeGreaterThan(1_000);
    expect(log).not.toMatch(/tenant-|word-|key-of-the-server|f\.txt/);
  });
});
