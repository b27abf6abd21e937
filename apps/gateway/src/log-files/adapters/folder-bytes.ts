import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './folder.ts';

/** Entries that are looked at: a folder with more is taken for one without an end. */
export const ENTRIES_MAX = 10_000;

/** A file that was found below a folder. */
export interface CountedFile {
  /** The folders to it, and its name. */
  readonly parts: readonly string[];
  readonly ino: number;
  readonly bytes: number;
  /** When it last changed, in milliseconds since 1970. */
  readonly changedMs: number;
}

/** What lies below a folder. */
export interface CountedFolder {
  /** Of all files; `Infinity` where there are more than {@link ENTRIES_MAX} entries. */
  readonly bytes: number;
  /** None where there are too many. */
  readonly files: readonly CountedFile[];
}

/** Counts a folder; nothing where there is none. Links are not followed; what goes while it is counted counts nothing. */
export async function countFolder(path: string): Promise<CountedFolder> {
  const waiting: string[][] = [[]];
  const files: CountedFile[] = [];
  let entries = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const folder = next;
    // oxlint-disable-next-line no-await-in-loop -- one folder after the other: nobody is in a hurry
    const found = await readdir(join(path, ...folder), { withFileTypes: true }).catch((error: unknown) =>
      noneIfGone(error),
    );
    entries += found.length;
    if (entries > ENTRIES_MAX) return { bytes: Number.POSITIVE_INFINITY, files: [] };
    for (const entry of found) if (entry.isDirectory()) waiting.push([...folder, entry.name]);
    const looked = found
      .filter((entry) => entry.isFile())
      .map(async ({ name }) => await lookAt(path, [...folder, name]));
    // oxlint-disable-next-line no-await-in-loop -- as above
    for (const file of await Promise.all(looked)) if (file !== undefined) files.push(file);
  }
  return { bytes: files.reduce((sum, file) => sum + file.bytes, 0), files };
}

async function lookAt(path: string, parts: readonly string[]): Promise<CountedFile | undefined> {
  try {
    const { ino, size, mtimeMs } = await lstat(join(path, ...parts));
    return { parts, ino, bytes: size, changedMs: mtimeMs };
  } catch (error) {
    noneIfGone(error);
    return undefined;
  }
}

function noneIfGone(error: unknown): [] {
  if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error;
  return [];
}
