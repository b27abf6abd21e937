import { zipSync } from 'fflate';
import type { SdkFile } from '../target.ts';

/** Characters of a path in an archive: what every file system takes. */
export const pathLengthMax = 240;

/**
 * Packs files into a ZIP archive below one folder. The same files give the same bytes, wherever and whenever: they are sorted, and have the
 * first moment that the format knows.
 * @throws Error for a path that is not safe, which no target makes
 */
export function zipFiles(folder: string, files: readonly SdkFile[]): Uint8Array {
  const encoder = new TextEncoder();
  const seen = new Set<string>();
  const sorted = files
    .map(({ path, text }) => ({ path: `${folder}/${path}`, bytes: encoder.encode(text) }))
    .toSorted((a, b) => Number(a.path > b.path) - Number(a.path < b.path));
  for (const { path } of sorted) {
    // Some systems do not tell the case of letters apart.
    if (!isSafePath(path) || seen.has(path.toLowerCase())) throw new Error(`no path for an archive: ${path}`);
    seen.add(path.toLowerCase());
  }
  return zipSync(Object.fromEntries(sorted.map(({ path, bytes }) => [path, bytes])), { mtime: firstMoment, level: 6 });
}

/** Of local time, because the packer writes what the clock on the wall shows. */
const firstMoment = new Date(1980, 0, 1);

/** Whether a path stays below the folder where it is unpacked, on every system. */
export function isSafePath(path: string): boolean {
  const segments = path.split('/');
  return (
    path.length <= pathLengthMax &&
    segments.every((segment) => /^[A-Za-z0-9._-]+$/.test(segment) && !/^\.+$/.test(segment))
  );
}
