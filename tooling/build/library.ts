/** How every library is bundled: ESM for Node, one file per entry point. Declarations come from `tsc` (see package.json). */
import { readFileSync } from 'node:fs';
import { defineConfig } from 'tsup';

interface Manifest {
  readonly publishConfig?: { readonly exports?: Readonly<Record<string, unknown>> };
}

/** Entry points are read from the manifest, so that a new subpath export needs no change here. */
function entriesOf(manifest: Manifest): string[] {
  return Object.keys(manifest.publishConfig?.exports ?? {})
    .filter((subpath) => subpath !== './package.json')
    .map((subpath) => (subpath === '.' ? 'src/index.ts' : `src/${subpath.slice(2)}.ts`));
}

export default defineConfig({
  entry: entriesOf(JSON.parse(readFileSync('package.json', 'utf8')) as Manifest),
  format: 'esm',
  target: 'node22',
  platform: 'node',
  clean: true,
  sourcemap: true,
  splitting: true,
});
