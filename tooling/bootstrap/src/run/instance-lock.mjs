import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../failure.mjs';
import { readFileIfThere, writePrivateFile } from './private-file.mjs';

/**
 * Makes sure that one `npm start` at a time uses a data folder: two control planes on one SQLite file would each believe
 * to be alone.
 * @param {string} dataDir
 * @returns {() => void} gives the folder free again.
 * @throws {Failure} that names the process that uses it.
 */
export function lockDataFolder(dataDir) {
  const path = join(dataDir, 'runner.pid');
  const owner = Number(readFileIfThere(path) ?? '');
  if (owner > 0 && owner !== process.pid && isRunner(owner)) {
    throw new Failure(
      `${dataDir} is in use by another \`npm start\` (process ${owner}): stop that one, or set PORTCULLIS_DATA_DIR.`,
    );
  }
  writePrivateFile(path, `${process.pid}\n`);
  return () => {
    if (Number(readFileIfThere(path) ?? '') === process.pid) rmSync(path, { force: true });
  };
}

/**
 * @param {number} pid
 * @returns {boolean} whether that process lives and is one of ours; a number that was given to another program is not.
 */
function isRunner(pid) {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('start.mjs');
  } catch {
    return true; // No /proc on this system: better one sentence too many than two control planes.
  }
}
