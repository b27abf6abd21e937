import { defineConfig } from 'vitest/config';

/** Our own packages are tested from their TypeScript sources: no build has to come first. */
const conditions = ['@portcullis/source', 'node'];
const fromSource = { resolve: { conditions }, ssr: { resolve: { conditions } } };

/** Property tests begin from one seed. */
const fixedSeed = 'tooling/testkit/src/fixed-seed.setup.ts';

const common = {
  exclude: ['**/node_modules/**', '**/dist/**', '**/testdata/**'],
  setupFiles: [fixedSeed],
  pool: 'forks' as const,
};

/**
 * Files of tests share the processes that run them, and with them the modules: to read the modules of a service anew takes as long
 * as most of its tests. What such modules keep, they keep for the next file.
 */
const shared = { ...common, isolate: false, testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    // One more than the cores of the machine that the suite has to be quick on: tests wait for databases and processes.
    maxWorkers: 3,
    projects: [
      {
        ...fromSource,
        test: { ...shared, name: 'unit', include: ['packages/*/src/**/*.test.ts', 'apps/gateway/src/**/*.test.ts'] },
      },
      {
        ...fromSource,
        test: {
          ...shared,
          name: 'admin-api',
          include: ['apps/admin-api/src/**/*.test.ts'],
          setupFiles: [fixedSeed, 'apps/admin-api/src/testing/answer-contract.setup.ts'],
        },
      },
      {
        ...fromSource,
        test: {
          ...common,
          name: 'tools',
          include: ['apps/gwctl/src/**/*.test.ts', 'tooling/**/*.test.{ts,mjs}', 'benchmarks/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        ...fromSource,
        test: {
          ...common,
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          // After the others, and two files at a time: each starts a control plane and gateways.
          sequence: { groupOrder: 1 },
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
