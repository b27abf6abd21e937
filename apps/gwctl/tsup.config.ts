/**
 * gwctl is published with everything it needs inside, so that installing it fetches nothing else: third-party packages are
 * development dependencies, which tsup takes in.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { defineConfig } from 'tsup';
import { appOptions } from '../../tooling/build/app.ts';

const require = createRequire(import.meta.url);

export default defineConfig({
  ...appOptions,
  // Packages in CommonJS that are taken in ask for Node's own modules with `require`.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  esbuildOptions(options, context) {
    appOptions.esbuildOptions?.(options, context);
    // Its modules for browsers are ES modules: what gwctl does not use of them stays out, and `import()` gives their names.
    options.alias = { yaml: path.join(path.dirname(require.resolve('yaml/package.json')), 'browser', 'index.js') };
  },
});
