import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Metafile } from 'esbuild';

/** The folder of the package. */
export const packageFolder: string = fileURLToPath(new URL('..', import.meta.url));

/** gwctl as one CommonJS text, with everything but Node itself inside, and what it is made of. */
export async function bundle(): Promise<{ readonly text: string; readonly metafile: Metafile }> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: packageFolder,
    entryPoints: ['src/main.ts'],
    bundle: true,
    write: false,
    metafile: true,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    conditions: ['@portcullis/source'],
    logLevel: 'error',
  });
  return { text: outputFiles[0]?.text ?? '', metafile };
}
