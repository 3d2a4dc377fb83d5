/** The servers that the contract is checked against. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLocalEngine } from '@vectorless/local';
import { type Dialect, startFakeApi, testOrg } from '../support/fake-api.ts';

export interface Subject {
  readonly dialect: Dialect;
  /** The engine inside the process: sends pages and heading paths, and parses for real. */
  readonly embedded: boolean;
  /** A fake, whose corners are all known; others are only held to what clients rely on. */
  readonly fake: boolean;
  readonly baseUrl: string;
  readonly credentials: { readonly apiKey?: string; readonly org?: string };
  /** The seam that the embedded engine takes the place of the network with. */
  readonly fetch: (request: Request) => Promise<Response>;
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON, whatever its content type says; empty when it is none. */
  readonly json: Record<string, unknown>;
}

export interface CallInit {
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly body?: string | FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function fakeSubject(dialect: Dialect): Promise<Subject> {
  const apiKey = 'test-key-of-the-contract';
  const fake = await startFakeApi({ dialect, apiKey, streaming: 'streams' });
  return {
    ...{ dialect, embedded: false, fake: true, baseUrl: fake.url, credentials: { apiKey, org: testOrg } },
    fetch: (request) => fetch(request),
    close: () => fake.close(),
  };
}

export async function engineSubject(): Promise<Subject> {
  const dir = await mkdtemp(join(tmpdir(), 'vectorless-contract-'));
  const engine = createLocalEngine({ dir });
  return {
    ...{ dialect: 'E', embedded: true, fake: false, baseUrl: 'http://engine.local', credentials: {} },
    fetch: (request) => engine.fetch(request),
    async close() {
      await engine.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Asks the server which dialect it speaks: only E leaves `documents` out of a list. */
export async function liveSubject(url: string, apiKey?: string, org?: string): Promise<Subject> {
  const subject = {
    ...{ dialect: 'S' as Dialect, embedded: false, fake: false, baseUrl: url.replace(/\/+$/, '') },
    credentials: { ...(apiKey === undefined ? {} : { apiKey }), ...(org === undefined ? {} : { org }) },
    fetch: (request: Request) => fetch(request),
    close: async () => {},
  };
  const { json } = await call(subject, 'GET', '/v1/documents?limit=1');
  return { ...subject, dialect: 'documents' in json ? 'S' : 'E' };
}

export async function call(
  { baseUrl, credentials, fetch }: Subject,
  method: string,
  path: string,
  { json, body, headers = {} }: CallInit = {},
): Promise<Answer> {
  const { apiKey, org } = credentials;
  const response = await fetch(
    new Request(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        ...(org === undefined ? {} : { 'x-vectorless-org': org }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...(body === undefined ? {} : { body }),
    }),
  );
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
}

/** A multipart body with one file. */
export function form(filename: string, contentType: string, content: string | Uint8Array): FormData {
  const data = new FormData();
  data.append('file', new Blob([content], { type: contentType }), filename);
  return data;
}

/** Ingests Markdown and waits until it is done, whichever way it ends. */
export async function ingested(subject: Subject, content: string, filename = 'note.md'): Promise<string> {
  const body = form(filename, 'text/markdown', content);
  const receipt = await call(subject, 'POST', '/v1/documents', { body });
  if (receipt.status !== 202) throw new Error(`ingest: ${receipt.status} ${receipt.text}`);
  const id = String(receipt.json.document_id);
  await finished(subject, id);
  return id;
}

export async function finished(subject: Subject, id: string): Promise<Answer> {
  for (let tries = 0; tries < 600; tries += 1) {
    const answer = await call(subject, 'GET', `/v1/documents/${id}`);
    if (answer.json.status === 'ready' || answer.json.status === 'failed') return answer;
    await sleep(tries < 20 ? 25 : 200);
  }
  throw new Error(`document ${id} was neither ready nor failed in time`);
}

export const items = (answer: Answer, name = 'items'): Record<string, unknown>[] => {
  const value = answer.json[name];
  if (!Array.isArray(value)) throw new Error(`"${name}" is no array: ${answer.text.slice(0, 200)}`);
  return value;
};

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
