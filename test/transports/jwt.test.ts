import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ask, callTool, modern, rpc } from '../support/http-client.ts';
import { type Environment, type RunningService, startSmallService } from '../support/http-service.ts';
import { openSse } from '../support/sse-client.ts';

interface Signer {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: object;
}

const issuer = 'https://id.example.com/';
const audience = 'https://docs.example.com/mcp';

async function signer(kid: string, alg = 'RS256'): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** The identity provider's key list; what it holds may change while it runs. */
let published: object[] = [];
let fetches = 0;
let isDown = false;
let provider: Server;
let [first, second]: Signer[] = [];

beforeAll(async () => {
  [first, second] = [await signer('one'), await signer('two', 'ES256')];
  provider = createServer((_request, response) => {
    fetches += 1;
    response.writeHead(isDown ? 500 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ keys: published }));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
});
afterAll(() => provider.close());

const open: RunningService[] = [];
async function start(env: Environment = {}): Promise<RunningService> {
  published = [first?.jwk ?? {}];
  fetches = 0;
  isDown = false;
  const { port } = provider.address() as AddressInfo;
  const service = await startSmallService({
    ...{ VECTORLESS_HTTP_AUTH: 'jwt', VECTORLESS_JWT_ISSUER: issuer, VECTORLESS_JWT_AUDIENCE: audience },
    VECTORLESS_JWT_JWKS_URL: `http://127.0.0.1:${port}/keys`,
    ...env,
  });
  open.push(service);
  return service;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close()));
});

function token(claims: JWTPayload = {}, by = first, expires: string | number = '5m'): Promise<string> {
  if (by === undefined) throw new Error('no signer');
  const alg = by.kid === 'two' ? 'ES256' : 'RS256';
  const jwt = new SignJWT({ iss: issuer, aud: audience, sub: 'alice', ...claims }).setProtectedHeader({
    alg,
    kid: by.kid,
  });
  return jwt.setIssuedAt().setExpirationTime(expires).sign(by.privateKey);
}

const send = (service: RunningService, jwt: string, body: object = rpc('tools/list')) =>
  ask(`${service.url}/mcp`, { headers: { authorization: `Bearer ${jwt}` }, body });
const toolsOf = (answer: { json(): { result?: Record<string, unknown> } }) =>
  ((answer.json().result?.tools ?? []) as { name: string }[]).map(({ name }) =>
    name.replace('vectorless_', ''),
  );

