import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readFileIfThere, writePrivateFile } from './private-file.mjs';

/**
 * The keys that seal secrets in the database: the kept ones, else a new one that is kept from now on. Losing the file
 * means losing every sealed secret, so it lies beside the database.
 * @param {string} dataDir
 * @returns {string} `id:base64` of 32 random bytes, as PORTCULLIS_SECRET_KEYS wants it.
 */
export function keptSecretKeys(dataDir) {
  const path = join(dataDir, 'secret-keys');
  const kept = readFileIfThere(path)?.trim();
  if (kept !== undefined && kept !== '') return kept;
  const made = `local-1:${randomBytes(32).toString('base64')}`;
  writePrivateFile(path, `${made}\n`);
  return made;
}
