import { accessSync, constants, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from '../failure.mjs';

/**
 * Makes sure that files can be written below a folder (which need not exist yet). Tried for real: permission bits say
 * nothing about read-only file systems or the superuser.
 * @param {string} folder absolute.
 * @param {string} purpose ends the sentence, for instance `dependencies are installed there`.
 * @throws {Failure}
 */
export function assertWritable(folder, purpose) {
  const existing = nearestThere(folder);
  const probe = join(existing, `.portcullis-write-test-${process.pid}`);
  try {
    accessSync(existing, constants.W_OK);
    mkdirSync(probe);
    writeFileSync(join(probe, 'x'), '');
    rmSync(probe, { recursive: true });
  } catch (error) {
    removeIfPossible(probe);
    throw new Failure(`${existing} ${reason(error)}: ${purpose}.`);
  }
}

/**
 * @param {string} folder
 * @returns {string} it, or the nearest around it that is there and may be looked at.
 */
function nearestThere(folder) {
  for (let existing = folder; ; existing = dirname(existing)) {
    try {
      lstatSync(existing);
      return existing;
    } catch (error) {
      // Not there, below a file, or in a folder of somebody else: trying to write to what is around it says which.
      if (existing === dirname(existing)) throw error;
    }
  }
}

/**
 * @param {unknown} error
 * @returns {string} the middle of the sentence.
 */
function reason(error) {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  return code === 'ENOTDIR' ? 'is not a folder' : `cannot be written to (${code ?? 'unknown reason'})`;
}

/** @param {string} path */
function removeIfPossible(path) {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Where nothing can be written nothing can be removed; the sentence about that is on its way.
  }
}
