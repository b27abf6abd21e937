import { logPathParts } from '@portcullis/plugin-runtime';
import type { Folder } from './adapters/folder.ts';

/** When a file gives way to a new one, and how many of its kind are kept. */
export interface RotationRule {
  /** A file that would grow beyond it is put aside. */
  readonly fileBytesMax: number;
  /** Files that were put aside, `name.1` the newest; 0 keeps none. */
  readonly kept: number;
}

/** Whether a file below a tenant's folder is one that a rotation has put aside: no plugin may give a file such a name. */
export function isPutAside(parts: readonly string[]): boolean {
  const path = parts.join('/');
  const name = path.replace(/\.[1-9][0-9]{0,2}$/, '');
  return name !== path && logPathParts(name)?.length === parts.length;
}

/** A mark of a rotation that is so old was left by a process that ended in the middle, in milliseconds. */
const STALE_MS = 10_000;

/**
 * Puts a file aside: `name` becomes `name.1`, that `name.2`, and what is beyond `kept` goes. Processes that append to one file must not do it
 * at the same time: who makes the mark does it, and the others go on until they see that the name stands for another file.
 * @param ino of the file that is meant: what has the name by now may be a new one
 */
export async function rotate(
  folder: Folder,
  name: string,
  ino: number,
  { kept }: RotationRule,
  nowMs: number,
): Promise<void> {
  const mark = `.${name}.rotating`;
  if (!(await folder.mark(mark))) {
    const found = await folder.find(mark);
    if (found !== undefined && nowMs - found.changedMs > STALE_MS) await folder.remove(mark);
    return;
  }
  try {
    const found = await folder.find(name);
    if (found?.ino !== ino) return;
    if (kept === 0) {
      await folder.remove(name);
      return;
    }
    for (let number = kept - 1; number >= 1; number -= 1) {
      // oxlint-disable-next-line no-await-in-loop -- each makes room for the next
      await folder.rename(`${name}.${number}`, `${name}.${number + 1}`);
    }
    await folder.rename(name, `${name}.1`);
  } finally {
    await folder.remove(mark);
  }
}