describe('a token of the identity provider', () => {
  it('lets its bearer read, and goes no further upstream', async () => {
    const service = await start();
    const answer = await send(service, await token(), callTool('vectorless_echo', { word: 'x' }));
    expect(answer.json().result).toMatchObject({ structuredContent: { owner: 'server' } });
  });

  it.each([audience, `${audience}/`])(
    'is for this server with and without a trailing slash: %s',
    async (aud) => {
      for (const VECTORLESS_JWT_AUDIENCE of [audience, `${audience}/`]) {
        const service = await start({ VECTORLESS_JWT_AUDIENCE });
        expect((await send(service, await token({ aud }))).status).toBe(200);
        expect((await send(service, await token({ aud: ['other', aud] }))).status).toBe(200);
      }
    },
  );

  it('may be as long as the headers of a request', async () => {
    const service = await start();
    const groups = Array.from({ length: 200 }, (_, index) => `${index}`.padStart(36, '0'));
    const jwt = await token({ groups });
    expect(jwt.length).toBeGreaterThan(10_000);
    expect((await send(service, jwt)).status).toBe(200);
  });

  it('is refused when anything about it is wrong, before anything is asked upstream', async () => {
    const service = await start({ VECTORLESS_JWT_REQUIRED_CLAIMS: 'email_verified=true, org.id' });
    const good = { email_verified: true, org: { id: 7 } };
    const forged = await signer('one');
    const hmac = new SignJWT({ iss: issuer, aud: audience, sub: 'a', ...good }).setProtectedHeader({
      alg: 'HS256',
      kid: 'one',
    });
    const wrong: Record<string, string> = {
      expired: await token(good, first, Math.floor(Date.now() / 1000) - 60),
      'for another audience': await token({ ...good, aud: 'https://docs.example.com' }),
      'of another issuer': await token({ ...good, iss: 'https://id.example.com' }),
      'signed by a forger': await token(good, forged),
      'signed with a shared secret': await hmac
        .setExpirationTime('5m')
        .sign(new TextEncoder().encode('x'.repeat(32))),
      'not signed': new UnsecuredJWT({ iss: issuer, aud: audience, sub: 'a', ...good })
        .setExpirationTime('5m')
        .encode(),
      'without a subject': await token({ ...good, sub: '' }),
      'without a required claim': await token({ email_verified: true }),
      'with another value of it': await token({ ...good, email_verified: false }),
      garbage: 'a.b.c',
      'an opaque key': 'vls_live_0123456789',
    };
    for (const [what, jwt] of Object.entries(wrong)) {
      const answer = await send(service, jwt, callTool('vectorless_slow', { name: what, ms: 1 }));
      expect([what, answer.status]).toEqual([what, 401]);
      expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
      expect(answer.text).not.toContain(jwt);
    }
    expect(service.seen.started).toEqual([]);
    expect((await send(service, await token(good))).status).toBe(200);
    const skewed = await token(good, first, Math.floor(Date.now() / 1000) - 10);
    expect((await send(service, skewed)).status).toBe(200);
  });

  it('says that it has expired', async () => {
    const service = await start();
    const answer = await send(service, await token({}, first, Math.floor(Date.now() / 1000) - 60));
    expect(answer.json().error?.message).toContain('expired');
    expect(answer.headers['www-authenticate']).toContain('error_description="The token has expired');
  });

  it('that is not good yet, or for ever, is told so', async () => {
    const service = await start();
    const early = await send(service, await token({ nbf: Math.floor(Date.now() / 1000) + 600 }));
    expect([early.status, early.json().error?.message]).toEqual([
      401,
      expect.stringContaining('not valid yet'),
    ]);
    const jwt = new SignJWT({ iss: issuer, aud: audience, sub: 'a' });
    jwt.setProtectedHeader({ alg: 'RS256', kid: 'one' });
    const endless = await send(service, await jwt.sign(first?.privateKey ?? new Uint8Array()));
    expect([endless.status, endless.json().error?.message]).toEqual([
      401,
      expect.stringContaining('never expires'),
    ]);
  });

  it('may be signed by a key that was published a moment ago, and old keys stop working', async () => {
    const service = await start();
    expect((await send(service, await token())).status).toBe(200);
    expect((await send(service, await token())).status).toBe(200);
    expect(fetches).toBe(1);
    published = [second?.jwk ?? {}];
    expect((await send(service, await token({}, second))).status).toBe(200);
    expect(fetches).toBe(2);
    expect((await send(service, await token())).status).toBe(401);
  });

  it('need not name its key, even while there are two of a kind', async () => {
    const service = await start();
    const [older, newer] = [await signer('older'), await signer('newer')];
    published = [older.jwk, newer.jwk];
    const unnamed = (by: Signer, exp: string | number = '5m') =>
      new SignJWT({ iss: issuer, aud: audience, sub: 'alice' })
        .setProtectedHeader({ alg: 'RS256' })
        .setExpirationTime(exp)
        .sign(by.privateKey);
    for (const by of [older, newer]) expect((await send(service, await unnamed(by))).status).toBe(200);
    expect((await send(service, await unnamed(await signer('stranger')))).status).toBe(401);
    const newest = await signer('newest');
    published = [newest.jwk];
    expect((await send(service, await unnamed(newest))).status).toBe(200);
    for (let tries = 0; tries < 10; tries += 1) await send(service, await unnamed(older));
    expect(fetches).toBeLessThanOrEqual(8);
    const expired = await send(service, await unnamed(newest, Math.floor(Date.now() / 1000) - 60));
    expect([expired.status, expired.json().error?.message]).toEqual([
      401,
      expect.stringContaining('expired'),
    ]);
  });

  it('cannot make this server ask for keys without end', async () => {
    const service = await start();
    const stranger = await signer('stranger');
    for (let tries = 0; tries < 20; tries += 1) await send(service, await token({}, stranger));
    expect(fetches).toBeLessThanOrEqual(8);
  });

  it('is neither good nor bad while the keys cannot be fetched', async () => {
    const service = await start();
    isDown = true;
    const answer = await send(service, await token());
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
    isDown = false;
    expect((await send(service, await token())).status).toBe(200);
  });

  it('is checked with a public key from the settings as well', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const env = {
      VECTORLESS_HTTP_AUTH: 'jwt',
      VECTORLESS_JWT_ISSUER: issuer,
      VECTORLESS_JWT_AUDIENCE: audience,
    };
    const service = await startSmallService({
      ...env,
      VECTORLESS_JWT_PUBLIC_KEY: pem.trim().replaceAll('\n', '\\n'),
    });
    open.push(service);
    const jwt = new SignJWT({ iss: issuer, aud: audience, sub: 'a' }).setProtectedHeader({ alg: 'ES256' });
    expect((await send(service, await jwt.setExpirationTime('5m').sign(privateKey))).status).toBe(200);
    const kept = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    await expect(startSmallService({ ...env, VECTORLESS_JWT_PUBLIC_KEY: kept })).rejects.toThrow(
      'private key',
    );
  });
});

