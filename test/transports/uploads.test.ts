import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../src/tools/caller.ts';
import { localCaller } from '../../src/tools/caller.ts';
import { ask } from '../support/http-client.ts';
import {
  type Environment,
  type RunningService,
  startSmallService,
  tokenMode,
  until,
} from '../support/http-service.ts';

const open: RunningService[] = [];
async function start(env: Environment = {}, uploadIdleMs = 30_000): Promise<RunningService> {
  const service = await startSmallService({ ...tokenMode, ...env }, { limits: { uploadIdleMs } });
  open.push(service);
  return service;
}
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((service) => service.close()));
});

const file = { filename: 'report.txt', contentType: 'text/plain', maxBytes: 1_000 };
function linkOf(
  service: RunningService,
  caller: Caller = localCaller,
  more: Partial<typeof file> = {},
): string {
  const link = service.links?.issue(caller, { ...file, ...more });
  if (link === undefined) throw new Error('no links here');
  return link.url;
}
const put = (url: string, body: string | Uint8Array = 'hello') => ask(url, { method: 'PUT', body });
const answerOf = (answer: { text: string }) =>
  JSON.parse(answer.text) as { document_id?: string; error?: string; message?: string };

describe('an upload link', () => {
  it('takes the bytes straight to the receiver, under the name and type it was made for', async () => {
    const service = await start();
    const link = linkOf(service);
    expect(link).toMatch(new RegExp(`^${service.url}/uploads/[\\w-]+$`));
    const answer = await put(link);
    expect(answer.status).toBe(201);
    expect(answerOf(answer)).toMatchObject({
      document_id: expect.stringMatching(/^doc_/),
      status: 'pending',
      byte_size: 5,
    });
    expect(service.seen.uploads).toMatchObject([
      {
        ...{ text: 'hello', caller: { id: 'local', credential: { kind: 'server' } } },
        upload: {
          filename: 'report.txt',
          contentType: 'text/plain',
          byteSize: 5,
          idempotencyKey: expect.stringMatching(/^upload-/),
        },
      },
    ]);
  });

  it('works with the curl line that agents are shown', async () => {
    const service = await start();
    const folder = mkdtempSync(join(tmpdir(), 'upload-'));
    const path = join(folder, 'my report.txt');
    writeFileSync(path, 'x'.repeat(900));
    const { stdout } = await promisify(execFile)('curl', ['-sS', '-T', path, linkOf(service)]);
    rmSync(folder, { recursive: true });
    expect(JSON.parse(stdout)).toMatchObject({ document_id: expect.any(String), byte_size: 900 });
  });

  it('is good for one file', async () => {
    const service = await start();
    const link = linkOf(service);
    const { document_id } = answerOf(await put(link));
    const again = await put(link);
    expect(again.status).toBe(410);
    expect(answerOf(again)).toMatchObject({
      error: 'link_used',
      message: expect.stringContaining(`document ${document_id}`),
    });
    expect(service.seen.uploads).toHaveLength(1);
  });

  it('names the same document on a replica that has not seen it', async () => {
    const VECTORLESS_SECRET = randomBytes(32).toString('base64');
    const [one, other] = [await start({ VECTORLESS_SECRET }), await start({ VECTORLESS_SECRET })];
    const link = linkOf(one);
    const first = await put(link);
    const second = await put(link.replace(one.url, other.url));
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(answerOf(second).document_id).toBe(answerOf(first).document_id);
    expect(other.seen.uploads[0]?.upload.idempotencyKey).toBe(one.seen.uploads[0]?.upload.idempotencyKey);
  });

  it('outlives the change of the secret, for as long as the old one is listed', async () => {
    const [old, fresh] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
    const before = await start({ VECTORLESS_SECRET: old });
    const during = await start({ VECTORLESS_SECRET: `${fresh},${old}` });
    const after = await start({ VECTORLESS_SECRET: fresh });
    const path = new URL(linkOf(before)).pathname;
    expect((await put(after.url + path)).status).toBe(403);
    expect((await put(during.url + path)).status).toBe(201);
  });

  it('expires', async () => {
    const service = await start();
    const link = linkOf(service);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * 60_000 + 1 });
    const answer = await put(link);
    expect(answer.status).toBe(410);
    expect(answerOf(answer)).toMatchObject({
      error: 'link_expired',
      message: expect.stringContaining('15 minutes'),
    });
  });

  it('cannot be changed or made up', async () => {
    const service = await start();
    const link = linkOf(service);
    const middle = link.length - 40;
    const changed = link.slice(0, middle) + (link[middle] === 'A' ? 'B' : 'A') + link.slice(middle + 1);
    for (const wrong of [changed, `${service.url}/uploads/abc`, `${link}AAAA`]) {
      const answer = await put(wrong);
      expect(answer.status).toBe(403);
      expect(answerOf(answer)).toMatchObject({
        error: 'link_invalid',
        message: expect.stringContaining('not valid'),
      });
    }
    expect(service.seen.uploads).toHaveLength(0);
  });

  it('takes no more than its limit, announced or not, and can then be used with less', async () => {
    const service = await start();
    const link = linkOf(service);
    const announced = await put(link, 'x'.repeat(1_001));
    const chunked = await fetch(link, {
      ...{ method: 'PUT', duplex: 'half' as const },
      body: new Blob(['x'.repeat(5_000)]).stream(),
    });
    expect([announced.status, chunked.status]).toEqual([413, 413]);
    expect(answerOf(announced)).toMatchObject({
      error: 'too_large',
      message: expect.stringContaining('1000 bytes'),
    });
    expect(service.seen.uploads).toHaveLength(0);
    expect((await put(link, 'x'.repeat(1_000))).status).toBe(201);
  });

  it('refuses an empty file, a second upload beside a running one, and a sender that falls silent', async () => {
    const service = await start({}, 1_500);
    const link = linkOf(service);
    expect(answerOf(await put(link, ''))).toMatchObject({ error: 'empty' });
    const socket = connect(service.port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    socket.write(
      `PUT ${new URL(link).pathname} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nabc`,
    );
    await until(() => service.seen.started.includes('receiving'), 'it is coming in');
    expect((await put(link)).status).toBe(409);
    await until(() => received.includes('HTTP/1.1 408'), 'the silence is noticed');
    socket.destroy();
    expect((await put(link)).status).toBe(201);
  });

  it('keeps a file that arrived whole, though its sender did not wait for the answer', async () => {
    const service = await start();
    const link = linkOf(service);
    service.seen.latencyMs = 400;
    const socket = connect(service.port, '127.0.0.1');
    socket.write(
      `PUT ${new URL(link).pathname} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n\r\nhello`,
    );
    await until(() => service.seen.started.includes('upload'), 'it has arrived');
    socket.destroy();
    await until(() => service.seen.uploads.length === 1, 'it is stored');
    await expect.poll(async () => (await put(link)).status).toBe(410);
  });

  it('gives up a file of which the rest will never come', async () => {
    const service = await start();
    const link = linkOf(service);
    const socket = connect(service.port, '127.0.0.1');
    socket.write(
      `PUT ${new URL(link).pathname} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\nhello`,
    );
    await until(() => service.seen.started.includes('receiving'), 'it is coming in');
    expect((await put(link)).status).toBe(409);
    socket.destroy();
    await expect.poll(async () => (await put(link)).status).toBe(201);
    expect(service.seen.uploads).toMatchObject([{ text: 'hello' }]);
  });

  it('carries the caller’s own key in key mode, sealed, and no key otherwise', async () => {
    const keyed = await start({
      VECTORLESS_HTTP_AUTH: 'key',
      VECTORLESS_SECRET: randomBytes(32).toString('base64'),
    });
    const alice: Caller = { ...localCaller, id: 'alice', credential: { kind: 'own', apiKey: 'alice-key' } };
    const link = linkOf(keyed, alice);
    expect(Buffer.from(link.split('/').at(-1) ?? '', 'base64url').toString('latin1')).not.toContain('alice');
    expect((await put(link)).status).toBe(201);
    expect(keyed.seen.uploads[0]?.caller).toMatchObject({
      id: 'alice',
      credential: { kind: 'own', apiKey: 'alice-key' },
    });
    expect(keyed.logged.join('\n')).not.toMatch(/alice-key|hello|report\.txt|uploads\//);
  });

  it('is worth nothing to a server that is read-only by now', async () => {
    const VECTORLESS_SECRET = randomBytes(32).toString('base64');
    const [before, now] = [
      await start({ VECTORLESS_SECRET }),
      await start({ VECTORLESS_SECRET, VECTORLESS_READ_ONLY: 'true' }),
    ];
    const answer = await put(linkOf(before).replace(before.url, now.url));
    expect(answer.status).toBe(403);
    expect(answerOf(answer)).toMatchObject({ error: 'not_accepted' });
  });

  it('is worth nothing to a server that authenticates in another way', async () => {
    const VECTORLESS_SECRET = randomBytes(32).toString('base64');
    const keyed = await start({ VECTORLESS_HTTP_AUTH: 'key', VECTORLESS_SECRET });
    const shared = await start({ VECTORLESS_SECRET });
    expect((await put(linkOf(shared).replace(shared.url, keyed.url))).status).toBe(403);
  });

  it('is built from the public address, and not made at all where nobody could follow it', async () => {
    const named = await start({ VECTORLESS_PUBLIC_URL: 'https://docs.example.com/team/' });
    expect(linkOf(named)).toMatch(/^https:\/\/docs\.example\.com\/team\/uploads\//);
    const unnamed = await start({ VECTORLESS_HTTP_HOST: '0.0.0.0' });
    expect(unnamed.links).toBeUndefined();
    expect(
      (await ask(`http://127.0.0.1:${unnamed.port}/uploads/abc`, { method: 'PUT', body: 'x' })).status,
    ).toBe(404);
  });

  it('answers other methods with what it takes', async () => {
    const service = await start();
    const answer = await ask(linkOf(service), { method: 'POST', body: 'x' });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, PUT']);
  });
});
