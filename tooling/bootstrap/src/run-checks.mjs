import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { prepare } from './prepare/prepare.mjs';

/**
 * `npm test` and `npm run check`: brings the toolchain, builds, and hands over to tooling/checks on the right Node. A build
 * that fails is shown, counted there, and stops nothing that can do without it.
 * @param {import('./prepare/prepare.mjs').PrepareContext} context
 * @param {readonly string[]} args passed on to tooling/checks.
 * @returns {Promise<number>} the exit code.
 */
export async function runChecks(context, args) {
  const { root, env, say } = context;
  const { node, build, pnpmFolder } = await prepare(context);
  const built = await build();
  if (!built.ok) say(built.output);
  const PATH = [`${root}/node_modules/.bin`, await pnpmFolder(), env['PATH'] ?? ''].join(delimiter);
  const script = `${root}/tooling/checks/src/main.ts`;
  const child = spawn(node, [script, ...args, ...(built.ok ? [] : ['--build-failed'])], {
    cwd: root,
    env: { ...env, PATH, TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1' },
    stdio: 'inherit',
  });
  // Ctrl-C reaches the child as well, which is in the same process group: wait for its end.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 130));
  });
}
