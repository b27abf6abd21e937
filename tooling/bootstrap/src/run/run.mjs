import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { timed } from '../say.mjs';
import { adminApi } from './admin-api.mjs';
import { announcement } from './announce.mjs';
import { adminEnvironment, gatewayEnvironment } from './child-environment.mjs';
import { startChild } from './child.mjs';
import { completeFirstStart, firstPassword, isComplete, keptDataPlaneToken } from './first-start.mjs';
import { keptSecretKeys } from './secret-keys.mjs';
import { keepSampleCopy, sampleForPort, sampleKey, sampleRuns } from './sample.mjs';
import { localUrl } from './settings.mjs';
import { writeState } from './state-file.mjs';
import { stopChildren } from './stop-children.mjs';
import { waitReady } from './wait-ready.mjs';

/** Migrations of a large database may take a while. */
const ADMIN_READY_TIMEOUT_MS = 60_000;
const GATEWAY_READY_TIMEOUT_MS = 30_000;

/**
 * Everything a run needs; all checks that can fail early are behind it.
 * @typedef {object} RunContext
 * @property {string} root
 * @property {string} node
 * @property {NodeJS.ProcessEnv} env
 * @property {import('../say.mjs').Say} say
 * @property {AbortSignal} stop
 * @property {import('./settings.mjs').Settings} settings
 * @property {import('./state-file.mjs').StartState} state
 * @property {{ admin: number, proxy: number, proxyTls: number, status: number, sample: number }} ports
 */

/**
 * Starts the control plane, the gateway and the sample's upstream, and keeps them running until `stop` fires. No child is
 * left when it returns or throws.
 * @param {RunContext} context
 * @returns {Promise<number>} the exit code: 0, for being told to stop is no failure.
 * @throws {import('../failure.mjs').Failure} when a child ends by itself, or the first start cannot be completed.
 */
export async function run(context) {
  /** @type {import('./child.mjs').Child[]} */
  const children = [];
  try {
    await startAll(context, children);
    const stopped = new Promise((resolve) =>
      context.stop.addEventListener('abort', () => resolve(null), { once: true }),
    );
    const ended = await Promise.race([stopped, ...children.map((child) => child.ended.then(() => child))]);
    if (ended !== null && !context.stop.aborted) throw ended.failure();
  } catch (error) {
    if (!context.stop.aborted) throw error;
  } finally {
    if (context.stop.aborted) context.say('\nstopping…');
    await stopChildren(children);
  }
  context.say('stopped');
  return 0;
}

/**
 * @param {RunContext} context
 * @param {import('./child.mjs').Child[]} children grows as they start, so that the caller can stop them.
 */
async function startAll(context, children) {
  const { root, env, settings, ports, say, stop } = context;
  const logs = join(settings.dataDir, 'logs');
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  /** @param {string} name @param {string} script @param {string} log @param {NodeJS.ProcessEnv} childEnv */
  const start = (name, script, log, childEnv) => {
    const child = startChild({
      name,
      node: context.node,
      script: join(root, script),
      cwd: root,
      env: childEnv,
      logFile: join(logs, log),
    });
    children.push(child);
    return child;
  };
  const bundle = readFileSync(join(root, 'examples/quickstart.yaml'), 'utf8');
  const sampleOn = sampleRuns(settings, context.state);
  if (sampleOn) {
    keepSampleCopy(settings.dataDir, sampleForPort(bundle, ports.sample), context.state.configured !== undefined);
    start("The sample's upstream", 'examples/echo-upstream.mjs', 'echo-upstream.log', {
      ...env,
      PORT: String(ports.sample),
    });
  }
  const { password, state: initial } = firstPassword(settings, context.state);
  writeState(settings.dataDir, initial);

  const adminUrl = localUrl(settings.adminHost, ports.admin);
  await timed(say, 'starting the control plane', async () => {
    const secretKeys = settings.secretKeys ?? keptSecretKeys(settings.dataDir);
    const childEnv = adminEnvironment(env, settings, { port: ports.admin, secretKeys, password });
    const child = start('The control plane', 'apps/admin-api/dist/main.js', 'admin-api.log', childEnv);
    await waitReady(child, `${adminUrl}/ready`, {
      timeoutMs: ADMIN_READY_TIMEOUT_MS,
      stop,
      logFile: join(logs, 'admin-api.log'),
    });
  });
  let state = initial;
  if (password !== null && !isComplete(state)) {
    const api = adminApi(adminUrl, stop);
    const firstStart = { api, settings, state, sampleBundle: bundle, samplePort: ports.sample };
    state = await timed(say, settings.sample ? 'setting up the sample' : 'setting up an empty gateway', () =>
      completeFirstStart(firstStart, password),
    );
  }
  await timed(say, 'starting the gateway', async () => {
    const childEnv = gatewayEnvironment(env, settings, { ports, token: keptDataPlaneToken(settings.dataDir) });
    const child = start('The gateway', 'apps/gateway/dist/main.js', 'gateway.log', childEnv);
    const url = `${localUrl(settings.statusHost, ports.status)}/ready`;
    await waitReady(child, url, { timeoutMs: GATEWAY_READY_TIMEOUT_MS, stop, logFile: join(logs, 'gateway.log') });
  });
  const lines = announcement({
    settings,
    ports,
    sampleKey: sampleOn ? sampleKey(bundle) : null,
    password: state.adminPassword ?? null,
    logs,
  });
  for (const line of lines) say(line);
  if (state.adminPassword !== undefined) {
    const { adminPassword: _shown, ...rest } = state;
    writeState(settings.dataDir, rest);
  }
}
