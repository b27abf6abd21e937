import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findExecutable } from '../machine/executable.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The built form of an entry of the benchmarks: measured processes run plain JavaScript, as the gateway does. */
export function builtEntry(
  name:
    | 'ai-provider'
    | 'minimal-ai-proxy'
    | 'minimal-protocols'
    | 'minimal-proxy'
    | 'npm-gateway'
    | 'protocol-load'
    | 'protocol-upstream'
    | 'upstream'
    | 'load'
    | 'open-load'
    | 'busy-plugin',
): string {
  return join(root, 'benchmarks/dist', `${name}.js`);
}

/** The built gateway. */
export const gatewayEntry: string = join(root, 'apps/gateway/dist/main.js');

/** The built control plane. */
export const adminApiEntry: string = join(root, 'apps/admin-api/dist/main.js');

/**
 * Builds what is missing or stale of the named workspaces; turbo knows what is.
 * @throws Error with turbo's output when a build fails
 */
export function build(workspaces: readonly string[]): void {
  const turbo = ['turbo', 'run', 'build', '--output-logs=errors-only', ...workspaces.map((name) => `--filter=${name}`)];
  // turbo asks for pnpm on the PATH; where there is none, npx brings the one that the repository names.
  const [program, ...args] = findExecutable('pnpm') === undefined ? ['npx', '--yes', pnpm(), 'exec', ...turbo] : turbo;
  const { status, stdout, stderr, error } = spawnSync(program ?? 'turbo', args, {
    cwd: root,
    env: {
      ...process.env,
      PATH: [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter),
      TURBO_TELEMETRY_DISABLED: '1',
      TURBO_NO_UPDATE_NOTIFIER: '1',
    },
    encoding: 'utf8',
  });
  if (status === 0) return;
  throw new Error(`the build of ${workspaces.join(' and ')} failed: ${error?.message ?? `\n${stdout}${stderr}`}`);
}

/** The package manager with its version, as the root manifest names it. */
function pnpm(): string {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { packageManager: string };
  return manifest.packageManager;
}
