import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { httpWarnings } from '../../src/transports/startup.ts';
import { ask, callTool, rpc } from '../support/http-client.ts';
import {
  type Environment,
  type RunningService,
  startSmallService,
  tokenMode,
  withToken,
} from '../support/http-service.ts';

const open: RunningService[] = [];
const start = async (env: Environment, args: string[] = []) => {
  const service = await startSmallService(env, { args });
  open.push(service);
  return service;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close()));
});

const keyMode: Environment = { VECTORLESS_HTTP_AUTH: 'key', VECTORLESS_API_KEY: 'server-own-key' };
const who = callTool('vectorless_echo', { word: 'x' });

describe('key: every caller brings an API key', () => {
  it('uses the caller’s key for that call and never the server’s', async () => {
    const service = await start(keyMode);
    for (const key of ['alice-key', 'bob-key']) {
      const answer = await ask(`${service.url}/mcp`, {
        headers: { authorization: `Bearer ${key}` },
        body: who,
      });
      expect(answer.json().result).toMatchObject({ structuredContent: { owner: key } });
    }
    expect(service.logged.join('\n')).not.toMatch(/alice-key|bob-key|server-own-key/);
  });

  it('takes the scheme in any case', async () => {
    const service = await start(keyMode);
    const answer = await ask(`${service.url}/mcp`, {
      headers: { authorization: 'bearer alice-key' },
      body: who,
    });
    expect(answer.status).toBe(200);
  });

  it.each([
    ['nothing', {}, '', /needs a credential.*Authorization: Bearer <your Vectorless API key>/],
    ['another header', { 'x-api-key': 'k' }, '', /x-api-key header.*Authorization: Bearer/],
    ['another header', { 'api-key': 'k' }, '', /api-key header/],
    ['the address', {}, '?api_key=k', /address \(\?api_key=\).*logs/],
    ['a bare key', { authorization: 'vls_live_k' }, '', /must begin with "Bearer "/],
    ['Basic', { authorization: 'Basic YTpi' }, '', /must begin with "Bearer "/],
    ['an empty token', { authorization: 'Bearer ' }, '', /no usable token/],
    ['two tokens', { authorization: 'Bearer one two' }, '', /no usable token/],
    ['a placeholder', { authorization: 'Bearer %VECTORLESS_API_KEY%' }, '', /placeholder/],
    ['a placeholder', { authorization: 'Bearer YOUR_VECTORLESS_API_KEY' }, '', /placeholder/],
  ])('refuses %s', async (_what, headers, query, sentence) => {
    const service = await start(keyMode);
    for (const path of ['/mcp', '/sse', '/messages']) {
      const method = path === '/sse' ? 'GET' : 'POST';
      const answer = await ask(`${service.url}${path}${query}`, {
        method,
        headers: headers as Record<string, string>,
      });
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.json().error?.message).toMatch(sentence);
    }
  });

  it('decides before it looks at the body', async () => {
    const service = await start(keyMode);
    // Announced and never sent: an answer shows that nobody waited for it.
    const headers = {
      'content-length': '1000000',
      'content-type': 'application/json',
      expect: '100-continue',
    };
    const answer = await ask(`${service.url}/mcp`, { method: 'POST', headers });
    expect(answer.status).toBe(401);
  });
});

describe('token: a small team shares a secret', () => {
  it('takes any of the configured secrets and nothing else', async () => {
    const service = await start(tokenMode);
    const status = async (token: string) =>
      (await ask(`${service.url}/mcp`, { headers: { authorization: `Bearer ${token}` }, body: rpc('ping') }))
        .status;
    expect(await status('team-secret-one')).toBe(200);
    expect(await status('team-secret-two')).toBe(200);
    for (const wrong of [
      'team-secret-on',
      'team-secret-onee',
      'TEAM-SECRET-ONE',
      'team-secret-one,team-secret-two',
    ]) {
      expect(await status(wrong)).toBe(401);
    }
  });

  it('goes upstream with the server’s credential, not with the token', async () => {
    const service = await start(tokenMode);
    const answer = await ask(`${service.url}/mcp`, { headers: withToken, body: who });
    expect(answer.json().result).toMatchObject({ structuredContent: { owner: 'server' } });
  });
});

describe('no login is offered where there is none', () => {
  it.each([[keyMode], [tokenMode], [{ VECTORLESS_HTTP_AUTH: 'none' }]])('%o', async (env) => {
    const service = await start(env as Environment);
    for (const path of ['', '/mcp', '/sse']) {
      const answer = await ask(`${service.url}/.well-known/oauth-protected-resource${path}`);
      expect(answer.status).toBe(404);
    }
  });
});

describe('starting with a warning', () => {
  it.each<[string, Environment, RegExp]>([
    [
      'a token that is not used',
      { VECTORLESS_HTTP_TOKEN: 'a-good-long-secret' },
      /HTTP_TOKEN is not used.*AUTH is key/,
    ],
    ['a short token', { ...tokenMode, VECTORLESS_HTTP_TOKEN: 'abc' }, /short secret/],
    ['no secret', { ...tokenMode, VECTORLESS_PUBLIC_URL: 'https://d.example' }, /SECRET is not set/],
    ['no public name', { ...tokenMode, VECTORLESS_HTTP_HOST: '0.0.0.0' }, /PUBLIC_URL is not set/],
  ])('%s', (_what, env, sentence) => {
    expect(httpWarnings(loadConfig([], env))).toEqual([expect.stringMatching(sentence)]);
    expect(httpWarnings(loadConfig([], tokenMode)).filter((text) => sentence.test(text))).toEqual([]);
  });
});

