/**
 * How every app is bundled: our own packages are inlined from source, third-party packages stay outside.
 * Every `src/*.entry.ts` and `src/main.ts` becomes a file of the same name in `dist/` (workers are entries of their own).
 */
import { globSync } from 'node:fs';
import { defineConfig } from 'tsup';
import type { Options } from 'tsup';

/** For apps that need a little more. */
export const appOptions: Options = {
  entry: ['src/main.ts', ...globSync('src/**/*.entry.ts')].reduce<Record<string, string>>((entries, file) => {
    const name = file
      .replaceAll('\\', '/')
      .split('/')
      .at(-1)!
      .replace(/(\.entry)?\.ts$/, '');
    return { ...entries, [name]: file };
  }, {}),
  format: 'esm',
  target: 'node24',
  platform: 'node',
  clean: true,
  sourcemap: true,
  splitting: true,
  noExternal: [/^@portcullis\//],
  // What our packages need of others is inlined with them, and CommonJS among it asks for Node's modules by `require`, which modules do not have.
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
  },
  esbuildOptions(options) {
    options.conditions = ['@portcullis/source', ...(options.conditions ?? [])];
  },
};

export default defineConfig(appOptions);
