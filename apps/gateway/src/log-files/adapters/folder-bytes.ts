import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './folder.ts';

/** Entries that are looked at: a folder with more is taken for one without an end. */
export const ENTRIES_MAX = 10_000;

/**
 * Bytes of all files below a folder, 0 where there is none; `Infinity` where there are more than {@link ENTRIES_MAX} entries. Links are not
 * followed; what goes while it is counted counts nothing.
 */
export async function folderBytes(path: string): Promise<number> {
  const waiting = [path];
  let entries = 0;
  let bytes = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const folder = next;
    // oxlint-disable-next-line no-await-in-loop -- one folder after the other: nobody is in a hurry
    const found = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => noneIfGone(error));
    entries += found.length;
    if (entries > ENTRIES_MAX) return Number.POSITIVE_INFINITY;
    const files: string[] = [];
    for (const entry of found) {
      if (entry.isDirectory()) waiting.push(join(folder, entry.name));
      else if (entry.isFile()) files.push(join(folder, entry.name));
    }
    // oxlint-disable-next-line no-await-in-loop -- as above
    for (const size of await Promise.all(files.map((file) => sizeOf(file)))) bytes += size;
  }
  return bytes;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await lstat(path)).size;
  } catch (error) {
    noneIfGone(error);
    return 0;
  }
}

function noneIfGone(error: unknown): [] {
  if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error;
  return [];
}
