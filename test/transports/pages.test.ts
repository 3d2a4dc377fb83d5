import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { localCaller } from '../../src/tools/caller.ts';
import { chromiumPath, launch, noBrowser } from '../support/browser.ts';
import { ask } from '../support/http-client.ts';
import {
  type Environment,
  type RunningService,
  startSmallService,
  tokenMode,
} from '../support/http-service.ts';

const open: RunningService[] = [];
const start = async (env: Environment = tokenMode) => {
  const service = await startSmallService(env);
  open.push(service);
  return service;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close()));
});

const linkOf = (service: RunningService, more: { filename?: string; maxBytes?: number } = {}) =>
  service.links?.issue(localCaller, {
    filename: 'report.txt',
    contentType: 'text/plain',
    maxBytes: 2_000_000,
    ...more,
  }).url ?? '';

describe('pages over the wire', () => {
  it('run only what carries the nonce of this answer, and can be framed nowhere', async () => {
    const service = await start();
    for (const url of [service.url, linkOf(service)]) {
      const [first, second] = [await ask(url), await ask(url)];
      const policy = String(first.headers['content-security-policy']);
      expect(policy).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect(policy).not.toMatch(/unsafe|\*/);
      expect(policy).not.toBe(second.headers['content-security-policy']);
      const [, nonce = '?'] = /'nonce-([^']+)'/.exec(policy) ?? [];
      for (const [tag] of first.text.matchAll(/<(?:script|style)[^>]*>/g))
        expect(tag).toContain(`nonce="${nonce}"`);
      expect(first.text).not.toMatch(
        /\son\w+=|style="|https?:\/\/(?!127\.0\.0\.1)[^"'\s<]+\.(?:js|css|woff)/,
      );
      expect(first.headers).toMatchObject({
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
    }
  });

  it('show a file name as text, whatever it holds', async () => {
    const service = await start();
    const { text } = await ask(linkOf(service, { filename: '</script><img src=x onerror=alert(1)>"\'.txt' }));
    expect(text).not.toContain('<img');
    expect(text.match(/<\/script>/g)).toHaveLength(1);
  });

  it('say why a link cannot be used, with the status of the reason', async () => {
    const service = await start();
    const link = linkOf(service);
    await ask(link, { method: 'PUT', body: 'x' });
    const used = await ask(link);
    expect([used.status, used.text.includes('has been used')]).toEqual([410, true]);
    expect(used.text).not.toContain('type="file"');
    const made = await ask(`${service.url}/uploads/made-up`);
    expect([made.status, made.text.includes('not valid')]).toEqual([403, true]);
  });

  it('tell each way of authenticating its own story', async () => {
    const stories: [Environment, RegExp, RegExp][] = [
      [{ VECTORLESS_HTTP_AUTH: 'key' }, /Bearer YOUR_VECTORLESS_API_KEY/, /YOUR_TEAM_TOKEN/],
      [tokenMode, /Bearer YOUR_TEAM_TOKEN/, /team-secret/],
      [{ VECTORLESS_HTTP_AUTH: 'none' }, /No key is needed/, /Bearer/],
    ];
    for (const [env, has, lacks] of stories) {
      const { text } = await ask((await start(env)).url);
      expect(text).toMatch(has);
      expect(text).not.toMatch(lacks);
    }
  });

  it('show the public address, and never one that a request made up', async () => {
    const service = await start({ ...tokenMode, VECTORLESS_PUBLIC_URL: 'https://docs.example.com/team' });
    const { text } = await ask(service.url, {
      headers: { host: 'localhost:9999', 'x-forwarded-host': 'evil.example' },
    });
    expect(text).toContain('https://docs.example.com/team/mcp');
    expect(text).not.toMatch(/evil\.example|localhost:9999/);
  });
});

const title = chromiumPath === undefined ? `pages in Chromium (${noBrowser})` : 'pages in Chromium';

