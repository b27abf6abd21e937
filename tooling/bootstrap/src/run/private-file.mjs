import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { Failure } from '../failure.mjs';

/**
 * Makes a folder that only its owner can look into; one that is there gets that mode too.
 * @param {string} path
 * @throws {Failure} when it cannot be made, or belongs to another user.
 */
export function makePrivateFolder(path) {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    chmodSync(path, 0o700);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    const why = code === 'EPERM' ? 'it belongs to another user' : (code ?? 'unknown reason');
    throw new Failure(`${path} cannot be made a folder of yours alone (${why}): set PORTCULLIS_DATA_DIR to another.`);
  }
}

/**
 * Replaces a file in one step, readable by its owner only: after a crash there is the old content or the new, never half.
 * @param {string} path
 * @param {string} content
 */
export function writePrivateFile(path, content) {
  const temporary = `${path}.${process.pid}.tmp`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}

/**
 * @param {string} path
 * @returns {string | null} null when there is no such file.
 */
export function readFileIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return null;
    throw error;
  }
}
