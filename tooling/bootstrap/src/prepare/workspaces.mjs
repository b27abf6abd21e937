import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folders that pnpm-workspace.yaml names with a star. */
const PARENTS = ['packages', 'apps', 'tooling'];

/**
 * One workspace package.
 * @typedef {{ readonly folder: string, readonly builds: boolean }} Workspace `folder` is relative to the root.
 */

/**
 * @param {string} root
 * @returns {Workspace[]} every workspace package of the repository, in a fixed order.
 */
export function workspaces(root) {
  const folders = PARENTS.flatMap((parent) =>
    existsSync(join(root, parent)) ? readdirSync(join(root, parent)).map((name) => `${parent}/${name}`) : [],
  );
  return [...folders, 'benchmarks']
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .sort()
    .map((folder) => ({ folder, builds: hasBuildScript(join(root, folder, 'package.json')) }));
}

/**
 * @param {string} manifestPath
 * @returns {boolean}
 */
function hasBuildScript(manifestPath) {
  /** @type {{ scripts?: Record<string, string> }} */
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'));
  return manifest.scripts?.['build'] !== undefined;
}
