import { readdir, rm, rmdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

/** What is in a cache's folder: a sealed configuration, or one that is being written. */
export const sealedPattern: RegExp = /^configuration-(\d+)\.sealed$/;
const temporaryPattern = /^configuration-\d+\.sealed\.\d+\.tmp$/;

/** Folders of caches, by {@link Seal.owner}. */
const ownerPattern = /^[0-9a-f]{16}$/;

/** A temporary file that is older than this was left by a process that was killed. */
const abandonedMs = 600_000;

/** A folder that nobody used for this long belonged to a token that was replaced, or to a gateway that is no more. */
const unusedMs = 90 * 86_400_000;

/** How often a folder that is in use and does not change is marked so. */
const markEveryMs = 86_400_000;

/** Removes temporary files of processes that were killed. */
export async function removeAbandoned(folder: string, nowMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!temporaryPattern.test(name)) continue;
    const path = join(folder, name);
    if ((await ageMs(path, nowMs)) > abandonedMs) await rm(path, { force: true });
  }
}

/**
 * Removes what other tokens left, once nobody used it for {@link unusedMs}. Gateways that share a base folder never touch what another
 * one uses, and nothing is removed that no cache wrote.
 */
export async function removeUnused(base: string, own: string, nowMs: number): Promise<void> {
  for (const name of await readdir(base)) {
    const folder = join(base, name);
    if (name === own || !ownerPattern.test(name) || (await ageMs(folder, nowMs)) < unusedMs) continue;
    for (const file of await readdir(folder).catch(() => [])) {
      if (sealedPattern.test(file) || temporaryPattern.test(file)) await rm(join(folder, file), { force: true });
    }
    await rmdir(folder).catch(() => undefined); // There is something else in it, which is not ours to remove.
  }
}

/** Says that a folder is in use, if nothing has said so for a day. */
export async function markUsed(folder: string, nowMs: number): Promise<void> {
  if ((await ageMs(folder, nowMs)) < markEveryMs) return;
  await utimes(folder, nowMs / 1000, nowMs / 1000).catch(() => undefined); // Not there yet, or read-only: then it stays too.
}

/** 0 for what is not there. */
async function ageMs(path: string, nowMs: number): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? 0 : nowMs - found.mtimeMs;
}
