import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { openRegistry } from '../../../src/registry/registry.ts';
import { createServer } from '../../../src/server/server.ts';
import { silentLog } from '../../support/documents.ts';
import { startFakeApi } from '../../support/fake-api.ts';
import { ask, callTool } from '../../support/http-client.ts';
import { type Environment, type RunningService, startSmallService } from '../../support/http-service.ts';

/** Over HTTP every caller has stores of their own, and finds them again after a restart. */
let dir: string;
let service: RunningService | undefined;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'vectors-http-'));
});
afterEach(async () => {
  await service?.close();
  rmSync(dir, { recursive: true, force: true });
});

/** A service around the real registry; whatever ran before is closed. */
async function restart(env: Environment): Promise<void> {
  await service?.close();
  const all = { VECTORLESS_TOOLSETS: 'vectors', VECTORLESS_VECTOR_DIR: dir, ...env };
  const registry = await openRegistry({ config: loadConfig(['--http'], all), log: silentLog });
  service = await startSmallService(all, {
    serverFor: (caller, visit, observe) =>
      createServer({ registry, caller, log: silentLog, observe, ...visit }),
  });
}

async function call(token: string, name: string, args: object): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await ask(`${service?.url}/mcp`, { headers, body: callTool(name, args) });
  const { result, error } = answer.json();
  if (result?.structuredContent === undefined) throw new Error(JSON.stringify(error ?? result));
  return result.structuredContent as Record<string, unknown>;
}

const add = (token: string, id: string) => call(token, 'vector_add', { id, embedding: [1, 2] });
const count = async (token: string) => (await call(token, 'vector_count', {})).count;

describe('callers', () => {
  it('with keys of their own have stores of their own', async () => {
    const accounts = { 'key-of-alice': 'org_a', 'key-of-bob': 'org_b' };
    const upstream = await startFakeApi({ dialect: 'S', hosted: true, accounts });
    onTestFinished(() => upstream.close());
    const env = { VECTORLESS_HTTP_AUTH: 'key', VECTORLESS_BASE_URL: upstream.url };
    await restart(env);
    await add('key-of-alice', 'a');
    await add('key-of-alice', 'b');
    await add('key-of-bob', 'a');
    expect(await call('key-of-bob', 'vector_delete', { id: 'b' })).toMatchObject({ deleted: false });
    // The secret that callers' ids are made with is another after every start.
    await restart(env);
    expect([await count('key-of-alice'), await count('key-of-bob'), await count('key-of-eve')]).toEqual([
      2, 1, 0,
    ]);
    const names = readdirSync(dir, { recursive: true }).join();
    expect(names).not.toMatch(/alice|bob|key/);
  });

  it('with a key that nobody knows keep nothing, so that strangers cannot use up what all share', async () => {
    const upstream = await startFakeApi({
      dialect: 'S',
      hosted: true,
      accounts: { 'key-of-alice': 'org_a' },
    });
    onTestFinished(() => upstream.close());
    await restart({ VECTORLESS_HTTP_AUTH: 'key', VECTORLESS_BASE_URL: upstream.url });
    for (const key of ['made-up-1', 'made-up-2']) {
      await expect(add(key, 'a')).rejects.toThrow('This API key is not accepted');
      expect(await count(key)).toBe(0);
    }
    expect(readdirSync(dir)).toEqual([]);
    await add('key-of-alice', 'a');
    await add('key-of-alice', 'b');
    // A key that was good a moment ago is not asked about again.
    expect(upstream.requests('GET /v1/documents')).toHaveLength(3);
  });

  it('whose key cannot be checked are told to try again', async () => {
    const upstream = await startFakeApi({
      dialect: 'S',
      hosted: true,
      accounts: { 'key-of-alice': 'org_a' },
    });
    await upstream.close();
    await restart({ VECTORLESS_HTTP_AUTH: 'key', VECTORLESS_BASE_URL: upstream.url });
    await expect(add('key-of-alice', 'a')).rejects.toThrow('could not be checked just now');
  });

  it('with shared tokens share their stores, whichever token they hold', async () => {
    await restart({
      VECTORLESS_HTTP_AUTH: 'token',
      VECTORLESS_HTTP_TOKEN: 'team-secret-one,team-secret-two',
    });
    await add('team-secret-one', 'a');
    expect(await count('team-secret-two')).toBe(1);
    await restart({ VECTORLESS_HTTP_AUTH: 'token', VECTORLESS_HTTP_TOKEN: 'team-secret-three' });
    expect(await count('team-secret-three')).toBe(1);
  });

  it('of an identity provider are told apart by issuer and subject', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const env = {
      VECTORLESS_HTTP_AUTH: 'jwt',
      VECTORLESS_JWT_ISSUER: 'https://id.example.com/',
      VECTORLESS_JWT_AUDIENCE: 'vectors',
      VECTORLESS_JWT_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      VECTORLESS_JWT_WRITE_SCOPE: 'write',
    };
    const tokenFor = (subject: string, scope: string) =>
      new SignJWT({ scope })
        .setProtectedHeader({ alg: 'EdDSA' })
        .setIssuer('https://id.example.com/')
        .setAudience('vectors')
        .setSubject(subject)
        .setExpirationTime('5m')
        .sign(privateKey);
    await restart(env);
    await add(await tokenFor('alice', 'write'), 'a');
    await restart(env);
    expect(await count(await tokenFor('alice', 'read'))).toBe(1);
    expect(await count(await tokenFor('bob', 'read'))).toBe(0);
    await expect(add(await tokenFor('bob', 'read'), 'a')).rejects.toThrow('vector_add');
  });
});
