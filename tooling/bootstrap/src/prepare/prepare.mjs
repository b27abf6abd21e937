import { existsSync } from 'node:fs';
import { build } from './build.mjs';
import { findNode } from './find-node.mjs';
import { findPnpm, packageManager } from './find-pnpm.mjs';
import { install } from './install.mjs';
import { readMarker, writeMarker } from './marker.mjs';
import { assertWritable } from './writable.mjs';

/**
 * @typedef {{ root: string, env: NodeJS.ProcessEnv, say: import('../say.mjs').Say }} PrepareContext `root` is absolute.
 */

/**
 * The tools, ready to use.
 * @typedef {object} Toolchain
 * @property {string} node absolute path of a Node 24 or newer.
 * @property {() => Promise<string>} pnpmFolder brings pnpm when it is not here yet.
 * @property {() => Promise<{ ok: boolean, output: string }>} build builds what changed.
 */

/**
 * Brings dependencies and Node to a fresh clone. Does nothing, quickly, when both are there.
 * @param {PrepareContext} context
 * @returns {Promise<Toolchain>}
 * @throws {import('../failure.mjs').Failure} with one sentence that says what to do.
 */
export async function prepare(context) {
  const { root, env } = context;
  assertWritable(root, 'dependencies and builds are put there, so use a copy that you may write to');
  const pnpmFolder = () => rememberedPnpmFolder(root, env);
  await install(context, pnpmFolder);
  const node = findNode(root);
  return { node, pnpmFolder, build: () => build(context, pnpmFolder) };
}

/**
 * Where pnpm was last time, as long as it is still there: asking npm takes most of a second.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>}
 */
async function rememberedPnpmFolder(root, env) {
  const wanted = packageManager(root);
  const { folder, manager } = readMarker(root, 'pnpm');
  if (folder !== undefined && manager === wanted && existsSync(`${folder}/pnpm`)) return folder;
  const found = await findPnpm(root, env, wanted);
  writeMarker(root, 'pnpm', { folder: found, manager: wanted });
  return found;
}
