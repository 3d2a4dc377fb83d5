/** Keys of every shape are pushed through every way in which an error or a log line leaves the process. */
import { inspect } from 'node:util';
import { Vectorless, VectorlessError, type VectorlessErrorCode } from '@vectorless/sdk';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../packages/sdk/test/support/server.ts';
import { doctor } from '../src/cli/doctor.ts';
import { init } from '../src/cli/init.ts';
import { createLog, placeOf, redact } from '../src/log.ts';
import { Refusal } from '../src/refusal.ts';
import { describeFailure, failureMetaKey } from '../src/server/failure.ts';
import { fakeTerminal } from './cli/around.ts';
import { spawnChild } from './support/child.ts';
import { spawnServer, textOf } from './support/connect.ts';
import { spawnHttp } from './support/http-child.ts';

/** Put together here, so that no scanner takes this file for a leak. */
const random = '7Q2m9ZxK4vT1bN8cR5yW3uP6';
const shaped = {
  'a Vectorless key': `vls_live_${random}`,
  'an OpenAI key': `sk-proj-${random}`,
  'an Anthropic key': `sk-ant-api03-${random}-${random}AA`,
  'a GitHub token': `ghp_${random}`,
  'a fine-grained GitHub token': `github_pat_${random}`,
  'a GitLab token': `glpat-${random}`,
  'an npm token': `npm_${random}`,
  'a Hugging Face token': `hf_${random}`,
  'an AWS key id': `AKIA${'ABCD'.repeat(4)}`,
  'a Google key': `AIza${random}${random}`,
  'a Slack token': `xoxb-123456-${random}`,
  'a SendGrid key': `SG.${random}.${random}`,
  'a JWT': `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${random}`,
  'a bearer token': `Bearer ${random}`,
  'basic credentials': `Basic ${Buffer.from(`user:${random}`).toString('base64')}`,
  'a private key': `-----BEGIN PRIVATE KEY-----\n${random}\n-----END PRIVATE KEY-----`,
  'a password in an address': `https://user:${random}@proxy.example:8080`,
  'a password in a database address': `postgres://user:${random}@db.example/x`,
  'a key in a query': `https://api.example/v1?api_key=${random}&x=1`,
};
const secretPart = (text: string) => text.match(/7Q2m\w+|dXNl\w+|ABCD\w+/)?.[0] ?? text;

/** Keys that look like nothing: they are known from the configuration. */
const shapeless = ['correct horse', 'pa"ss\\word', "it's-4'", '$&-$1-$$', 'ключ-доступа', 'a+b/c=d', random];

test.each(Object.entries(shaped))('%s is known by its shape', (_name, key) => {
  for (const text of [key, `the server said: ${key}`, `"${key}"`, `key=${key}, next`, `(${key})`]) {
    expect(redact(text)).not.toContain(secretPart(key));
  }
});

test('ordinary sentences stay as they are', () => {
  for (const text of [
    'Basic authentication is not supported; the npm_config_cache is unset.',
    'Your VECTORLESS_API_KEY is missing or invalid. Check your MCP config.',
    'doc_01HZX4 of org_acme, section sec_77, request 0b9c-11; see https://vectorless.dev/docs?page=2#keys',
  ])
    expect(redact(text)).toBe(text);
});

test('a configured secret leaves no trace in a log line, whatever it is made of', () => {
  const secret = fc.oneof(fc.constantFrom(...shapeless), fc.string({ minLength: 4, unit: 'binary' }));
  fc.assert(
    fc.property(secret, fc.string(), fc.string(), (key, before, after) => {
      // What is left may hold the key only if the text around it or the mark itself does.
      fc.pre(!`${before}[redacted]${after}`.includes(key) && !'[redacted]'.includes(key));
      let written = '';
      const log = createLog('debug', (line) => (written += line), [key, key.slice(0, 4)]);
      log.warn('test', { message: `${before}${key}${after}` });
      const { message } = JSON.parse(written) as { message: string };
      expect(message.includes(key) && !before.includes(key) && !after.includes(key)).toBe(false);
      expect(written.split('\n')).toHaveLength(2);
    }),
  );
});