describe('scopes', () => {
  it('open nothing that writes unless a write scope is set', async () => {
    const service = await start();
    expect(toolsOf(await send(service, await token({ scope: 'admin write docs:write' })))).toEqual([
      'echo',
      'slow',
    ]);
    // No login could help: for everybody the tool does not exist.
    const call = callTool('vectorless_remember', { word: 'x' });
    const answer = await send(service, await token(), call);
    expect([answer.status, answer.json().error?.code]).toEqual([200, -32_602]);
  });

  it('open what they name, and what is not open does not exist', async () => {
    const scopes = { VECTORLESS_JWT_READ_SCOPE: 'docs:read', VECTORLESS_JWT_WRITE_SCOPE: 'docs:write' };
    const service = await start(scopes);
    const list = async (scope: string) => toolsOf(await send(service, await token({ scope })));
    expect(await list('docs:read docs:write')).toEqual(['echo', 'slow', 'remember']);
    expect(await list('docs:read')).toEqual(['echo', 'slow']);
    expect(await list('docs:write')).toEqual(['remember']);
    const hidden = callTool('vectorless_remember', { word: 'x' });
    const refused = await send(service, await token({ scope: 'docs:read' }), hidden);
    expect([refused.status, refused.json().error?.message]).toEqual([
      403,
      expect.stringContaining('"docs:write"'),
    ]);
    // Everything that the client should ask its user for, what it has included.
    expect(refused.headers['www-authenticate']).toMatch(
      /error="insufficient_scope".*resource_metadata=".*scope="docs:read docs:write"/,
    );
    const [{ body, headers }, jwt] = [modern(hidden), await token({ scope: 'docs:read' })];
    const asked = { headers: { ...headers, authorization: `Bearer ${jwt}` }, body };
    expect((await ask(`${service.url}/mcp`, asked)).status).toBe(403);
    const none = await send(service, await token({ scope: 'mail' }));
    expect(none.status).toBe(403);
    expect(none.headers['www-authenticate']).toMatch(
      /error="insufficient_scope".*scope="docs:read docs:write"/,
    );
  });

  it('open resources along with the tools that show the same', async () => {
    const scopes = { VECTORLESS_JWT_READ_SCOPE: 'docs:read', VECTORLESS_JWT_WRITE_SCOPE: 'docs:write' };
    const service = await start(scopes);
    const whoami = rpc('resources/read', { uri: 'vectorless://whoami' });
    const reader = await send(service, await token({ scope: 'docs:read' }), whoami);
    expect(reader.text).toContain('"text":"server"');
    const writer = await send(service, await token({ scope: 'docs:write' }), whoami);
    expect(writer.json().error).toBeDefined();
    const listed = await send(service, await token({ scope: 'docs:write' }), rpc('resources/list'));
    expect(listed.text).not.toContain('whoami');
  });

  it.each([
    ['roles', { roles: ['editor', 'reader'] }],
    ['realm_access.roles', { realm_access: { roles: ['editor'] } }],
    ['https://example.com/roles', { 'https://example.com/roles': 'reader editor' }],
  ])('may be roles in %s', async (claim, claims) => {
    const service = await start({ VECTORLESS_JWT_SCOPE_CLAIM: claim, VECTORLESS_JWT_WRITE_SCOPE: 'editor' });
    expect(toolsOf(await send(service, await token(claims)))).toContain('remember');
    expect(toolsOf(await send(service, await token({ scope: 'editor' })))).not.toContain('remember');
  });

  it('of a later token do not act through a stream that was opened with more', async () => {
    const service = await start({ VECTORLESS_JWT_WRITE_SCOPE: 'docs:write' });
    const authorization = `Bearer ${await token({ scope: 'docs:write' })}`;
    const client = await openSse(service.url, { authorization });
    expect((await client.post(rpc('ping'))).status).toBe(202);
    expect((await client.post(rpc('ping'), { authorization: `Bearer ${await token()}` })).status).toBe(404);
    client.leave();
  });
});

