import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Inside node_modules: whoever deletes that folder deletes what we remember about it. */
const FOLDER = 'node_modules/.cache/portcullis';

/**
 * What a step remembered about its last success.
 * @param {string} root
 * @param {string} step
 * @returns {Record<string, string>} empty when there is nothing, or nothing readable.
 */
export function readMarker(root, step) {
  try {
    /** @type {unknown} */
    const parsed = JSON.parse(readFileSync(join(root, FOLDER, `${step}.json`), 'utf8'));
    if (typeof parsed !== 'object' || parsed === null) return {};
    return Object.fromEntries(Object.entries(parsed).filter((entry) => typeof entry[1] === 'string'));
  } catch {
    return {};
  }
}

/**
 * Written to a second file and renamed, so that a killed bootstrap leaves no half a marker.
 * @param {string} root
 * @param {string} step
 * @param {Record<string, string>} facts
 */
export function writeMarker(root, step, facts) {
  const path = join(root, FOLDER, `${step}.json`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, `${JSON.stringify(facts)}\n`);
  renameSync(`${path}.${process.pid}`, path);
}