test.each(shapeless)('%s is found again in JSON and in an address', (key) => {
  for (const text of [JSON.stringify({ key }), `https://x.example/?v=${encodeURIComponent(key)}`]) {
    const clean = redact(text, [key]);
    expect(clean).not.toContain(key);
    expect(clean).not.toContain(JSON.stringify(key).slice(1, -1));
    expect(clean).not.toContain(encodeURIComponent(key));
  }
});

test('the place of an error says nothing of what it was about', () => {
  const secret = `first\n    at ${random} (secret.ts:1:1)\n${random}`;
  const place = placeOf(new TypeError(secret));
  expect(place).toMatch(/^TypeError at .*redaction\.test\.ts:\d+:\d+/);
  expect(place).not.toContain(random);
  for (const thrown of [random, { random }, undefined]) expect(placeOf(thrown)).not.toContain(random);
});

const codes: VectorlessErrorCode[] = ['invalid_request', 'unauthorized', 'forbidden', 'payment_required'];
codes.push(
  'not_found',
  'conflict',
  'too_large',
  'rate_limited',
  'not_supported',
  'server_error',
  'unavailable',
);
codes.push('timeout', 'aborted', 'connection', 'tls', 'bad_response', 'document_failed');

test.each(codes)('a result for %s holds neither the server’s words nor its headers', (code) => {
  for (const key of Object.values(shaped)) {
    const error = new VectorlessError({ code, message: key, requestId: key, cause: new Error(key) });
    const { text, facts } = describeFailure(error, 'vectorless_query');
    expect(text + JSON.stringify(facts)).not.toContain(secretPart(key));
    expect(describeFailure(new Error(key), 'vectorless_query').text).not.toContain(secretPart(key));
  }
  expect(describeFailure(new Refusal('Give a path.'), 'vectorless_query').text).toBe('Give a path.');
});

describe('a server that quotes the key', () => {
  const keys = [...Object.values(shaped), ...shapeless].filter((key) => /^[\x21-\x7e]+$/.test(key));
  const everything = (error: unknown) =>
    [String(error), JSON.stringify(error), inspect(error, { depth: 9, showHidden: true })].join('\n');

  test.each(keys)('cannot put it into an error of the SDK: %s', async (key) => {
    const headers = { 'content-type': 'application/json', 'x-request-id': key };
    const { url } = await serve(
      (_, response) =>
        void response.writeHead(401, headers).end(JSON.stringify({ error: `no such key: ${key}` })),
      (_, response) =>
        void response.writeHead(400, { 'x-request-id': 'r' }).end(`Authorization: Bearer ${key}`),
      (_, response) => void response.writeHead(302, { location: `https://login.example/${key}` }).end(),
      (_, response) => void response.writeHead(200, headers).end(`{"documents": ${JSON.stringify(key)}`),
      (_, response) => void response.socket?.destroy(),
    );
    const client = new Vectorless({ apiKey: key, baseUrl: url, maxRetries: 0 });
    for (let time = 0; time < 5; time++) {
      const error = await client.documents.list().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(VectorlessError);
      expect(everything(error)).not.toContain(key);
    }
  });

  test.each([`vls_live_${random}`, 'pa"ss\\word', random])(
    'cannot make the server, doctor or --strict print it: %s',
    async (key) => {
      const { url } = await serve(
        (_, response) =>
          void response
            .writeHead(500, { 'x-request-id': key })
            .end(JSON.stringify({ error: `panic: ${key}` })),
      );
      const env = { VECTORLESS_API_KEY: key, VECTORLESS_BASE_URL: url, VECTORLESS_LOG_LEVEL: 'debug' };
      const { client, child, close } = await spawnServer({ env });
      const said: unknown[] = [];
      const uri = 'vectorless://documents/doc_1';
      said.push(await client.callTool({ name: 'vectorless_query', arguments: { query: 'x' } }));
      said.push(await client.callTool({ name: 'vectorless_get_section', arguments: { section_id: 's' } }));
      said.push(await client.readResource({ uri }).catch(String));
      expect(textOf(said[0] as { content: unknown })).toContain('failed');
      await close();
      const strict = spawnChild({ env, args: ['--strict'] });
      strict.end();
      expect((await strict.exited).code).toBe(0);
      const { around, printed } = await fakeTerminal(env);
      await doctor([], around);
      await doctor(['--json'], around);
      const output = [JSON.stringify(said), ...child.stderr, ...child.stdout, ...strict.stderr, printed()];
      expect(JSON.stringify(said)).toContain(failureMetaKey);
      for (const text of output) {
        expect(text).not.toContain(key);
        expect(text).not.toContain(JSON.stringify(key).slice(1, -1));
      }
    },
    40_000,
  );
});

