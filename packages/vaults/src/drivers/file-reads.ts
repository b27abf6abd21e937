import { VaultError } from '../vault-error.ts';
import type { ReadSecretFile } from './file.ts';

/** How long a file may take, waiting for its turn included, in milliseconds. As long as a server has. */
export const FILE_TIMEOUT_MS = 3000;

/**
 * Files that are read at once. A read of a file system that hangs cannot be ended: it keeps one of the four threads that Node.js has for
 * files, names and digests. Two of them are left to all else.
 */
export const FILE_READS_MAX = 2;

/**
 * Gives reads their turns, first come first, and lets nobody wait longer than a time. A read that hangs keeps its turn until it ends, so that
 * those who ask again begin no further ones; the value that it brings then goes to nobody.
 */
export function boundedFileReads(readFile: ReadSecretFile, timeoutMs: number = FILE_TIMEOUT_MS): ReadSecretFile {
  const waiting = new Set<() => void>();
  let underWay = 0;
  const end = (): void => {
    underWay -= 1;
    for (const next of waiting) {
      next();
      break;
    }
  };
  return (file) =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        waiting.delete(begin);
        underWay += 1;
        void readFile(file)
          .then(resolve, reject)
          .finally(() => {
            clearTimeout(timer);
            end();
          });
      };
      const timer = setTimeout(() => {
        waiting.delete(begin);
        reject(new VaultError('unavailable', `the file was not read within ${timeoutMs} ms`));
      }, timeoutMs);
      if (underWay < FILE_READS_MAX) begin();
      else waiting.add(begin);
    });
}
