import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that hold results, never sources. */
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', '.turbo', 'coverage']);

/**
 * One hash over the paths and contents of files: two trees have the same one exactly when they are the same.
 * @param {string} root
 * @param {readonly string[]} entries files and folders relative to the root; what does not exist counts as absent.
 * @param {(path: string) => boolean} [wanted] gets the path relative to the root.
 * @returns {string} hex.
 */
export function fingerprint(root, entries, wanted = () => true) {
  const hash = createHash('sha256');
  for (const path of entries
    .flatMap((entry) => filesBelow(root, entry))
    .filter(wanted)
    .sort()) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * One hash over names, sizes and times of files: cheap, for results that only a build writes.
 * @param {string} root
 * @param {readonly string[]} folders relative to the root.
 * @returns {string | null} null when one of the folders is missing or empty.
 */
export function resultStamp(root, folders) {
  const hash = createHash('sha256');
  for (const folder of folders) {
    const files = listFiles(root, folder).sort();
    if (files.length === 0) return null;
    for (const path of files) {
      const { size, mtimeMs } = statSync(join(root, path));
      hash.update(`${path}\0${size}\0${mtimeMs}\0`);
    }
  }
  return hash.digest('hex');
}

/**
 * @param {string} root
 * @param {string} entry
 * @returns {string[]}
 */
function filesBelow(root, entry) {
  const absolute = join(root, entry);
  if (!existsSync(absolute)) return [];
  return statSync(absolute).isDirectory() ? listFiles(root, entry) : [entry];
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function listFiles(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : listFiles(root, path);
    return entry.isFile() ? [path] : [];
  });
}
