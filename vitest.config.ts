import { defineConfig } from 'vitest/config';

/** Our own packages are tested from their TypeScript sources: no build has to come first. */
const conditions = ['@portcullis/source', 'node'];
const fromSource = { resolve: { conditions }, ssr: { resolve: { conditions } } };

/** Property tests begin from one seed. */
const setupFiles = ['tooling/testkit/src/fixed-seed.setup.ts'];

const ignored = ['**/node_modules/**', '**/dist/**', '**/testdata/**'];

export default defineConfig({
  test: {
    // Two: the suite has to be quick on a two-core machine, and each worker starts real servers and databases.
    maxWorkers: 2,
    projects: [
      {
        ...fromSource,
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/*/src/**/*.test.ts',
            'tooling/**/*.test.{ts,mjs}',
            'benchmarks/**/*.test.ts',
          ],
          exclude: ignored,
          setupFiles,
          pool: 'forks',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        ...fromSource,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          exclude: ignored,
          setupFiles,
          pool: 'forks',
          // Real processes and measured times: one file at a time, or they slow each other down.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
