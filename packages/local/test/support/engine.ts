import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { createLocalEngine, type LocalEngine, type LocalEngineOptions } from '../../src/index.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body parsed; fails the test when it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape they state themselves
  readonly json: any;
}

export interface TestEngine {
  readonly dir: string;
  readonly engine: LocalEngine;
  readonly warnings: readonly string[];
  call(
    method: string,
    path: string,
    body?: RequestInit['body'],
    headers?: Record<string, string>,
  ): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  upload(name: string, content: string | Uint8Array<ArrayBuffer>, options?: UploadOptions): Promise<Answer>;
  /** Uploads and waits for the end of indexing; answers the document's id. */
  ingest(name: string, content: string | Uint8Array<ArrayBuffer>, options?: UploadOptions): Promise<string>;
  settled(id: string): Promise<Record<string, unknown>>;
}

export interface UploadOptions {
  readonly type?: string;
  readonly key?: string;
}

export function temporaryFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'vectorless-local-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** An engine on a folder of its own, or on the one given; closed when the test ends. */
export function openEngine(options: Partial<LocalEngineOptions> = {}): TestEngine {
  const dir = options.dir ?? temporaryFolder();
  const warnings: string[] = [];
  const engine = createLocalEngine({ onWarning: (message) => warnings.push(message), ...options, dir });
  onTestFinished(() => engine.close());
  return { ...driverOf(engine), dir, engine, warnings };
}

function driverOf(engine: LocalEngine): Omit<TestEngine, 'dir' | 'engine' | 'warnings'> {
  async function call(
    method: string,
    path: string,
    body?: RequestInit['body'],
    headers?: Record<string, string>,
  ): Promise<Answer> {
    const request = new Request(`http://local${path}`, {
      method,
      ...(body !== undefined && { body }),
      ...(headers && { headers }),
    });
    const response = await engine.fetch(request);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      get json() {
        return JSON.parse(text);
      },
    };
  }

  async function upload(
    name: string,
    content: string | Uint8Array<ArrayBuffer>,
    { type = 'text/markdown', key }: UploadOptions = {},
  ): Promise<Answer> {
    const form = new FormData();
    form.append('file', new File([content], name, { type }));
    return call('POST', '/v1/documents', form, key === undefined ? {} : { 'idempotency-key': key });
  }

  async function settled(id: string): Promise<Record<string, unknown>> {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const { json } = await call('GET', `/v1/documents/${id}`);
      if (json.status === 'ready' || json.status === 'failed') return json;
      if (Date.now() > deadline) throw new Error(`${id} is still ${json.status}`);
      await sleep(10);
    }
  }

  return {
    call,
    post: (path, body) => call('POST', path, JSON.stringify(body), { 'content-type': 'application/json' }),
    upload,
    async ingest(name, content, options) {
      const { json } = await upload(name, content, options);
      await settled(json.document_id);
      return json.document_id;
    },
    settled,
  };
}

export const HANDBOOK = `# Staff handbook

Welcome. This handbook says how we work together, what you can expect from us and what we expect from you in return.

## Leave

Everybody has thirty days of paid vacation a year. Ask your lead two weeks before a longer trip. Unused days move to the
next year, but no more than ten of them, and they lapse at the end of June.

### Parental leave

Parents take up to fourteen months between them. Tell the people team seven weeks before it begins.

## Expenses

Travel is booked in economy class. Hotels cost at most 140 euros a night. Receipts go to the expense desk within a month.

| Allowance | 2023 | 2024 |
|---|---|---|
| Meals | 28 | 30 |
| Mileage | 0.30 | 0.38 |
`;
