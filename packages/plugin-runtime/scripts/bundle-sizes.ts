import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** What one entry point costs whoever bundles it, alone. */
export interface BundleSize {
  /** `.`, `./fetch`, … */
  readonly entry: string;
  readonly minifiedBytes: number;
  readonly gzipBytes: number;
  /** What it imports that is not in the package. */
  readonly imports: readonly string[];
}

const root = join(import.meta.dirname, '..');

/** Bundles every entry point from its source, minified, all of our own code inside. */
export async function bundleSizes(): Promise<readonly BundleSize[]> {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, unknown>;
  };
  const entries = Object.keys(exports).filter((entry) => entry !== './package.json');
  return Promise.all(entries.map(sizeOf));
}

async function sizeOf(entry: string): Promise<BundleSize> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(root, 'src', entry === '.' ? 'index.ts' : `${entry.slice(2)}.ts`)],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    packages: 'external',
    write: false,
    metafile: true,
  });
  const bytes = outputFiles[0]?.contents ?? new Uint8Array();
  const imports = Object.values(metafile.outputs).flatMap((output) =>
    output.imports.filter(({ external }) => external === true).map(({ path }) => path),
  );
  const gzipBytes = gzipSync(bytes, { level: 9 }).length;
  return { entry, minifiedBytes: bytes.length, gzipBytes, imports: [...new Set(imports)].toSorted() };
}

/** Kilobytes of 1000 bytes, with one decimal. */
export function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}

/** The table of the README, between its two marks. */
export function sizeTable(sizes: readonly BundleSize[]): string {
  const rows = sizes.map(
    ({ entry, minifiedBytes, gzipBytes, imports }) =>
      `| \`${entry}\` | ${kilobytes(minifiedBytes)} kB | ${kilobytes(gzipBytes)} kB | ${imports.join(', ') || 'nothing'} |`,
  );
  return ['| entry | minified | gzip | imports |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** Where the table stands. */
export const TABLE: RegExp = /(?<=<!-- sizes -->\n)[^]*?(?=\n<!-- \/sizes -->)/;