test('doctor shows no password of an address', async () => {
  const env = {
    VECTORLESS_BASE_URL: `http://user:${random}@127.0.0.1:9`,
    HTTPS_PROXY: `http://user:${random}@127.0.0.1:9`,
  };
  const { around, printed } = await fakeTerminal(env);
  expect(await doctor([], around)).toBe(1);
  expect(printed()).toContain('127.0.0.1:9');
  expect(printed()).not.toContain(random);
}, 30_000);

test('init --print shows neither the key nor the password of a proxy', async () => {
  const env = {
    VECTORLESS_API_KEY: `vls_live_${random}`,
    HTTPS_PROXY: `http://user:${random}@proxy.example`,
  };
  const { around, printed } = await fakeTerminal(env);
  expect(await init(['--print'], around)).toBe(0);
  expect(printed()).toContain('proxy.example');
  expect(printed()).not.toContain(random);
});

test.each([[[`vls_live_${random}`]], [[`--key=vls_live_${random}`]], [['--port', `vls_live_${random}`]]])(
  'a key that was typed in the wrong place is not repeated: %s',
  async (args) => {
    const child = spawnChild({ args });
    child.end();
    await child.exited;
    expect(child.stderr.join('\n')).not.toContain(random);
  },
);

test.each(['key', 'token', 'jwt'])('a refusal over HTTP does not hold the credential: %s', async (auth) => {
  const { url: upstream } = await serve(
    (_, response) =>
      void response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"unauthorized"}'),
  );
  const env = {
    ...{
      VECTORLESS_HTTP_AUTH: auth,
      VECTORLESS_HTTP_TOKEN: 'the-right-token',
      VECTORLESS_BASE_URL: upstream,
    },
    ...{ VECTORLESS_JWT_ISSUER: 'https://issuer.example', VECTORLESS_JWT_AUDIENCE: 'https://mcp.example' },
    ...{ VECTORLESS_JWT_JWKS_URL: `${upstream}/jwks`, VECTORLESS_LOG_LEVEL: 'debug' },
    VECTORLESS_PUBLIC_URL: 'https://mcp.example',
  };
  const { url, child, close } = await spawnHttp({ env });
  onTestFinished(async () => void (await close()));
  const call = { name: 'vectorless_list_documents', arguments: {} };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
  for (const key of Object.values(shaped).filter((value) => /^[\x21-\x7e ]+$/.test(value))) {
    for (const headers of [
      { authorization: `Bearer ${key}` },
      { authorization: key },
      { 'x-api-key': key },
    ]) {
      const accept = 'application/json, text/event-stream';
      const init = {
        method: 'POST',
        body,
        headers: { ...headers, accept, 'content-type': 'application/json' },
      };
      const response = await fetch(`${url}/mcp?token=${encodeURIComponent(key)}`, init);
      const text = `${await response.text()}${JSON.stringify([...response.headers])}`;
      expect(response.status === 401 || text.includes('"isError":true'), text).toBe(true);
      expect(text).not.toContain(secretPart(key));
    }
  }
  expect(child.stderr.join('\n')).not.toContain(random);
});
