import { constants } from 'node:fs';
import { open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { SecretFile, SecretFileOutcome } from '../drivers/file.ts';

/** Opening a pipe without a writer must not wait for one; a link that took the file's place since it was resolved is not followed. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

const outcomes: Readonly<Record<string, SecretFileOutcome>> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  ELOOP: 'outside',
  EACCES: 'forbidden',
  EPERM: 'forbidden',
  ENXIO: 'no_file',
};

/**
 * Reads a file below a folder. Links are followed while they stay in the folder, since mounted secrets of orchestrators are links; where
 * one leads out, nothing is read. What was opened is compared with what the path leads to afterwards, so that a folder that is exchanged
 * for a link meanwhile changes nothing. Folders, pipes, sockets and devices are no secrets and are never waited for.
 */
export async function readSecretFile(file: SecretFile): Promise<SecretFileOutcome> {
  const outcome = await readOnce(file);
  // Where secrets rotate, a link is exchanged and what it led to is removed: a moment later all is in place.
  return outcome === 'missing' || outcome === 'changed' ? readOnce(file) : outcome;
}

async function readOnce({ folder, path, bytesMax }: SecretFile): Promise<SecretFileOutcome> {
  let file: FileHandle | undefined;
  try {
    const within = `${await realpath(folder)}${sep}`;
    const target = join(folder, path);
    const resolved = await realpath(target);
    if (!resolved.startsWith(within)) return 'outside';
    if (!(await stat(resolved)).isFile()) return 'no_file';
    file = await open(resolved, FLAGS);
    const opened = await file.stat();
    if (!opened.isFile()) return 'no_file';
    const now = await realpath(target);
    if (!now.startsWith(within)) return 'outside';
    const { dev, ino } = await stat(now);
    if (dev !== opened.dev || ino !== opened.ino) return 'changed';
    return await readWhole(file, bytesMax);
  } catch (error) {
    const outcome = outcomes[(error as NodeJS.ErrnoException).code ?? ''];
    if (outcome === undefined) throw error;
    return outcome;
  } finally {
    await file?.close();
  }
}

/** Sizes that files tell are not believed: some grow, and some say 0. */
async function readWhole(file: FileHandle, bytesMax: number): Promise<Uint8Array | 'too_large'> {
  const buffer = new Uint8Array(bytesMax + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length);
    if (bytesRead === 0) return buffer.slice(0, length);
    length += bytesRead;
  }
  return 'too_large';
}