describe.skipIf(chromiumPath === undefined)(title, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  }, 60_000);
  afterAll(() => browser?.close());

  /** Fails the test on anything that the page complains about, a violated policy included. */
  async function visit(
    url: string,
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; complaints: string[] }> {
    const context = await browser.newContext({
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
    });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(url);
    return { page, complaints };
  }
  // As text: this project's types know no browser.
  const overflow = (page: Page) =>
    page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
  const ground = (page: Page) => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

  it('fit a phone, in the light and in the dark', async () => {
    const service = await start();
    for (const url of [service.url, linkOf(service, { filename: `${'long-name-'.repeat(20)}.txt` })]) {
      const grounds: string[] = [];
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page, complaints } = await visit(url, { viewport: { width: 380, height: 740 }, colorScheme });
        for (const summary of await page.locator('summary').all()) await summary.click();
        expect(await overflow(page)).toBeLessThanOrEqual(0);
        grounds.push(await ground(page));
        expect(complaints).toEqual([]);
        await page.context().close();
      }
      expect(new Set(grounds).size).toBe(2);
    }
  });

  it('give out configuration with the address at which the browser found the server', async () => {
    const service = await start();
    const address = `http://localhost:${service.port}`;
    const { page, complaints } = await visit(address);
    await page.getByText('Cursor', { exact: true }).click();
    await page.locator('details[open] button').first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = JSON.parse(await clipboard(page));
    expect(copied.mcpServers.vectorless).toEqual({
      url: `${address}/mcp`,
      headers: { Authorization: 'Bearer YOUR_TEAM_TOKEN' },
    });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('take a chosen file and show the document', async () => {
    const service = await start();
    const { page, complaints } = await visit(linkOf(service));
    const folder = mkdtempSync(join(tmpdir(), 'page-'));
    const path = join(folder, 'any.txt');
    writeFileSync(path, 'x'.repeat(1_500_000));
    await page.locator('#file').setInputFiles(path);
    await page.getByText('Uploaded report.txt (1.4 MB)').waitFor();
    rmSync(folder, { recursive: true });
    expect(await page.locator('#document').textContent()).toMatch(/^doc_\w+$/);
    expect(await page.locator('#drop').isVisible()).toBe(false);
    expect(service.seen.uploads[0]?.upload).toMatchObject({ filename: 'report.txt', byteSize: 1_500_000 });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('take a file that is dropped on them', async () => {
    const service = await start();
    const { page } = await visit(linkOf(service, { filename: "it's.txt" }));
    expect(await page.locator('#curl').textContent()).toMatch(/^curl -T 'it'\\''s\.txt' 'http/);
    const transfer = await page.evaluateHandle(
      "(() => { const data = new DataTransfer(); data.items.add(new File(['dropped'], 'any.txt')); return data })()",
    );
    await page.dispatchEvent('#drop', 'dragover', { dataTransfer: transfer });
    expect(await page.locator('#drop').getAttribute('class')).toBe('over');
    await page.dispatchEvent('#drop', 'drop', { dataTransfer: transfer });
    await page.locator('#done').waitFor();
    expect(service.seen.uploads[0]?.text).toBe('dropped');
    await page.context().close();
  });

  it('say what is wrong with a file, and what has become of the link', async () => {
    const service = await start();
    const link = linkOf(service, { maxBytes: 10 });
    const { page } = await visit(link);
    const file = (text: string) => ({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from(text) });
    await page.locator('#file').setInputFiles(file('x'.repeat(11)));
    await page.getByText('the link takes up to').waitFor();
    await page.locator('#file').setInputFiles(file(''));
    await page.getByText('This file is empty').waitFor();
    await ask(link, { method: 'PUT', body: 'elsewhere' });
    await page.locator('#file').setInputFiles(file('late'));
    await page.getByText('has been used').waitFor();
    expect(await page.locator('#drop').isVisible()).toBe(false);
    await page.context().close();
  });

  it('show how far a slow upload is, and let it be cancelled', async () => {
    const service = await start();
    const { page } = await visit(linkOf(service));
    const session = await page.context().newCDPSession(page);
    await session.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 200_000 },
    });
    await page.locator('#file').setInputFiles({ name: 'a', mimeType: '', buffer: Buffer.alloc(1_500_000) });
    await page.getByText(/ of 1\.4 MB/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled.').waitFor();
    expect(await page.locator('#drop').isVisible()).toBe(true);
    expect(service.seen.uploads).toEqual([]);
    await page.context().close();
  });
});
