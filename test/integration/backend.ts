/** What the built server is run against: the fake API in both dialects, and its own embedded engine. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Era } from '../support/connect.ts';
import { type FakeApi, type FakeApiOptions, startFakeApi, testOrg } from '../support/fake-api.ts';

export interface Backend {
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  /** A folder that `path` may read. */
  readonly folder: string;
  close(): Promise<void>;
}

export interface FakeBackend extends Backend {
  readonly fake: FakeApi;
}

export const testKey = 'vls_test_0123456789abcdef';

export async function fakeBackend(options: FakeApiOptions): Promise<FakeBackend> {
  const folder = await mkdtemp(join(tmpdir(), 'vectorless-test-'));
  const fake = await startFakeApi({ ...(options.dialect === 'S' ? { apiKey: testKey } : {}), ...options });
  return {
    fake,
    folder,
    args: [],
    env: {
      VECTORLESS_BASE_URL: fake.url,
      VECTORLESS_ALLOWED_DIRS: folder,
      ...(options.dialect === 'S' ? { VECTORLESS_API_KEY: testKey, VECTORLESS_ORG: testOrg } : {}),
    },
    async close() {
      await fake.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function localBackend(): Promise<Backend> {
  const folder = await mkdtemp(join(tmpdir(), 'vectorless-test-'));
  return {
    folder,
    args: ['--local'],
    env: { VECTORLESS_LOCAL_DIR: join(folder, 'store'), VECTORLESS_ALLOWED_DIRS: folder },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Each with another generation of the protocol, so that every one of them does the whole job. */
export const backends: readonly (readonly [name: string, era: Era, open: () => Promise<Backend>])[] = [
  ['the multi-tenant server', 'legacy', () => fakeBackend({ dialect: 'S', lifecycle: { polls: 2 } })],
  ['the standalone engine', 'modern', () => fakeBackend({ dialect: 'E', lifecycle: { polls: 2 } })],
  ['the embedded engine', 'auto', localBackend],
];
