import { defineConfig } from 'vitest/config';

const source = ['vectorless:source', 'node', 'import', 'module', 'default'];

export default defineConfig({
  resolve: { conditions: source },
  ssr: { resolve: { conditions: source, externalConditions: source } },
  test: {
    include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // Many tests start processes and kill them; a busy machine gets one more try, which the report shows.
    retry: process.env.CI === undefined ? 0 : 1,
  },
});