describe('the way to the login', () => {
  it('is in the challenge and at both well-known paths', async () => {
    const service = await start({
      ...{ VECTORLESS_PUBLIC_URL: 'https://docs.example.com', VECTORLESS_JWT_READ_SCOPE: 'docs:read' },
      VECTORLESS_JWT_WRITE_SCOPE: 'docs:write',
    });
    const answer = await ask(`${service.url}/mcp`, { body: rpc('ping') });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer resource_metadata="https://docs.example.com/.well-known/oauth-protected-resource/mcp", scope="docs:read docs:write"',
    );
    for (const path of ['', '/mcp']) {
      const metadata = await ask(`${service.url}/.well-known/oauth-protected-resource${path}`);
      expect(metadata.status).toBe(200);
      expect(JSON.parse(metadata.text)).toEqual({
        resource: 'https://docs.example.com/mcp',
        authorization_servers: [issuer],
        scopes_supported: ['docs:read', 'docs:write'],
        bearer_methods_supported: ['header'],
        resource_name: 'Vectorless documents',
      });
    }
  });

  it('is found by a real client', async () => {
    const service = await start({ VECTORLESS_JWT_WRITE_SCOPE: 'docs:write' });
    const refused = await fetch(`${service.url}/mcp`, {
      ...{ method: 'POST', body: JSON.stringify(rpc('ping')) },
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    });
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(refused);
    expect(scope).toBe('docs:write');
    const options = resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl };
    const told = await discoverOAuthProtectedResourceMetadata(`${service.url}/mcp`, options);
    // Without the challenge, from the address alone.
    const guessed = await discoverOAuthProtectedResourceMetadata(`${service.url}/mcp`);
    expect(told).toEqual(guessed);
    expect(told).toMatchObject({ resource: `${service.url}/mcp`, authorization_servers: [issuer] });
  });

  it('keeps the path under which a proxy serves', async () => {
    const service = await start({ VECTORLESS_PUBLIC_URL: 'https://example.com/team/docs/' });
    const answer = await ask(`${service.url}/mcp`);
    expect(answer.status).toBe(401);
    const address = /resource_metadata="([^"]+)"/.exec(answer.headers['www-authenticate'] ?? '')?.[1] ?? '';
    expect(address).toBe('https://example.com/.well-known/oauth-protected-resource/team/docs/mcp');
    const metadata = await ask(service.url + new URL(address).pathname);
    expect(JSON.parse(metadata.text)).toMatchObject({ resource: 'https://example.com/team/docs/mcp' });
  });
});