const jwtMode: Environment = {
  ...{
    VECTORLESS_HTTP_AUTH: 'jwt',
    VECTORLESS_JWT_ISSUER: 'https://id.example',
    VECTORLESS_JWT_AUDIENCE: 'a',
  },
  VECTORLESS_JWT_JWKS_URL: 'https://id.example/keys',
};

describe('refusing to start', () => {
  const nowhere = '127.0.0.1';
  it.each([
    [
      'none off this machine',
      { VECTORLESS_HTTP_AUTH: 'none', VECTORLESS_HTTP_HOST: '0.0.0.0' },
      [],
      /none on 0\.0\.0\.0.*--allow-unauthenticated/,
    ],
    [
      'key with the embedded engine',
      { VECTORLESS_HTTP_AUTH: 'key' },
      ['--local'],
      /key cannot be used with --local.*token/,
    ],
    ['key, the default, with the embedded engine', {}, ['--local'], /key cannot be used with --local/],
    ['token without one', { VECTORLESS_HTTP_AUTH: 'token' }, [], /needs VECTORLESS_HTTP_TOKEN/],
    [
      'jwt without settings',
      { VECTORLESS_HTTP_AUTH: 'jwt' },
      [],
      /VECTORLESS_JWT_ISSUER.*VECTORLESS_JWT_AUDIENCE.*VECTORLESS_JWT_JWKS_URL/,
    ],
    [
      'jwt with keys over plain http',
      {
        ...{
          VECTORLESS_HTTP_AUTH: 'jwt',
          VECTORLESS_JWT_ISSUER: 'https://id.example',
          VECTORLESS_JWT_AUDIENCE: 'a',
        },
        VECTORLESS_JWT_JWKS_URL: 'http://id.example/keys',
      },
      [],
      /JWKS_URL must be an https/,
    ],
    [
      'jwt with a key that is none',
      {
        ...{
          VECTORLESS_HTTP_AUTH: 'jwt',
          VECTORLESS_JWT_ISSUER: 'https://id.example',
          VECTORLESS_JWT_AUDIENCE: 'a',
        },
        VECTORLESS_JWT_PUBLIC_KEY: 'hello',
      },
      [],
      /PUBLIC_KEY must be a public key/,
    ],
    [
      'a short secret',
      { ...tokenMode, VECTORLESS_SECRET: 'c2hvcnQ=' },
      [],
      /VECTORLESS_SECRET must be 32 bytes.*openssl/,
    ],
    [
      'an address that is none',
      { ...tokenMode, VECTORLESS_PUBLIC_URL: 'docs.example.com' },
      [],
      /VECTORLESS_PUBLIC_URL must be the http/,
    ],
    [
      'an address that nothing can be added to',
      { ...tokenMode, VECTORLESS_PUBLIC_URL: 'https://docs.example.com/?team=a' },
      [],
      /VECTORLESS_PUBLIC_URL must be a plain address/,
    ],
    [
      'none on this machine behind a public address',
      { VECTORLESS_HTTP_AUTH: 'none', VECTORLESS_PUBLIC_URL: 'https://docs.example.com' },
      [],
      /none on docs\.example\.com would let everyone/,
    ],
    [
      'a variable among the tokens that was not expanded',
      { VECTORLESS_HTTP_AUTH: 'token', VECTORLESS_HTTP_TOKEN: 'a-good-long-secret,{{OLD_TEAM_TOKEN}}' },
      [],
      /HTTP_TOKEN holds a placeholder/,
    ],
    [
      'a token that cannot be sent',
      { VECTORLESS_HTTP_AUTH: 'token', VECTORLESS_HTTP_TOKEN: 'correct horse battery' },
      [],
      /HTTP_TOKEN has a secret that no Authorization header/,
    ],
    [
      'a way to authenticate that does not exist',
      { VECTORLESS_HTTP_AUTH: 'JWT' },
      [],
      /HTTP_AUTH has a value/,
    ],
    [
      'a read-only that is neither',
      { ...tokenMode, VECTORLESS_READ_ONLY: 'ture' },
      [],
      /READ_ONLY has a value/,
    ],
    [
      'a read scope that was not filled in',
      { ...jwtMode, VECTORLESS_JWT_READ_SCOPE: '{{READ_SCOPE}}' },
      [],
      /JWT_READ_SCOPE has a value that cannot be used/,
    ],
    [
      'required claims that were not filled in',
      { ...jwtMode, VECTORLESS_JWT_REQUIRED_CLAIMS: '<claims>' },
      [],
      /JWT_REQUIRED_CLAIMS has a value that cannot be used/,
    ],
    [
      'an audience that is empty',
      { ...jwtMode, VECTORLESS_JWT_AUDIENCE: '/' },
      [],
      /needs VECTORLESS_JWT_AUDIENCE/,
    ],
  ])('%s', async (_what, env, args, sentence) => {
    const starting = startSmallService({ VECTORLESS_HTTP_HOST: nowhere, ...env } as Environment, { args });
    await expect(starting).rejects.toMatchObject({
      name: 'StartupError',
      message: expect.stringMatching(sentence),
    });
  });

  it('a port that is taken', async () => {
    const first = await start(tokenMode);
    const second = startSmallService({ ...tokenMode, VECTORLESS_HTTP_PORT: String(first.port) });
    await expect(second).rejects.toMatchObject({
      name: 'StartupError',
      message: expect.stringContaining('--port'),
    });
  });

  it('but none on this machine, or where it was asked for, serves', async () => {
    const service = await start({ VECTORLESS_HTTP_AUTH: 'none' });
    expect((await ask(`${service.url}/mcp`, { body: who })).status).toBe(200);
    await start({ VECTORLESS_HTTP_AUTH: 'none', VECTORLESS_HTTP_HOST: '0.0.0.0' }, [
      '--allow-unauthenticated',
    ]);
  });
});
