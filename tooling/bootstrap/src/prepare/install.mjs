import { Failure } from '../failure.mjs';
import { timed } from '../say.mjs';
import { lastErrorLine, packageManager } from './find-pnpm.mjs';
import { fingerprint } from './fingerprint.mjs';
import { readMarker, writeMarker } from './marker.mjs';
import { offlineReason } from './offline.mjs';
import { runCommand } from './run-command.mjs';
import { workspaces } from './workspaces.mjs';

/** pnpm asks nothing, and without a network it gives up within seconds instead of a minute. */
const QUIET_AND_QUICK = {
  CI: 'true',
  pnpm_config_fetch_retries: '2',
  pnpm_config_fetch_retry_factor: '2',
  pnpm_config_fetch_retry_mintimeout: '1000',
};

/**
 * Installs what the lockfile says, unless exactly that was installed before.
 * @param {{ root: string, env: NodeJS.ProcessEnv, say: import('../say.mjs').Say }} context
 * @param {() => Promise<string>} pnpmFolder asked only when there is something to do.
 * @returns {Promise<boolean>} whether anything was installed.
 * @throws {Failure}
 */
export async function install({ root, env, say }, pnpmFolder) {
  const wanted = installFingerprint(root);
  if (readMarker(root, 'install')['fingerprint'] === wanted) return false;
  await timed(say, 'installing dependencies', async () => {
    const folder = await pnpmFolder();
    const result = await runCommand(`${folder}/pnpm`, ['install', '--frozen-lockfile'], {
      cwd: root,
      env: { ...env, ...QUIET_AND_QUICK },
    });
    if (result.code !== 0) throw new Failure(installFailure(result.output, packageManager(root)));
  });
  writeMarker(root, 'install', { fingerprint: wanted });
  return true;
}

/**
 * @param {string} output
 * @param {string} manager
 * @returns {string}
 */
function installFailure(output, manager) {
  if (output.includes('ERR_PNPM_OUTDATED_LOCKFILE')) {
    return `pnpm-lock.yaml does not fit the package.json files: run \`npx --yes ${manager} install\` and try again.`;
  }
  return offlineReason(output) ?? `The dependencies could not be installed: ${lastErrorLine(output)}.`;
}

/**
 * Everything that decides what an installation contains: the lockfile, the manifests and the machine.
 * @param {string} root
 * @returns {string}
 */
function installFingerprint(root) {
  const manifests = workspaces(root).map(({ folder }) => `${folder}/package.json`);
  const files = fingerprint(root, ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests]);
  return `${process.platform}-${process.arch}-${files}`;
}
