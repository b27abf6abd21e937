import { existsSync } from 'node:fs';
import { Failure } from '../failure.mjs';
import { prepare } from '../prepare/prepare.mjs';
import { assertWritable } from '../prepare/writable.mjs';
import { lockDataFolder } from './instance-lock.mjs';
import { claimPorts } from './ports.mjs';
import { makePrivateFolder } from './private-file.mjs';
import { run } from './run.mjs';
import { samplePortOf, sampleRuns } from './sample.mjs';
import { readSettings } from './settings.mjs';
import { readState } from './state-file.mjs';
import { stopSignal } from './stop-signal.mjs';

/**
 * `npm start`: checks what can be checked at once, brings the toolchain, builds, and runs everything until it is told to
 * stop.
 * @param {{ root: string, env: NodeJS.ProcessEnv, say: import('../say.mjs').Say }} context
 * @param {(context: import('../prepare/prepare.mjs').PrepareContext) => Promise<Pick<import('../prepare/prepare.mjs').Toolchain, 'node' | 'build'>>} [bring]
 * brings the toolchain; tests with their own apps have nothing to bring.
 * @returns {Promise<number>} the exit code.
 * @throws {Failure}
 */
export async function startUp(context, bring = prepare) {
  const { root, env } = context;
  const settings = readSettings(env, root);
  assertWritable(
    settings.dataDir,
    'the database and the logs are kept there, so set PORTCULLIS_DATA_DIR to a folder that you may write to',
  );
  makePrivateFolder(settings.dataDir);
  const unlock = lockDataFolder(settings.dataDir);
  try {
    const databaseIsNew = settings.databaseFile !== null && !existsSync(settings.databaseFile);
    const state = readState(settings.dataDir, settings.databaseUrl, databaseIsNew);
    // Before anything is installed: a port in use is said at once, not after half a minute.
    await claimPorts(listeners(settings, state));
    const { node, build } = await bring(context);
    const built = await build();
    if (!built.ok) throw new Failure(`${built.output}\nThe build failed: the output above says where.`);
    const stop = stopSignal();
    const ports = await claimPorts(listeners(settings, state));
    return await run({ ...context, node, stop, settings, state, ports });
  } finally {
    unlock();
  }
}

/**
 * @param {import('./settings.mjs').Settings} settings
 * @param {import('./state-file.mjs').StartState} state
 */
function listeners(settings, state) {
  // A sample that does not run claims nothing: any free port is always there.
  const samplePort = sampleRuns(settings, state) ? samplePortOf(settings.samplePort, state.configured?.samplePort) : 0;
  return {
    proxy: {
      name: 'the gateway',
      host: settings.proxyHost,
      port: settings.proxyPort,
      variable: 'PORTCULLIS_PROXY_PORT',
    },
    proxyTls: {
      name: "the gateway's port for TLS",
      host: settings.proxyHost,
      port: settings.proxyTlsPort,
      variable: 'PORTCULLIS_PROXY_TLS_PORT',
    },
    admin: {
      name: 'the control plane',
      host: settings.adminHost,
      port: settings.adminPort,
      variable: 'PORTCULLIS_ADMIN_PORT',
    },
    status: {
      name: "the gateway's status page",
      host: settings.statusHost,
      port: settings.statusPort,
      variable: 'PORTCULLIS_STATUS_PORT',
    },
    sample: { name: "the sample's upstream", host: '127.0.0.1', port: samplePort, variable: 'PORTCULLIS_SAMPLE_PORT' },
  };
}
